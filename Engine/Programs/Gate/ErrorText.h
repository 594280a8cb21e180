// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Finds named errors in what a program printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster::gate {

struct PrintedError {
  std::string id;           ///< "MU3103 AddressInUse"
  std::string line;         ///< from the code to the end of the line
  bool isComplete = false;  ///< it has a sentence, and says what to do
};

/// The last error that was printed: programs end with the one that ended them. [any]
std::optional<PrintedError> FindLastError(std::string_view text);

}  // namespace muster::gate
