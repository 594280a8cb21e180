// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Lines from standard input without ever blocking on it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace muster::server {

/// [main]
class StandardInput {
 public:
  /// More than this without a line end is thrown away up to the next line end.
  static constexpr std::size_t kMaxLineBytes = 4'096;

  explicit StandardInput(bool isEnabled);

  /// -1 once the input has ended, so that poll passes over it.
  [[nodiscard]] int Descriptor() const { return m_descriptor; }

  /// Reads what is there and gives each whole line to `body`.
  void Read(const std::function<void(std::string_view)>& body);

 private:
  void Take(std::string_view text, const std::function<void(std::string_view)>& body);

  int m_descriptor;
  std::string m_line;
  bool m_isTooLong = false;
};

}  // namespace muster::server
