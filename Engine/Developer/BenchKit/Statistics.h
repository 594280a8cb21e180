// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What is said about a series of samples. Pure functions. [any]
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace muster::bench {

/// All in the unit of the samples.
struct Summary {
  double median = 0.0;
  double p10 = 0.0;
  double p25 = 0.0;
  double p75 = 0.0;
  double p99 = 0.0;
  double max = 0.0;
  std::size_t samples = 0;

  /// Half of the middle half's width, as a share of the median; 0 when the median is 0. How much one run wavers.
  [[nodiscard]] double Spread() const noexcept { return median > 0.0 ? (p75 - p25) / 2.0 / median : 0.0; }

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// The value below which `share` (0..1) of the samples lie, between two samples in proportion. `sorted` ascends and is
/// not empty (asserted).
double Percentile(std::span<const double> sorted, double share);

/// All zero when there is no sample.
Summary Summarise(std::vector<double> samples);

}  // namespace muster::bench
