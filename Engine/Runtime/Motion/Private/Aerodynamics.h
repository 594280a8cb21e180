// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the air and the engine do to a craft at one moment, split into what is integrated explicitly and what
// implicitly.
#pragma once

#include "Motion/FlightModel.h"

namespace muster::motion {

inline constexpr float kSeaLevelDensity = 1.225F;

/// Body axes throughout. Damping terms are rates r of x' = -r x; integrating them implicitly keeps any step stable.
struct AirLoads {
  Vec3f acceleration{};         ///< lift, side force and thrust; not drag, not gravity
  float dragRate = 0.0F;        ///< 1/s, acts along the velocity
  Vec3f angularAcceleration{};  ///< controls, stiffness and gyroscopic coupling
  Vec3f angularDamping{};       ///< 1/s on each axis
};

/// kg/m^3 at an altitude: an exponential atmosphere of scale height 8.5 km, as a rational function.
float AirDensity(double altitudeMeters) noexcept;

AirLoads ComputeAirLoads(const FlightParams& params, const FlightState& state, const Control& control) noexcept;

}  // namespace muster::motion
