// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Finds named errors in what a program printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

struct PrintedError {
  std::string id;           ///< "MU3103 AddressInUse"
  std::string line;         ///< from the code to the end of the line
  bool isComplete = false;  ///< it has a sentence, and says what to do
};

/// The last error that was printed: programs end with the one that ended them. [any]
std::optional<PrintedError> FindLastError(std::string_view text);

/// What an error of a program that was to fail looks like: its code and name, with what is wrong about it behind (it does
/// not say what to do or what it was to say, the program went on, it ended as if all was well or by a signal). [any]
std::string DescribeEnding(std::string_view printed, const std::vector<std::string>& says, std::optional<int> status);

}  // namespace muster::gate
