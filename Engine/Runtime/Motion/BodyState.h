// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What every motion model steps, and what its driver commands. A model is a pure function
// `Step(params, state, control, stepSeconds)` over these; which one moves an entity is its archetype's business.
//
// Axes: world right-handed with +Y up; body +X right, +Y up, -Z forward. Metres, seconds, radians, kilograms. The ground
// is the plane y = 0. Angular velocity is in body axes. Threads: [any]
#pragma once

#include "Core/Vector.h"

namespace muster::motion {

inline constexpr float kGravity = 9.80665F;

/// What the pilot or driver commands: throttle 0..1, the rest -1..1. In the air elevator positive raises the nose,
/// aileron positive rolls right, rudder positive turns the nose right. What they are on wheels, GroundModel.h says.
struct Control {
  float throttle = 0.0F;
  float elevator = 0.0F;
  float aileron = 0.0F;
  float rudder = 0.0F;
  bool afterburner = false;
};

/// Every value clamped to its range, non-finite ones zero.
Control Sanitised(const Control& control) noexcept;

struct BodyState {
  Vec3d position{};
  Vec3f velocity{};
  Quatf orientation{};
  Vec3f angular{};  ///< body axes
  float health = 1.0F;
  bool onGround = false;
  bool afterburning = false;
};

}  // namespace muster::motion
