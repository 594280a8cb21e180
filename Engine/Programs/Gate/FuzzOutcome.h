// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the gate takes from what a libFuzzer program prints when it ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::gate {

struct FuzzOutcome {
  std::uint64_t executions = 0;
  double seconds = 0;
};

/// From "Done 123 runs in 60 second(s)", the last there is; nothing where the run did not come to its end. [any]
std::optional<FuzzOutcome> ParseFuzzOutput(std::string_view errors);

/// The line that says what was found ("SUMMARY: ..." or "==123== ERROR: ..."); empty where there is none. [any]
std::string FuzzFinding(std::string_view errors);

}  // namespace muster::gate
