// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the gate takes from the report that muster-bench writes.
#pragma once

#include "Figures.h"

#include "Core/Result.h"

#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

struct BenchReport {
  std::vector<Figure> ratios;
  bool isComplete = false;  ///< no group was left out
};

/// Each of "ratios" ([{"name", "value"}]) as a figure; a ratio whose value is null was not measured. Fails with
/// kReportUnreadable: no list, none in it, one without a name, a name given twice. [any]
Result<BenchReport> ParseBenchReport(std::string_view json);

struct WorstRatio {
  Figure figure;     ///< of `name`; empty when nothing matched, or one that did was not measured
  std::string of{};  ///< the ratio it is, or the one that was not measured
};

/// The largest of the ratios whose whole name matches: times, of which smaller is better. [any]
WorstRatio WorstOf(const std::vector<Figure>& ratios, const std::string& name, const std::regex& pattern);

}  // namespace muster::gate
