// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GroundContact.h"

#include <algorithm>
#include <cmath>

namespace muster::motion {
namespace {

constexpr float kSettleRate = 5.0F;  ///< 1/s, of a wing or a nose that is below the horizon
constexpr float kNoseWeight = 1.0F;  ///< rad/s^2, brings a raised nose down; the elevator beats it at take-off speed
constexpr float kTailStrikeSine = 0.22F;  ///< of the pitch at which the tail touches
constexpr float kFullSteeringSpeed = 10.0F;
constexpr float kSteeringResponse = 8.0F;  ///< 1/s
constexpr float kRestRate = 1e-3F;         ///< rad/s and m/s under which a craft stands still for good

float TowardsZero(float value, float amount) noexcept {
  return value > 0.0F ? std::max(0.0F, value - amount) : std::min(0.0F, value + amount);
}

void ApplyFriction(const FlightParams& params, const Control& control, float loadSpeed, const Vec3f& forward,
                   FlightState& state) noexcept {
  const Vec3f heading = Normalised(Vec3f{forward.x, 0.0F, forward.z}, Vec3f{0.0F, 0.0F, -1.0F});
  const Vec3f side{-heading.z, 0.0F, heading.x};
  const bool isBraking = control.throttle <= 0.0F || state.health <= 0.0F;
  const float rolling = isBraking ? params.brakeFriction : params.rollingFriction;
  const float along = TowardsZero(Dot(state.velocity, heading), rolling * loadSpeed);
  const float across = TowardsZero(Dot(state.velocity, side), params.sideFriction * loadSpeed);
  state.velocity.x = heading.x * along + side.x * across;
  state.velocity.z = heading.z * along + side.z * across;
}

void SettleAttitude(const FlightParams& params, const Control& control, float stepSeconds, const Vec3f& forward,
                    FlightState& state) noexcept {
  const Vec3f right = Rotate(state.orientation, Vec3f{1.0F, 0.0F, 0.0F});
  const Vec3f up = Rotate(state.orientation, Vec3f{0.0F, 1.0F, 0.0F});
  if (up.y >= 0.0F) {
    state.angular.z = -kSettleRate * right.y;
  } else {
    state.angular.z = right.y >= 0.0F ? -kSettleRate : kSettleRate;
  }
  if (forward.y <= 0.0F) {
    state.angular.x = std::max(state.angular.x, -kSettleRate * forward.y);
  } else {
    state.angular.x -= kNoseWeight * std::min(1.0F, forward.y * 20.0F) * stepSeconds;
    if (forward.y >= kTailStrikeSine) {
      state.angular.x = std::min(state.angular.x, 0.0F);
    }
  }
  const float speed = std::sqrt(state.velocity.x * state.velocity.x + state.velocity.z * state.velocity.z);
  const float grip = std::min(1.0F, speed / kFullSteeringSpeed);
  const float wanted = -params.steeringRate * control.rudder * grip;
  state.angular.y += (wanted - state.angular.y) * std::min(1.0F, kSteeringResponse * stepSeconds);
}

/// A craft that hardly moves stands: otherwise rounding would let it creep for ever.
void ComeToRest(const Control& control, FlightState& state) noexcept {
  if (control.throttle <= 0.0F && LengthSquared(state.velocity) < kRestRate * kRestRate &&
      LengthSquared(state.angular) < kRestRate * kRestRate) {
    state.velocity = {};
    state.angular = {};
  }
}

}  // namespace

void ResolveGround(const FlightParams& params, const Control& control, float stepSeconds, FlightState& state) noexcept {
  const double gear = static_cast<double>(params.gearHeightM);
  state.onGround = state.position.y <= gear;
  if (!state.onGround) {
    return;
  }
  state.position.y = gear;
  const float sink = -state.velocity.y;
  if (sink < 0.0F) {
    return;
  }
  if (sink > params.safeSinkMps) {
    const float damage = (sink - params.safeSinkMps) / (params.fatalSinkMps - params.safeSinkMps);
    state.health = std::clamp(state.health - damage, 0.0F, 1.0F);
  }
  state.velocity.y = 0.0F;
  const Vec3f forward = Rotate(state.orientation, Vec3f{0.0F, 0.0F, -1.0F});
  // What the ground took from the sink rate is the load on the wheels; a touchdown counts as two g at most.
  ApplyFriction(params, control, std::min(sink, 2.0F * kGravity * stepSeconds), forward, state);
  SettleAttitude(params, control, stepSeconds, forward, state);
  ComeToRest(control, state);
}

}  // namespace muster::motion
