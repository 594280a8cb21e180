// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Report.h"

#include "Core/Assert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace muster::bench {
namespace {

std::size_t PlaceOf(const Group& group, const std::string& label, Mode mode) {
  for (std::size_t index = 0; index < group.cases.size(); ++index) {
    if (group.cases[index].label == label && group.cases[index].mode == mode) {
      return index;
    }
  }
  MUSTER_ASSERT_ALWAYS(false, "a ratio names cases of its group");
  return 0;
}

std::string TimeText(double nanoseconds) {
  if (nanoseconds < 1e4) {
    return fmt::format("{:.{}f} ns", nanoseconds, nanoseconds < 10.0 ? 2 : nanoseconds < 100.0 ? 1 : 0);
  }
  return nanoseconds < 1e7 ? fmt::format("{:.1f} us", nanoseconds / 1e3) : fmt::format("{:.1f} ms", nanoseconds / 1e6);
}

bool IsIn(const std::string& dotted, std::string_view group) {
  return group.empty() || (dotted.size() > group.size() && dotted.compare(0, group.size(), group) == 0 &&
                           dotted.find('.', group.size() + 1) == std::string::npos && dotted[group.size()] == '.');
}

std::string Dotted(std::string_view name) {
  std::string dotted{name};
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return dotted;
}

}  // namespace

void AddGroup(Report& report, const Group& group, std::span<const Summary> summaries) {
  MUSTER_ASSERT_ALWAYS(summaries.size() == group.cases.size(), "one summary a case");
  for (std::size_t index = 0; index < summaries.size(); ++index) {
    const Case& theCase = group.cases[index];
    if (summaries[index].samples > 0) {
      report.cases.push_back(
          {group.name, theCase.label, theCase.subject, theCase.mode, theCase.unit, summaries[index]});
    }
  }
  for (const Ratio& ratio : group.ratios) {
    const Summary& above = summaries[PlaceOf(group, ratio.numerator, ratio.mode)];
    const Summary& below = summaries[PlaceOf(group, ratio.denominator, ratio.mode)];
    if (above.samples > 0 && below.samples > 0 && below.median > 0.0) {
      report.ratios.push_back(
          {RatioName(group.name, ratio), above.median / below.median, above.Spread() + below.Spread()});
    }
  }
  for (const Figure& figure : group.figures) {
    report.figures.push_back({Dotted(group.name) + "." + figure.name, figure.value, figure.unit});
  }
}

std::string ToTable(const Report& report, std::string_view name) {
  std::string text;
  std::string_view shown;
  for (const CaseResult& result : report.cases) {
    if (!name.empty() && result.name != name) {
      continue;
    }
    if (shown != result.name) {
      text += fmt::format("\n{:<44} {:>11} {:>11} {:>11} {:>8}\n", result.name, "median", "p10", "p99", "samples");
      shown = result.name;
    }
    const std::string who = fmt::format("{}{}", result.subject, result.mode == Mode::Hot ? " (hot)" : "");
    const Summary& time = result.nanoseconds;
    text += fmt::format("  {:<42} {:>11} {:>11} {:>11} {:>8}  a {}\n", who, TimeText(time.median), TimeText(time.p10),
                        TimeText(time.p99), time.samples, result.unit);
  }
  const std::string dotted = Dotted(name);
  for (const RatioResult& ratio : report.ratios) {
    // A hot ratio's name has one part more than its group's.
    if (IsIn(ratio.name, dotted) || IsIn(ratio.name, dotted + ".hot")) {
      text += fmt::format("  {:<66} {:>8.3f} x  (+-{:.0f} %)\n", ratio.name, ratio.value, 100.0 * ratio.noise);
    }
  }
  for (const Figure& figure : report.figures) {
    if (IsIn(figure.name, dotted)) {
      text += fmt::format("  {:<66} {:>8.2f} {}\n", figure.name, figure.value, figure.unit);
    }
  }
  return text;
}

}  // namespace muster::bench
