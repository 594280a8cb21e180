// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Motion/GroundModel.h"

#include "Aerodynamics.h"

#include <algorithm>
#include <cmath>

namespace muster::motion {
namespace {

/// Drive and brakes leave at least this share of the grip's square to the sides: no driver locks all his wheels.
constexpr float kMostLongitudinalShare = 0.9F;
/// Steering is taken back at speed to what asks for this much of the grip; the rest would only plough.
constexpr float kMostSteeringGrip = 1.25F;
/// Front and rear act on each other; with common inertia hardly at all, so a few rounds meet.
constexpr int kAxleRounds = 4;
constexpr float kRestSpeed = 0.02F;
constexpr float kRestTurn = 0.01F;
/// Slower than this a vehicle that brakes stands, and may set off backward.
constexpr float kStandingSpeed = 0.1F;

/// Movement on the plane in the vehicle's own directions.
struct PlanarMotion {
  float ahead;      ///< m/s
  float right;      ///< m/s
  float clockwise;  ///< rad/s, seen from above
};

/// An axle: where it is, which way its wheel's side points, and what it has taken up so far.
struct Axle {
  float offset;     ///< metres ahead of the centre of mass
  float sideAhead;  ///< the wheel's right-hand side in the vehicle's directions, unit length
  float sideRight;
  float mostImpulse;  ///< N s within the step
  float impulse;
};

float SlowedBy(float value, float amount) noexcept {
  return value > 0.0F ? std::max(0.0F, value - amount) : std::min(0.0F, value + amount);
}

/// What the driver wants: m/s^2 from the engine, signed, and from the brakes.
struct Pedals {
  float drive = 0.0F;
  float brake = 0.0F;
};

Pedals PressPedals(const GroundParams& params, const Control& control, float ahead, bool isAlive) noexcept {
  const float most = kMostLongitudinalShare * params.grip * kGravity;
  const float fullBrake = std::min(params.brakeFriction * kGravity, most);
  if (!isAlive) {
    return {0.0F, fullBrake};
  }
  const float force = std::min(params.driveForceN, params.powerW / std::max(std::fabs(ahead), 1.0F));
  const float drive = std::min(force / params.massKg, most);
  if (control.throttle > 0.0F) {
    // Rolling backward, the throttle first brakes.
    return ahead < -kStandingSpeed ? Pedals{0.0F, fullBrake * control.throttle}
                                   : Pedals{drive * control.throttle, 0.0F};
  }
  if (control.elevator > 0.0F) {
    return ahead > kStandingSpeed ? Pedals{0.0F, fullBrake * control.elevator}
                                  : Pedals{-drive * control.elevator, 0.0F};
  }
  return {};
}

/// The longitudinal part of the step; returns the share of the grip that it used.
float DriveAndBrake(const GroundParams& params, const Pedals& pedals, float stepSeconds,
                    PlanarMotion& motion) noexcept {
  const float before = motion.ahead;
  float ahead = before;
  if (pedals.drive > 0.0F && ahead < params.maxSpeedMps) {
    ahead = std::min(ahead + pedals.drive * stepSeconds, params.maxSpeedMps);
  } else if (pedals.drive < 0.0F && ahead > -params.maxReverseMps) {
    ahead = std::max(ahead + pedals.drive * stepSeconds, -params.maxReverseMps);
  }
  ahead = SlowedBy(ahead, pedals.brake * stepSeconds);
  const float tyres = std::fabs(ahead - before) / (params.grip * kGravity * stepSeconds);
  ahead = SlowedBy(ahead, params.rollingFriction * kGravity * stepSeconds);
  const float speed = std::sqrt(motion.ahead * motion.ahead + motion.right * motion.right);
  const float dragRate = 0.5F * kSeaLevelDensity * params.dragAreaM2 * speed / params.massKg;
  motion.ahead = ahead / (1.0F + dragRate * stepSeconds);
  return std::min(tyres, kMostLongitudinalShare);
}

float SteeringAngle(const GroundParams& params, const Control& control, float ahead) noexcept {
  const float steer = std::clamp(control.rudder + control.aileron, -1.0F, 1.0F);
  const float gripAngle =
      kMostSteeringGrip * params.grip * kGravity * params.wheelbaseM / std::max(ahead * ahead, 0.01F);
  return steer * std::min(params.maxSteeringRad, gripAngle);
}

/// Takes up the slip of one axle as far as its grip goes.
void HoldAxle(const GroundParams& params, Axle& axle, PlanarMotion& motion) noexcept {
  const float lever = axle.offset * axle.sideRight;
  const float slip = motion.ahead * axle.sideAhead + motion.right * axle.sideRight + motion.clockwise * lever;
  const float give = 1.0F / params.massKg + lever * lever / params.yawInertia;
  const float total = std::clamp(axle.impulse - slip / give, -axle.mostImpulse, axle.mostImpulse);
  const float impulse = total - axle.impulse;
  axle.impulse = total;
  motion.ahead += impulse * axle.sideAhead / params.massKg;
  motion.right += impulse * axle.sideRight / params.massKg;
  motion.clockwise += impulse * lever / params.yawInertia;
}

void HoldSides(const GroundParams& params, float steeringAngle, float gripLeft, float stepSeconds,
               PlanarMotion& motion) noexcept {
  const float toFront = params.frontShare * params.wheelbaseM;
  const float toRear = params.wheelbaseM - toFront;
  const float impulse = params.grip * gripLeft * params.massKg * kGravity * stepSeconds;
  const SineCosine steering = SinCos(steeringAngle);
  // An axle carries the more, the nearer it is to the centre of mass.
  Axle front{toFront, -steering.sine, steering.cosine, impulse * (1.0F - params.frontShare), 0.0F};
  Axle rear{-toRear, 0.0F, 1.0F, impulse * params.frontShare, 0.0F};
  for (int round = 0; round < kAxleRounds; ++round) {
    HoldAxle(params, rear, motion);
    HoldAxle(params, front, motion);
  }
}

bool IsAtRest(const Pedals& pedals, const PlanarMotion& motion) noexcept {
  return pedals.drive == 0.0F && std::fabs(motion.ahead) < kRestSpeed && std::fabs(motion.right) < kRestSpeed &&
         std::fabs(motion.clockwise) < kRestTurn;
}

/// The attitude without pitch and roll. A level one is given back as it is, so that standing still changes no bit.
Quatf Levelled(const Quatf& orientation) noexcept {
  if (orientation.x == 0.0F && orientation.z == 0.0F) {
    return orientation;
  }
  return Normalised(Quatf{0.0F, orientation.y, 0.0F, orientation.w});
}

}  // namespace

GroundState Step(const GroundParams& params, const GroundState& state, const Control& control,
                 float stepSeconds) noexcept {
  const bool isAlive = state.health > 0.0F;
  const Control command = isAlive ? Sanitised(control) : Control{};
  GroundState next = state;
  next.orientation = Levelled(state.orientation);
  next.onGround = true;
  next.afterburning = false;
  const Vec3f facing = Rotate(next.orientation, Vec3f{0.0F, 0.0F, -1.0F});
  const Vec3f forward = Normalised(Vec3f{facing.x, 0.0F, facing.z}, Vec3f{0.0F, 0.0F, -1.0F});
  const Vec3f right{-forward.z, 0.0F, forward.x};

  PlanarMotion motion{Dot(state.velocity, forward), Dot(state.velocity, right), -state.angular.y};
  const Pedals pedals = PressPedals(params, command, motion.ahead, isAlive);
  const float used = DriveAndBrake(params, pedals, stepSeconds, motion);
  HoldSides(params, SteeringAngle(params, command, motion.ahead), std::sqrt(1.0F - used * used), stepSeconds, motion);
  if (IsAtRest(pedals, motion)) {
    motion = {};
  }
  const float squared = motion.ahead * motion.ahead + motion.right * motion.right;
  if (squared > params.maxSpeedMps * params.maxSpeedMps) {
    const float scale = params.maxSpeedMps / std::sqrt(squared);
    motion.ahead *= scale;
    motion.right *= scale;
  }
  motion.clockwise = std::clamp(motion.clockwise, -kMaxTurnRate, kMaxTurnRate);

  next.velocity = forward * motion.ahead + right * motion.right;
  next.angular = {0.0F, -motion.clockwise, 0.0F};
  next.position = Integrate(state.position, next.velocity, static_cast<double>(stepSeconds));
  next.position.y = 0.0;
  if (next.angular.y != 0.0F) {
    next.orientation = Levelled(IntegrateBody(next.orientation, next.angular, stepSeconds));
  }
  return next;
}

const char* FindProblem(const GroundParams& p) noexcept {
  const auto isWithin = [](float value, float low, float high) { return value >= low && value <= high; };
  if (!isWithin(p.massKg, 1.0F, 1e6F) || !isWithin(p.yawInertia, 1.0F, 1e8F)) {
    return "mass and inertia must be within 1 and 1e6 kg, 1 and 1e8 kg m^2";
  }
  if (!isWithin(p.wheelbaseM, 0.2F, 30.0F) || !isWithin(p.frontShare, 0.2F, 0.8F)) {
    return "the wheelbase must be within 0.2 and 30 m, the front share within 0.2 and 0.8";
  }
  // Far from this the two axles fight each other, and the rounds that settle them do not.
  const float natural = p.massKg * p.wheelbaseM * p.wheelbaseM * p.frontShare * (1.0F - p.frontShare);
  if (!isWithin(p.yawInertia, 0.4F * natural, 3.0F * natural)) {
    return "the yaw inertia must be within 0.4 and 3 times mass times both axle distances";
  }
  if (!isWithin(p.maxSteeringRad, 0.0F, 1.2F)) {
    return "the greatest steering angle must be within 0 and 1.2 rad";
  }
  if (!isWithin(p.grip, 0.05F, 3.0F)) {
    return "the grip must be within 0.05 and 3";
  }
  if (!isWithin(p.driveForceN, 0.0F, 1e8F) || !isWithin(p.powerW, 0.0F, 1e9F) ||
      !isWithin(p.brakeFriction, 0.0F, 3.0F) || !isWithin(p.rollingFriction, 0.0F, 1.0F) ||
      !isWithin(p.dragAreaM2, 0.0F, 1'000.0F)) {
    return "force, power, frictions and drag must be finite and not negative";
  }
  if (!isWithin(p.maxSpeedMps, 0.1F, 150.0F) || !isWithin(p.maxReverseMps, 0.0F, p.maxSpeedMps)) {
    return "the greatest speed must be within 0.1 and 150 m/s, the one backward no greater";
  }
  return nullptr;
}

}  // namespace muster::motion
