// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The flight model: one step of a fixed-wing craft with six degrees of freedom, as a pure function.
//
//   FlightParams params;                      // from an archetype; FindProblem(params) is null for sound ones
//   FlightState state{.position = {0, 500, 0}, .velocity = {0, 0, -150}};
//   state = Step(params, state, Control{.throttle = 0.6F}, kTickSeconds);
//
// The server integrates with it and a client predicts with it, so it must be the same bits on both: IEEE arithmetic in
// a fixed order, no library trigonometry, no state of its own.
//
// Promises for sound parameters, any control (also NaN) and steps up to 1/30 s: the state stays finite, speed stays at
// most `maxSpeedMps`, the angular rate at most `maxAngularRate`, the quaternion at unit length, health within 0..1, and
// the craft never below its gear height.
//
// Threads: [any]
#pragma once

#include "Motion/BodyState.h"

namespace muster::motion {

/// The airframe. The defaults are a light jet trainer. Coefficients are the usual ones of flight dynamics: forces over
/// pressure times wing area, moments over pressure times wing area times chord (pitch) or span (roll, yaw).
struct FlightParams {
  float massKg = 4'500.0F;
  float wingAreaM2 = 18.8F;
  float spanM = 9.46F;
  float chordM = 1.9F;
  float pitchInertia = 18'000.0F;  ///< kg m^2
  float yawInertia = 22'000.0F;
  float rollInertia = 6'000.0F;

  float liftAtZeroAngle = 0.17F;  ///< lift coefficient in trimmed level flight
  float liftSlope = 5.0F;         ///< per radian below the stall
  float stallAngle = 0.28F;       ///< radians; beyond it the wing turns into a flat plate over another 40 %
  float maxLoadFactor = 8.0F;     ///< the structure's limit of lift, in g

  float zeroLiftDrag = 0.022F;
  float inducedDrag = 0.084F;  ///< drag coefficient per squared lift coefficient
  float sideForceSlope = 0.8F;
  float sideDrag = 0.6F;  ///< drag coefficient of the fuselage broadside

  float thrustN = 16'900.0F;       ///< at sea level, full throttle; falls with the density of the air
  float afterburnerFactor = 1.0F;  ///< thrust with afterburner over thrust without, at full throttle

  float elevatorAuthority = 0.6F;  ///< moment coefficients of full deflection
  float aileronAuthority = 0.08F;
  float rudderAuthority = 0.08F;
  float controlPressurePa = 6'500.0F;  ///< beyond this dynamic pressure deflections are scaled down to an equal moment
  float pitchStiffness = 1.2F;         ///< moment coefficients per radian that turn the nose into the wind
  float yawStiffness = 0.12F;
  float dihedral = 0.06F;  ///< rolls away from a side slip
  float pitchDamping = 25.0F;
  float yawDamping = 1.0F;
  float rollDamping = 0.45F;

  float maxSpeedMps = 260.0F;
  float maxAngularRate = 4.0F;  ///< radians per second

  float gearHeightM = 1.2F;
  float rollingFriction = 0.03F;
  float brakeFriction = 0.45F;  ///< with the throttle closed
  float sideFriction = 0.9F;
  float steeringRate = 0.5F;   ///< radians per second of the nose wheel at full rudder, from 10 m/s on
  float safeSinkMps = 4.5F;    ///< touching down slower costs nothing
  float fatalSinkMps = 14.0F;  ///< touching down at this costs all health; linear between the two
};

using FlightState = BodyState;

/// The state `stepSeconds` later. A craft without health has no engine and no controls.
FlightState Step(const FlightParams& params, const FlightState& state, const Control& control,
                 float stepSeconds) noexcept;

/// What is wrong with these parameters, as a clause ("massKg must be positive"), or null. Parameters that pass are
/// stable at steps up to 1/30 s.
const char* FindProblem(const FlightParams& params) noexcept;

}  // namespace muster::motion
