// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The one meaning of "p99" in every report: nearest rank, so that a percentile is always a value that was measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace muster::telemetry {

/// The index, in a sorted series of `count` (at least 1) values, of the percentile `fraction` within 0 and 1. [any]
[[nodiscard]] inline std::size_t NearestRank(std::size_t count, double fraction) noexcept {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(count)));
  return std::clamp<std::size_t>(rank, 1, count) - 1;
}

}  // namespace muster::telemetry
