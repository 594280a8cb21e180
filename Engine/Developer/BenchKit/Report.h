// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a run of benchmarks found: for people as tables, for programs as JSON, and two of them side by side.
//
//   Report report{.revision = "...", ...};
//   AddGroup(report, group, summaries);               // cases, ratios and figures of one group
//   std::fputs(GroupTable(report, group.name).c_str(), stdout);
//   WriteFileAtomically(path, ToJson(report));
//
// JSON, schema 1: {"schema", "revision", "compiler", "flags", "machine": {"cpu", "cores"}, "complete",
//   "cases": [{"name", "label", "subject", "mode", "unit", "median_ns", "p10_ns", "p25_ns", "p75_ns", "p99_ns", "max_ns",
//   "samples"}], "ratios": [{"name", "value", "noise"}], "figures": [{"name", "value", "unit"}]}. Times are nanoseconds a unit.
//
// Pure functions over values. [any]
#pragma once

#include "BenchKit/Case.h"
#include "BenchKit/Statistics.h"
#include "Core/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::bench {

inline constexpr ErrorCode kReportMalformed{3350, "BenchReportMalformed"};

struct CaseResult {
  std::string name{};  ///< the group's
  std::string label{};
  std::string subject{};
  Mode mode = Mode::Tick;
  std::string unit{};
  Summary nanoseconds{};  ///< a unit

  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};

struct RatioResult {
  std::string name{};
  double value = 0.0;
  double noise = 0.0;  ///< the spreads of its two cases together

  friend bool operator==(const RatioResult&, const RatioResult&) = default;
};

struct Machine {
  std::string cpu{};
  unsigned cores = 0;
};

struct Report {
  std::string revision{};
  std::string compiler{};
  std::string flags{};
  Machine machine{};
  bool isComplete = true;  ///< false: interrupted
  std::vector<CaseResult> cases{};
  std::vector<RatioResult> ratios{};
  std::vector<Figure> figures{};
};

/// Adds what was measured of a group; cases without a sample, and ratios of such, are left out. `summaries` has one entry
/// a case (asserted). A ratio that names no case of the group is the caller's mistake (asserted).
void AddGroup(Report& report, const Group& group, std::span<const Summary> summaries);

/// Cases, ratios and figures of one group, or of all when `name` is empty.
std::string ToTable(const Report& report, std::string_view name = {});

std::string ToJson(const Report& report);
/// Fails with kReportMalformed.
Result<Report> ParseReport(std::string_view json);

/// One case or ratio of two reports.
struct Change {
  enum class Kind { Same, Better, Worse };

  std::string name{};
  double before = 0.0;
  double after = 0.0;
  double ratio = 0.0;  ///< after / before
  double noise = 0.0;  ///< as a share: a change within it says nothing
  Kind kind = Kind::Same;
};

struct Comparison {
  std::vector<Change> cases{};   ///< medians, by "name label mode"
  std::vector<Change> ratios{};  ///< ratios, by name; they hold across machines, times do not
  std::vector<std::string> onlyBefore{};
  std::vector<std::string> onlyAfter{};
};

/// The least change that is told apart from noise, as a share: what two runs of one program differ by on a quiet machine.
inline constexpr double kLeastNoise = 0.08;

/// A case changed when its medians differ by more than both runs' spreads together, and more than kLeastNoise; a ratio
/// when it differs by more than kLeastNoise and the spreads of the cases it is made of.
Comparison Compare(const Report& before, const Report& after);
std::string ToTable(const Comparison& comparison);

}  // namespace muster::bench
