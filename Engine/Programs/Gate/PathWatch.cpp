// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PathWatch.h"

#include <algorithm>
#include <cmath>

namespace muster::gate {

void PathWatch::Observe(NetId netId, const PathPoint& point) {
  const auto [found, isNew] = m_last.try_emplace(netId.Value(), point);
  PathPoint& last = found->second;
  if (isNew || (last.generation == point.generation && point.tick <= last.tick)) {
    return;
  }
  const double seconds = static_cast<double>(point.tick - last.tick) * kTickSecondsDouble;
  if (last.generation == point.generation && seconds <= kMaxSeconds) {
    double squared = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double expected = last.position[axis] + 0.5 * (last.velocity[axis] + point.velocity[axis]) * seconds;
      squared += (point.position[axis] - expected) * (point.position[axis] - expected);
    }
    const double off = std::sqrt(squared);
    ++m_figures.steps;
    m_figures.largestMeters = std::max(m_figures.largestMeters, off);
    // Written so that what is no number jumps too.
    m_figures.jumps += off <= kToleranceMeters + kCurvatureMeters * seconds * seconds ? 0U : 1U;
  }
  last = point;
}

void PathWatch::Forget(NetId netId) {
  m_last.erase(netId.Value());
}

}  // namespace muster::gate
