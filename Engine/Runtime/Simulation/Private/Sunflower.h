// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Points spread evenly over a disc: point i lies at the golden angle from point i - 1 (Vogel's model of a sunflower
// head).
#pragma once

#include "Core/Vector.h"

#include <cmath>
#include <cstdint>

namespace muster::simulation {

/// An angle within a turn. Reduced in double: a float of a thousand turns has lost the small angles.
inline float ReducedAngle(double radians) {
  constexpr double turn = 2.0 * kPiDouble;
  const double turns = radians / turn;
  return static_cast<float>((turns - std::floor(turns)) * turn);
}

/// Level, length one (to float precision).
inline Vec3d SunflowerDirection(std::uint32_t index) {
  constexpr double goldenAngle = 2.39996322972865332;
  const SineCosine angle = SinCos(ReducedAngle(static_cast<double>(index) * goldenAngle));
  return {static_cast<double>(angle.cosine), 0.0, static_cast<double>(angle.sine)};
}

}  // namespace muster::simulation
