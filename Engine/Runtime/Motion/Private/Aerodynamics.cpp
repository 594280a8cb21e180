// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Aerodynamics.h"

#include <algorithm>
#include <cmath>

namespace muster::motion {
namespace {

constexpr float kPlateLift = 1.2F;
constexpr float kPlateDrag = 1.3F;
/// Below this airspeed directions of the flow are meaningless; forces vanish with its square anyway.
constexpr float kLeastAirspeed = 0.1F;
/// Keeps a craft from tumbling for ever where there is no air.
constexpr float kRestDamping = 0.05F;

/// The flow as the craft feels it.
struct Flow {
  float speed;      ///< m/s, at least kLeastAirspeed
  float pressure;   ///< dynamic pressure, Pa
  float sinAttack;  ///< of the angle of attack, positive: air from below
  float cosAttack;
  float sinSlip;  ///< of the side slip, positive: air from the right
  Vec3f liftDirection;
};

Flow FeelFlow(const Vec3f& bodyVelocity, float density) noexcept {
  const float forward = -bodyVelocity.z;
  const float up = bodyVelocity.y;
  const float right = bodyVelocity.x;
  const float plane = std::max(std::sqrt(forward * forward + up * up), kLeastAirspeed);
  const float speed = std::max(std::sqrt(right * right + (forward * forward + up * up)), kLeastAirspeed);
  Flow flow{};
  flow.speed = speed;
  flow.pressure = 0.5F * density * speed * speed;
  flow.sinAttack = -up / plane;
  flow.cosAttack = forward / plane;
  flow.sinSlip = right / speed;
  flow.liftDirection = {0.0F, flow.cosAttack, -flow.sinAttack};
  return flow;
}

/// 0: the wing flies, 1: it is a plate. Air from behind finds no wing.
float StallShare(const FlightParams& params, const Flow& flow) noexcept {
  if (flow.cosAttack <= 0.0F) {
    return 1.0F;
  }
  const float begin = params.stallAngle;
  const float share = std::clamp((std::fabs(flow.sinAttack) - begin) / (0.4F * begin), 0.0F, 1.0F);
  return share * share * (3.0F - 2.0F * share);
}

float Thrust(const FlightParams& params, const FlightState& state, const Control& control, float density) noexcept {
  if (state.health <= 0.0F) {
    return 0.0F;
  }
  const float factor = control.afterburner ? params.afterburnerFactor : 1.0F;
  return params.thrustN * factor * control.throttle * (density / kSeaLevelDensity);
}

void AddForces(const FlightParams& params, const Flow& flow, float thrust, AirLoads& loads) noexcept {
  const float stalled = StallShare(params, flow);
  const float wingLift = params.liftAtZeroAngle + params.liftSlope * flow.sinAttack;
  const float plateLift = kPlateLift * flow.sinAttack * flow.cosAttack;
  const float lift = (1.0F - stalled) * wingLift + stalled * plateLift;
  const float drag = params.zeroLiftDrag + params.inducedDrag * lift * lift * (1.0F - stalled) +
                     stalled * kPlateDrag * flow.sinAttack * flow.sinAttack +
                     params.sideDrag * flow.sinSlip * flow.sinSlip;
  const float perMass = flow.pressure * params.wingAreaM2 / params.massKg;
  const float limit = params.maxLoadFactor * kGravity;
  const float liftAcceleration = std::clamp(perMass * lift, -limit, limit);
  const float sideAcceleration = std::clamp(-perMass * params.sideForceSlope * flow.sinSlip, -limit, limit);
  loads.acceleration = flow.liftDirection * liftAcceleration;
  loads.acceleration.x += sideAcceleration;
  loads.acceleration.z -= thrust / params.massKg;
  loads.dragRate = perMass * drag / flow.speed;
}

void AddMoments(const FlightParams& params, const FlightState& state, const Control& control, const Flow& flow,
                float density, AirLoads& loads) noexcept {
  const float force = flow.pressure * params.wingAreaM2;
  const float reach = std::min(1.0F, params.controlPressurePa / std::max(flow.pressure, 1.0F));
  const float pitch = force * params.chordM / params.pitchInertia;
  const float yaw = force * params.spanM / params.yawInertia;
  const float roll = force * params.spanM / params.rollInertia;
  const float elevator = params.elevatorAuthority * reach * control.elevator;
  const float aileron = params.aileronAuthority * reach * control.aileron;
  const float rudder = params.rudderAuthority * reach * control.rudder;
  // Nose right is a negative turn about +Y, right wing down a negative one about +Z.
  loads.angularAcceleration.x = pitch * (elevator - params.pitchStiffness * flow.sinAttack);
  loads.angularAcceleration.y = -yaw * (rudder + params.yawStiffness * flow.sinSlip);
  loads.angularAcceleration.z = -roll * (aileron - params.dihedral * flow.sinSlip);

  const Vec3f& w = state.angular;
  loads.angularAcceleration.x -= (params.rollInertia - params.yawInertia) * w.y * w.z / params.pitchInertia;
  loads.angularAcceleration.y -= (params.pitchInertia - params.rollInertia) * w.z * w.x / params.yawInertia;
  loads.angularAcceleration.z -= (params.yawInertia - params.pitchInertia) * w.x * w.y / params.rollInertia;

  const float rate = 0.25F * density * flow.speed * params.wingAreaM2;
  loads.angularDamping = {
      kRestDamping + rate * params.chordM * params.chordM * params.pitchDamping / params.pitchInertia,
      kRestDamping + rate * params.spanM * params.spanM * params.yawDamping / params.yawInertia,
      kRestDamping + rate * params.spanM * params.spanM * params.rollDamping / params.rollInertia};
}

}  // namespace

float AirDensity(double altitudeMeters) noexcept {
  const float x = static_cast<float>(std::clamp(altitudeMeters, 0.0, 100'000.0)) / 8'500.0F;
  return kSeaLevelDensity / (1.0F + x * (1.0F + x * (0.5F + x * (1.0F / 6.0F))));
}

AirLoads ComputeAirLoads(const FlightParams& params, const FlightState& state, const Control& control) noexcept {
  const float density = AirDensity(state.position.y);
  const Flow flow = FeelFlow(Rotate(Conjugate(state.orientation), state.velocity), density);
  AirLoads loads;
  AddForces(params, flow, Thrust(params, state, control, density), loads);
  AddMoments(params, state, control, flow, density, loads);
  return loads;
}

}  // namespace muster::motion
