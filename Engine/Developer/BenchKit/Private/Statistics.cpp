// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Statistics.h"

#include "Core/Assert.h"

#include <algorithm>
#include <cmath>

namespace muster::bench {

double Percentile(std::span<const double> sorted, double share) {
  MUSTER_ASSERT_ALWAYS(!sorted.empty() && share >= 0.0 && share <= 1.0, "a share of at least one sample");
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - std::floor(place));
}

Summary Summarise(std::vector<double> samples) {
  if (samples.empty()) {
    return {};
  }
  std::sort(samples.begin(), samples.end());
  Summary summary;
  summary.median = Percentile(samples, 0.5);
  summary.p10 = Percentile(samples, 0.1);
  summary.p25 = Percentile(samples, 0.25);
  summary.p75 = Percentile(samples, 0.75);
  summary.p99 = Percentile(samples, 0.99);
  summary.max = samples.back();
  summary.samples = samples.size();
  return summary;
}

}  // namespace muster::bench
