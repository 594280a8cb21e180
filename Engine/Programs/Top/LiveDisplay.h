// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Shows a few lines that keep changing: redrawn in place on a terminal, one line a second elsewhere.
//
//   LiveDisplay display{stdout};
//   display.Show(lines, summary);     // as often as there is something new
//   display.Leave();                  // what was shown last stays; output goes on below it
//
// Not for use from two threads.
#pragma once

#include <chrono>
#include <cstdio>
#include <span>
#include <string>

namespace muster::top {

class LiveDisplay {
 public:
  /// The stream outlives the display. Colours and redrawing follow from what it is, and from NO_COLOR.
  explicit LiveDisplay(std::FILE* stream);

  [[nodiscard]] bool IsTerminal() const { return m_isTerminal; }
  [[nodiscard]] bool HasColor() const { return m_hasColor; }

  void Show(std::span<const std::string> lines, const std::string& summary);

  void Leave();

 private:
  void Redraw(std::span<const std::string> lines);

  std::FILE* m_stream;
  bool m_isTerminal;
  bool m_hasColor;
  std::size_t m_shownLines = 0;
  std::chrono::steady_clock::time_point m_nextSummary{};
};

}  // namespace muster::top
