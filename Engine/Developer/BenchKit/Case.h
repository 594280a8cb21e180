// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What is measured: cases, and groups of cases that answer the same question.
//
//   Group group{.name = "spatial/gather/uniform/5000/2km"};
//   group.cases.push_back({.label = "grid", .subject = "muster.spatial.grid", .unit = "query", .unitsPerPass = 256,
//                          .pass = [&] { grid.Gather(queries, out); }});
//   group.cases.push_back({.label = "nanoflann", ... });
//   group.ratios.push_back({"grid", "nanoflann"});
//   group.check = [&] { return grid.Hits() == tree.Hits() ? std::string{} : "grid and nanoflann disagree"; };
//
// Cases of one group are sampled in turn in one run (Sampler.h), so that a ratio of two of them is about the code and not
// about what else the machine did. A group is checked before it is timed: a wrong answer is an error, not a figure.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace muster::bench {

/// How a case is sampled.
enum class Mode {
  Tick,  ///< one pass a sample, the other cases run in between: caches are as cold as in a tick
  Hot    ///< passes again and again for a millisecond: caches and branch predictors are warm
};

/// "tick" or "hot".
const char* ToText(Mode mode) noexcept;

struct Case {
  /// Short name within the group, [a-z0-9_]; names of ratios are made of it.
  std::string label{};
  /// Who does the work, for people: a plugin's id, a library's name.
  std::string subject{};
  Mode mode = Mode::Tick;
  /// What a figure is a price of: "query", "pair", "point".
  std::string unit{};
  /// How many of them a pass does.
  double unitsPerPass = 1.0;
  /// Runs before each pass, outside of the time taken. A case that has it is timed pass by pass. May be empty.
  std::function<void()> prepare{};
  /// The work.
  std::function<void()> pass{};
  /// In place of `pass`: takes a sample of its own and returns nanoseconds (for what is no duration of a call).
  std::function<double()> measure{};
};

/// The ratio of two cases' medians, by label: how much of the second's time the first takes.
struct Ratio {
  std::string numerator{};
  std::string denominator{};
  Mode mode = Mode::Tick;
};

/// A figure that is no time: a count, a size, a rate.
struct Figure {
  std::string name{};
  double value = 0.0;
  std::string unit{};
};

struct Group {
  std::string name{};  ///< path-like: "entity/pairs/1000"
  std::vector<Case> cases{};
  std::vector<Ratio> ratios{};
  std::vector<Figure> figures{};
  /// The least time each case is sampled for, where the usual is too short: what sleeps, what is judged by its worst.
  std::chrono::nanoseconds caseTime{0};
  /// Empty text when every case answers right; otherwise what is wrong. Runs once, before the first sample.
  std::function<std::string()> check{};
};

/// `spatial/gather/uniform/5000/2km` and grid, nanoflann -> `spatial.gather.uniform.5000.2km.grid_over_nanoflann`; hot
/// ones have `.hot` before the last part.
std::string RatioName(const std::string& groupName, const Ratio& ratio);

/// A group that is made when its turn comes, because its data may be large.
struct GroupRecipe {
  std::string name{};
  std::string shows{};  ///< one line for people
  /// Part of a quick run.
  bool isQuick = false;
  std::function<Group()> make{};
};

/// Keeps a value from being optimised away. [any]
template <class T>
inline void Keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace muster::bench
