// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The ground model: one step of a vehicle with two axles, of which the front one steers, as a pure function.
//
//   GroundParams params;                       // from an archetype; FindProblem(params) is null for sound ones
//   GroundState state{.position = {40, 0, 0}};
//   state = Step(params, state, Control{.throttle = 0.6F, .rudder = 0.3F}, kTickSeconds);
//
// Each axle is one wheel in the middle (a bicycle). An axle takes up whatever sideways force keeps it from slipping, up
// to its grip times its load: slow, the vehicle follows the circle of its wheels; fast, it slides, and it slides at the
// axle that is asked for too much. What drive and brakes use of the grip, the sides lack.
//
// Controls: throttle drives forward. Elevator pulled back (positive) with the throttle closed brakes, and from a stand
// drives backward. Rudder and aileron steer alike and add up, so that pedals, stick and a pilot's code all drive.
//
// Server and client must get the same bits: IEEE arithmetic in a fixed order, no library trigonometry, no state of its
// own. Axes and units are those of BodyState.h.
//
// Promises for sound parameters, any control (also NaN) and steps up to 1/30 s: the state stays finite, y is 0 and
// vertical speed 0, speed stays at most `maxSpeedMps`, the turn at most kMaxTurnRate, the attitude level. A vehicle
// that nobody drives comes to rest and stays there to the bit.
//
// Threads: [any]
#pragma once

#include "Motion/BodyState.h"

namespace muster::motion {

/// Radians per second; a vehicle that was hit spins no faster.
inline constexpr float kMaxTurnRate = 4.0F;

/// The defaults are a loaded two-axle truck.
struct GroundParams {
  float massKg = 12'000.0F;
  float wheelbaseM = 4.6F;
  float frontShare = 0.5F;       ///< of the wheelbase, from the centre of mass to the front axle
  float yawInertia = 60'000.0F;  ///< kg m^2; mass times both axle distances is about right
  float maxSteeringRad = 0.6F;   ///< of the front wheels at full rudder, at low speed

  float grip = 0.8F;  ///< tyres on the ground, of the load
  float driveForceN = 55'000.0F;
  float powerW = 260'000.0F;   ///< limits the force at speed
  float brakeFriction = 0.6F;  ///< of the weight
  float rollingFriction = 0.015F;
  float dragAreaM2 = 6.0F;  ///< drag coefficient times frontal area

  float maxSpeedMps = 28.0F;
  float maxReverseMps = 5.0F;
};

using GroundState = BodyState;

/// The state `stepSeconds` later. A vehicle without health only brakes.
GroundState Step(const GroundParams& params, const GroundState& state, const Control& control,
                 float stepSeconds) noexcept;

/// What is wrong with these parameters, as a clause, or null.
const char* FindProblem(const GroundParams& params) noexcept;

}  // namespace muster::motion
