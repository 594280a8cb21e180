// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Watches whether things move as their velocities say: what jumps has been put somewhere else.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace muster::gate {

/// Where something was at a tick; metres and metres a second.
struct PathPoint {
  Tick tick{};
  std::uint8_t generation = 0;  ///< of the net id; another one is another thing
  std::array<double, 3> position{};
  std::array<double, 3> velocity{};
};

struct PathFigures {
  std::uint64_t steps = 0;  ///< pairs of points that were compared
  std::uint64_t jumps = 0;
  double largestMeters = 0;  ///< how far off the worst step was
};

/// One thread.
class PathWatch {
 public:
  /// A step is as long as the mean of the velocities at its ends says, but for its curvature: so much is allowed, and
  /// so much more for each second squared.
  static constexpr double kToleranceMeters = 1.0;
  static constexpr double kCurvatureMeters = 20.0;
  /// Points further apart are not compared.
  static constexpr double kMaxSeconds = 2.0;

  void Observe(NetId netId, const PathPoint& point);
  /// It left; should it come back it starts anew.
  void Forget(NetId netId);

  [[nodiscard]] const PathFigures& Figures() const { return m_figures; }

 private:
  std::unordered_map<std::uint32_t, PathPoint> m_last;
  PathFigures m_figures;
};

}  // namespace muster::gate
