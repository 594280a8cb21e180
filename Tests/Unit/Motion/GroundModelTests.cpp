// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Hash.h"
#include "Core/Random.h"
#include "Core/Tick.h"
#include "Motion/GroundModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace muster::motion {
namespace {

GroundState Drive(const GroundParams& params, GroundState state, const Control& control, int ticks) {
  for (int i = 0; i < ticks; ++i) {
    state = Step(params, state, control, kTickSeconds);
  }
  return state;
}

GroundState RollingAt(float speed) {
  GroundState state;
  state.velocity = {0.0F, 0.0F, -speed};
  return state;
}

float Speed(const GroundState& state) {
  return Length(state.velocity);
}

Vec3f Forward(const GroundState& state) {
  return Rotate(state.orientation, Vec3f{0.0F, 0.0F, -1.0F});
}

TEST(GroundModel, SetsOffAlongItsNoseAndReachesItsGreatestSpeedWithoutPassingIt) {
  const GroundState soon = Drive({}, {}, {.throttle = 1.0F}, 60);
  EXPECT_LT(soon.position.z, -1.0);
  EXPECT_EQ(soon.position.x, 0.0);
  const GroundState late = Drive({}, {}, {.throttle = 1.0F}, 60 * 120);
  EXPECT_GT(Speed(late), 0.8F * GroundParams{}.maxSpeedMps);
  EXPECT_LE(Speed(late), GroundParams{}.maxSpeedMps);
}

TEST(GroundModel, AccelerationIsBoundedByGripWhateverTheEngine) {
  GroundParams params;
  params.driveForceN = 1e7F;
  params.powerW = 1e9F;
  const GroundState state = Drive(params, {}, {.throttle = 1.0F}, 30);
  EXPECT_LE(Speed(state), params.grip * kGravity * 0.5F);
  EXPECT_GT(Speed(state), 0.8F * params.grip * kGravity * 0.5F);
}

TEST(GroundModel, CoastsToRestAndStaysThereToTheBit) {
  GroundState state = Drive({}, RollingAt(10.0F), {}, 60 * 180);
  EXPECT_EQ(state.velocity, Vec3f{});
  const GroundState later = Drive({}, state, {.rudder = 1.0F}, 600);
  EXPECT_EQ(later.position, state.position);
  EXPECT_EQ(later.orientation, state.orientation);
}

TEST(GroundModel, PullingBackBrakesThenReversesWithinItsLimit) {
  const GroundState coasting = Drive({}, RollingAt(15.0F), {}, 60);
  const GroundState braking = Drive({}, RollingAt(15.0F), {.elevator = 1.0F}, 60);
  EXPECT_LT(Speed(braking), Speed(coasting) - 3.0F);
  const GroundState backward = Drive({}, RollingAt(15.0F), {.elevator = 1.0F}, 60 * 20);
  EXPECT_GT(backward.velocity.z, 1.0F) << "away from where its nose points";
  EXPECT_LE(Speed(backward), GroundParams{}.maxReverseMps);
  EXPECT_GT(backward.position.z, braking.position.z);
}

TEST(GroundModel, PedalsAndStickSteerAlikeAndToTheRight) {
  const GroundState pedals = Drive({}, RollingAt(8.0F), {.throttle = 0.3F, .rudder = 0.5F}, 60);
  const GroundState stick = Drive({}, RollingAt(8.0F), {.throttle = 0.3F, .aileron = 0.5F}, 60);
  EXPECT_GT(pedals.position.x, 0.5) << "driving towards -Z, right is +X";
  EXPECT_GT(Forward(pedals).x, 0.1F);
  EXPECT_EQ(pedals.position, stick.position);
}

TEST(GroundModel, RollsSlowlyOnTheCircleOfItsWheels) {
  const GroundParams params;
  GroundState state = Drive(params, RollingAt(2.0F), {.throttle = 0.05F, .rudder = 1.0F}, 30);
  const float turnBefore = -state.angular.y;
  const SineCosine steering = SinCos(params.maxSteeringRad);
  // Rolling without slip, the rear axle's circle has the radius wheelbase over the steering angle's tangent.
  const float radius = params.wheelbaseM * steering.cosine / steering.sine;
  const float rearSpeed = Dot(state.velocity, Forward(state));
  EXPECT_NEAR(turnBefore, rearSpeed / radius, 0.02F * rearSpeed / radius);
}

TEST(GroundModel, FastItSlidesWiderThanItsWheelsPointAndNoFasterRoundThanItsGrip) {
  const GroundParams params;
  GroundState state = RollingAt(20.0F);
  float most = 0.0F;
  for (int tick = 0; tick < 120; ++tick) {
    const Vec3f before = state.velocity;
    state = Step(params, state, {.throttle = 0.5F, .rudder = 1.0F}, kTickSeconds);
    most = std::max(most, Length(state.velocity - before) / kTickSeconds);
  }
  EXPECT_GT(most, 0.6F * params.grip * kGravity);
  // Grip, and what rolling and air take besides.
  EXPECT_LT(most, 1.05F * params.grip * kGravity + params.rollingFriction * kGravity + 1.0F);
  EXPECT_GT(Forward(state).x, 0.3F) << "it does turn";
}

TEST(GroundModel, AHitSpinsAndShovesItUntilItsTyresHoldItAgain) {
  GroundState state = RollingAt(5.0F);
  state.velocity.x = 12.0F;
  state.velocity.y = 30.0F;
  state.angular = {2.0F, 3.0F, -1.0F};
  state.orientation = FromAxisAngle({1.0F, 0.0F, 0.0F}, 0.4F);
  state = Step({}, state, {}, kTickSeconds);
  EXPECT_EQ(state.position.y, 0.0);
  EXPECT_EQ(state.velocity.y, 0.0F);
  EXPECT_EQ(state.angular.x, 0.0F);
  EXPECT_EQ(state.orientation.x, 0.0F);
  EXPECT_GT(state.velocity.x, 8.0F) << "grip is finite";
  state = Drive({}, state, {}, 60 * 5);
  const Vec3f forward = Forward(state);
  EXPECT_NEAR(Dot(state.velocity, Vec3f{-forward.z, 0.0F, forward.x}), 0.0F, 0.05F);
}

TEST(GroundModel, AWreckOnlyBrakes) {
  GroundState wreck = RollingAt(10.0F);
  wreck.health = 0.0F;
  const GroundState after = Drive({}, wreck, {.throttle = 1.0F, .rudder = 1.0F}, 60 * 5);
  EXPECT_EQ(after.velocity, Vec3f{});
  EXPECT_EQ(after.position.x, 0.0);
}

TEST(GroundModel, StaysFiniteLevelAndOnTheGroundForAnyControl) {
  Random random{5};
  for (const float step : {1.0F / 240.0F, kTickSeconds, 1.0F / 30.0F}) {
    for (int run = 0; run < 40; ++run) {
      GroundParams params;
      params.grip = random.NextBetween(0.05F, 3.0F);
      params.frontShare = random.NextBetween(0.2F, 0.8F);
      params.yawInertia = params.massKg * params.wheelbaseM * params.wheelbaseM * params.frontShare *
                          (1.0F - params.frontShare) * random.NextBetween(0.41F, 2.9F);
      ASSERT_EQ(FindProblem(params), nullptr);
      GroundState state = RollingAt(random.NextBetween(0.0F, 300.0F));
      state.angular.y = random.NextBetween(-50.0F, 50.0F);
      for (int tick = 0; tick < 300; ++tick) {
        Control control{random.NextBetween(-2.0F, 2.0F), random.NextBetween(-2.0F, 2.0F),
                        random.NextBetween(-2.0F, 2.0F), random.NextBetween(-2.0F, 2.0F), false};
        if (random.NextChance(0.1)) {
          control.rudder = std::numeric_limits<float>::quiet_NaN();
          control.throttle = std::numeric_limits<float>::infinity();
        }
        state = Step(params, state, control, step);
        ASSERT_TRUE(std::isfinite(state.position.x) && std::isfinite(state.position.z));
        ASSERT_EQ(state.position.y, 0.0);
        ASSERT_EQ(state.velocity.y, 0.0F);
        ASSERT_LE(Speed(state), params.maxSpeedMps * 1.0001F);
        ASSERT_LE(std::fabs(state.angular.y), kMaxTurnRate);
        ASSERT_NEAR(Dot(state.orientation, state.orientation), 1.0F, 1e-4F);
        ASSERT_EQ(state.orientation.x, 0.0F);
      }
    }
  }
}

TEST(GroundModel, EqualDrivesGiveEqualBits) {
  const auto digest = [] {
    Random random{11};
    GroundState state;
    Digest64 all;
    for (int tick = 0; tick < 2'000; ++tick) {
      state = Step({}, state, {.throttle = random.NextUnitFloat(), .rudder = random.NextBetween(-1.0F, 1.0F)},
                   kTickSeconds);
      all.Update(state.position.x);
      all.Update(state.orientation.y);
    }
    return all.Value();
  };
  EXPECT_EQ(digest(), digest());
}

TEST(GroundModel, NamesWhatIsUnsound) {
  EXPECT_EQ(FindProblem(GroundParams{}), nullptr);
  const auto problemOf = [](auto change) {
    GroundParams params;
    change(params);
    const char* const problem = FindProblem(params);
    return std::string{problem == nullptr ? "" : problem};
  };
  EXPECT_NE(problemOf([](GroundParams& p) { p.massKg = 0.0F; }).find("mass"), std::string::npos);
  EXPECT_NE(problemOf([](GroundParams& p) { p.wheelbaseM = -1.0F; }).find("wheelbase"), std::string::npos);
  EXPECT_NE(problemOf([](GroundParams& p) { p.yawInertia = 1'000.0F; }).find("yaw inertia"), std::string::npos);
  EXPECT_NE(problemOf([](GroundParams& p) { p.grip = std::numeric_limits<float>::quiet_NaN(); }).find("grip"),
            std::string::npos);
  EXPECT_NE(problemOf([](GroundParams& p) { p.maxReverseMps = 90.0F; }).find("backward"), std::string::npos);
}

}  // namespace
}  // namespace muster::motion
