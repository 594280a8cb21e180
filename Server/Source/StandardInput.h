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
  /// A longer line is cut here; what follows up to its end is thrown away.
  static constexpr std::size_t kMaxLineBytes = 4'096;

  explicit StandardInput(bool isEnabled);

  /// -1 once the input has ended, so that poll passes over it.
  [[nodiscard]] int Descriptor() const { return m_descriptor; }

  /// Reads what is there and gives each line to `body`, the last one also without its end.
  void Read(const std::function<void(std::string_view)>& body);

 private:
  void Take(std::string_view text, const std::function<void(std::string_view)>& body);

  int m_descriptor;
  std::string m_line;
};

}  // namespace muster::server
