// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a sorted series says. Used for every figure of the report.
#pragma once

#include <cstddef>
#include <vector>

namespace muster::swarm {

struct SeriesStats {
  std::size_t count = 0;
  double min = 0;
  double mean = 0;
  double max = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
};

/// Percentiles are nearest-rank. Sorts its copy. All zero for an empty series.
SeriesStats StatsOf(std::vector<double> values);

/// One reading of a process's memory.
struct RssSample {
  double seconds = 0;
  double kib = 0;
};

/// How fast memory grows in the tail (the last half) of a run, and the largest single step in it.
///
/// The tail is cut into six equal spans of time; each span's rate is taken between the samples at its borders, and the
/// median of the six is the slope. So one step (an arena block, a doubling buffer) does not count as a leak, while a
/// staircase does, whatever its period: no step can fall between two spans. A tail with fewer than four samples a span
/// gets a straight line instead.
struct RssTrend {
  bool isKnown = false;  ///< at least four samples in the tail
  double slopeKibPerMinute = 0;
  double stepMaxKib = 0;
  double stepAtSeconds = 0;
};

RssTrend TrendOf(const std::vector<RssSample>& samples);

}  // namespace muster::swarm
