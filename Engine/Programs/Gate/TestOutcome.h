// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a GoogleTest binary's JSON report says.
#pragma once

#include "Core/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

struct TestOutcome {
  std::uint32_t passed = 0;
  std::uint32_t failed = 0;
  std::uint32_t skipped = 0;  ///< disabled ones too
  std::vector<std::string> failedNames;
};

/// Fails with kTestsNotRun when it is no report or when not a single test is in it. [any]
Result<TestOutcome> ParseTestReport(std::string_view json);

}  // namespace muster::gate
