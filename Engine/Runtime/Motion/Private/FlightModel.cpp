// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Motion/FlightModel.h"

#include "Aerodynamics.h"
#include "GroundContact.h"

#include <algorithm>
#include <cmath>

namespace muster::motion {
namespace {

/// The longest step that parameters are checked for.
constexpr float kLongestStep = 1.0F / 30.0F;

Vec3f Limited(const Vec3f& v, float most) noexcept {
  const float squared = LengthSquared(v);
  return squared > most * most ? v * (most / std::sqrt(squared)) : v;
}

/// Semi-implicit: forces of the old state, damping of the new.
void IntegrateVelocity(const FlightParams& params, const AirLoads& loads, float stepSeconds,
                       FlightState& state) noexcept {
  Vec3f acceleration = Rotate(state.orientation, loads.acceleration);
  acceleration.y -= kGravity;
  const Vec3f velocity = (state.velocity + acceleration * stepSeconds) * (1.0F / (1.0F + loads.dragRate * stepSeconds));
  state.velocity = Limited(velocity, params.maxSpeedMps);
}

void IntegrateAngular(const AirLoads& loads, float stepSeconds, FlightState& state) noexcept {
  const Vec3f rate = state.angular + loads.angularAcceleration * stepSeconds;
  state.angular = {rate.x / (1.0F + loads.angularDamping.x * stepSeconds),
                   rate.y / (1.0F + loads.angularDamping.y * stepSeconds),
                   rate.z / (1.0F + loads.angularDamping.z * stepSeconds)};
}

bool IsPositive(float value) noexcept {
  return std::isfinite(value) && value > 0.0F;
}

bool IsNotNegative(float value) noexcept {
  return std::isfinite(value) && value >= 0.0F;
}

const char* FindSizeProblem(const FlightParams& p) noexcept {
  if (!IsPositive(p.massKg) || !IsPositive(p.wingAreaM2) || !IsPositive(p.spanM) || !IsPositive(p.chordM)) {
    return "mass, wing area, span and chord must be positive";
  }
  if (!IsPositive(p.pitchInertia) || !IsPositive(p.yawInertia) || !IsPositive(p.rollInertia)) {
    return "the inertias must be positive";
  }
  if (!IsPositive(p.maxSpeedMps) || p.maxSpeedMps > 1'000.0F) {
    return "the greatest speed must be within 0 and 1,000 m/s";
  }
  if (!IsPositive(p.maxAngularRate) || p.maxAngularRate > 6.0F) {
    return "the greatest angular rate must be within 0 and 6 rad/s";
  }
  return nullptr;
}

const char* FindCoefficientProblem(const FlightParams& p) noexcept {
  for (const float value :
       {p.liftSlope,         p.inducedDrag,      p.sideForceSlope,  p.sideDrag,       p.thrustN,
        p.elevatorAuthority, p.aileronAuthority, p.rudderAuthority, p.pitchStiffness, p.yawStiffness,
        p.dihedral,          p.pitchDamping,     p.yawDamping,      p.rollDamping,    p.rollingFriction,
        p.brakeFriction,     p.sideFriction,     p.steeringRate,    p.gearHeightM,    p.safeSinkMps}) {
    if (!IsNotNegative(value)) {
      return "coefficients, thrust, frictions and heights must be finite and not negative";
    }
  }
  if (!std::isfinite(p.liftAtZeroAngle) || !IsPositive(p.zeroLiftDrag) || !IsPositive(p.controlPressurePa)) {
    return "the lift at zero angle must be finite, drag and control pressure positive";
  }
  if (!(p.stallAngle > 0.05F && p.stallAngle <= 0.7F)) {
    return "the stall angle must be within 0.05 and 0.7 rad";
  }
  if (!(p.maxLoadFactor >= 1.0F && p.maxLoadFactor <= 20.0F)) {
    return "the greatest load factor must be within 1 and 20 g";
  }
  if (!(p.afterburnerFactor >= 1.0F && p.afterburnerFactor <= 3.0F)) {
    return "the afterburner factor must be within 1 and 3";
  }
  if (!(p.fatalSinkMps > p.safeSinkMps && std::isfinite(p.fatalSinkMps))) {
    return "the fatal sink rate must be greater than the safe one";
  }
  return nullptr;
}

/// The stiff terms against the longest step, at the greatest speed in the densest air.
const char* FindStabilityProblem(const FlightParams& p) noexcept {
  const float force = 0.5F * kSeaLevelDensity * p.maxSpeedMps * p.maxSpeedMps * p.wingAreaM2;
  const float pitch = force * p.chordM * p.pitchStiffness / p.pitchInertia;
  const float yaw = force * p.spanM * p.yawStiffness / p.yawInertia;
  constexpr float most = 1.0F / (kLongestStep * kLongestStep);
  if (pitch > most || yaw > most) {
    return "pitch or yaw stiffness is too great for the inertia at the greatest speed";
  }
  const float heave = force * p.liftSlope / (p.massKg * p.maxSpeedMps);
  if (heave > 1.0F / kLongestStep) {
    return "the lift slope is too great for the mass at the greatest speed";
  }
  return nullptr;
}

}  // namespace

FlightState Step(const FlightParams& params, const FlightState& state, const Control& control,
                 float stepSeconds) noexcept {
  const Control command = state.health > 0.0F ? Sanitised(control) : Control{};
  const AirLoads loads = ComputeAirLoads(params, state, command);
  FlightState next = state;
  IntegrateVelocity(params, loads, stepSeconds, next);
  next.position = Integrate(state.position, next.velocity, static_cast<double>(stepSeconds));
  IntegrateAngular(loads, stepSeconds, next);
  ResolveGround(params, command, stepSeconds, next);
  next.angular = Limited(next.angular, params.maxAngularRate);
  if (next.angular != Vec3f{}) {
    next.orientation = IntegrateBody(state.orientation, next.angular, stepSeconds);
  }
  next.afterburning = command.afterburner && command.throttle > 0.0F && params.afterburnerFactor > 1.0F;
  return next;
}

const char* FindProblem(const FlightParams& params) noexcept {
  for (const auto find : {&FindSizeProblem, &FindCoefficientProblem, &FindStabilityProblem}) {
    if (const char* problem = find(params)) {
      return problem;
    }
  }
  return nullptr;
}

}  // namespace muster::motion
