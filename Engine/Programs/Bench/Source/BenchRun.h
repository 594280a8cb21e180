// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One run of muster-bench: recipes chosen, made, checked, sampled and told, one group after the other.
#pragma once

#include "BenchKit/Case.h"
#include "BenchKit/Report.h"
#include "BenchKit/Sampler.h"
#include "Core/Clock.h"
#include "Core/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace muster::bench {

inline constexpr ErrorCode kWrongAnswer{3351, "BenchWrongAnswer"};
inline constexpr ErrorCode kNothingSelected{3352, "BenchNothingSelected"};

/// Recipes whose names hold a match of the expression (ECMAScript; empty: all); of a quick run only those that are part
/// of it. Fails with kNothingSelected, also for what is no expression.
Result<std::vector<GroupRecipe>> Select(std::vector<GroupRecipe> recipes, const std::string& filter, bool isQuick);

struct RunEvents {
  /// Before a group is made: which of how many, and its name.
  std::function<void(std::size_t, std::size_t, const std::string&)> onBegin{};
  /// After a group was measured, perhaps in part.
  std::function<void(const Report&, const std::string&)> onGroup{};
  /// A group whose answers are wrong; it was not timed.
  std::function<void(const Error&)> onWrong{};
};

/// Measures the groups into `report`; false when an answer was wrong. `report.isComplete` is false when it was stopped.
bool RunRecipes(const std::vector<GroupRecipe>& recipes, const SamplerOptions& options, const IClock& clock,
                const std::function<bool()>& isStopping, const RunEvents& events, Report& report);

/// Processor and usable cores of this machine.
Machine ThisMachine();

}  // namespace muster::bench
