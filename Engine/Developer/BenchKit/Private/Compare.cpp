// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace muster::bench {
namespace {

struct Point {
  double value = 0.0;
  double noise = 0.0;
};
using Points = std::map<std::string, Point>;

Points CasePoints(const Report& report) {
  Points points;
  for (const CaseResult& result : report.cases) {
    points[fmt::format("{} {} {}", result.name, result.label, ToText(result.mode))] = {result.nanoseconds.median,
                                                                                       result.nanoseconds.Spread()};
  }
  return points;
}

Points RatioPoints(const Report& report) {
  Points points;
  for (const RatioResult& ratio : report.ratios) {
    points[ratio.name] = {ratio.value, ratio.noise};
  }
  return points;
}

Change ChangeOf(const std::string& name, const Point& before, const Point& after) {
  Change change{name, before.value, after.value, 1.0, std::max(kLeastNoise, before.noise + after.noise)};
  if (before.value > 0.0) {
    change.ratio = after.value / before.value;
  }
  // Symmetric: twice as fast is as far from noise as half as fast.
  if (change.ratio > 1.0 + change.noise) {
    change.kind = Change::Kind::Worse;
  } else if (change.ratio * (1.0 + change.noise) < 1.0) {
    change.kind = Change::Kind::Better;
  }
  return change;
}

void Match(const Points& before, const Points& after, std::vector<Change>& changes, Comparison& comparison) {
  for (const auto& [name, point] : before) {
    const auto match = after.find(name);
    if (match == after.end()) {
      comparison.onlyBefore.push_back(name);
    } else {
      changes.push_back(ChangeOf(name, point, match->second));
    }
  }
  for (const auto& entry : after) {
    if (before.count(entry.first) == 0) {
      comparison.onlyAfter.push_back(entry.first);
    }
  }
}

const char* Flag(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::Better:
      return "  better";
    case Change::Kind::Worse:
      return "  WORSE";
    case Change::Kind::Same:
      break;
  }
  return "";
}

void AddTable(std::string& text, const char* title, const char* unit, const std::vector<Change>& changes) {
  text += fmt::format("\n{:<66} {:>12} {:>12} {:>8} {:>7}\n", title, "A", "B", "B / A", "noise");
  for (const Change& change : changes) {
    text += fmt::format("  {:<64} {:>12.4g} {:>12.4g} {:>8.3f} {:>5.0f} %{}\n", fmt::format("{}{}", change.name, unit),
                        change.before, change.after, change.ratio, 100.0 * change.noise, Flag(change.kind));
  }
  const auto count = [&](Change::Kind kind) {
    return std::count_if(changes.begin(), changes.end(), [&](const Change& change) { return change.kind == kind; });
  };
  text += fmt::format("  {} compared, {} better, {} worse beyond noise\n", changes.size(), count(Change::Kind::Better),
                      count(Change::Kind::Worse));
}

}  // namespace

Comparison Compare(const Report& before, const Report& after) {
  Comparison comparison;
  Match(CasePoints(before), CasePoints(after), comparison.cases, comparison);
  Match(RatioPoints(before), RatioPoints(after), comparison.ratios, comparison);
  return comparison;
}

std::string ToTable(const Comparison& comparison) {
  std::string text;
  AddTable(text, "medians", ", ns", comparison.cases);
  AddTable(text, "ratios within a run", "", comparison.ratios);
  for (const std::string& name : comparison.onlyBefore) {
    text += fmt::format("  only in A: {}\n", name);
  }
  for (const std::string& name : comparison.onlyAfter) {
    text += fmt::format("  only in B: {}\n", name);
  }
  return text;
}

}  // namespace muster::bench
