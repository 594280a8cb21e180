// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Core/Tick.h"
#include "Motion/FlightModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace muster::motion {
namespace {

FlightState LevelAt(double altitude, float speed) {
  FlightState state;
  state.position = {0.0, altitude, 0.0};
  state.velocity = {0.0F, 0.0F, -speed};
  return state;
}

FlightState Fly(const FlightParams& params, FlightState state, const Control& control, int ticks) {
  for (int i = 0; i < ticks; ++i) {
    state = Step(params, state, control, kTickSeconds);
  }
  return state;
}

bool IsFinite(const FlightState& s) {
  return std::isfinite(s.position.x) && std::isfinite(s.position.y) && std::isfinite(s.position.z) &&
         std::isfinite(LengthSquared(s.velocity)) && std::isfinite(LengthSquared(s.angular)) &&
         std::isfinite(Dot(s.orientation, s.orientation)) && std::isfinite(s.health);
}

Vec3f Forward(const FlightState& state) {
  return Rotate(state.orientation, Vec3f{0.0F, 0.0F, -1.0F});
}

TEST(FlightModel, FallsWithGravityWhereThereIsNoSpeed) {
  FlightState state = LevelAt(5'000.0, 0.0F);
  state = Step({}, state, {}, kTickSeconds);
  EXPECT_NEAR(state.velocity.y, -9.80665F * kTickSeconds, 1e-5F);
  EXPECT_NEAR(state.velocity.x, 0.0F, 1e-6F);
}

TEST(FlightModel, SettlesIntoSteadyFlightWithoutInput) {
  const FlightState state = Fly({}, LevelAt(1'500.0, 150.0F), Control{.throttle = 0.45F}, 60 * 60);
  EXPECT_GT(state.position.y, 300.0);
  EXPECT_LT(std::fabs(state.velocity.y), 40.0F);
  EXPECT_GT(Length(state.velocity), 80.0F);
  EXPECT_EQ(state.health, 1.0F);
}

TEST(FlightModel, MoreThrottleIsMoreSpeedAndAfterburnerMoreStill) {
  FlightParams params;
  params.afterburnerFactor = 1.6F;
  const auto speedAfter = [&](const Control& control) {
    return Length(Fly(params, LevelAt(2'000.0, 150.0F), control, 60 * 5).velocity);
  };
  const float idle = speedAfter({});
  const float full = speedAfter({.throttle = 1.0F});
  const float burning = speedAfter({.throttle = 1.0F, .afterburner = true});
  EXPECT_GT(full, idle + 10.0F);
  EXPECT_GT(burning, full + 5.0F);
}

TEST(FlightModel, ControlsTurnTheWaysTheirNamesSay) {
  const auto after = [](const Control& control) { return Fly({}, LevelAt(2'000.0, 150.0F), control, 20); };
  const Control cruise{.throttle = 0.4F};
  const FlightState neutral = after(cruise);
  const FlightState noseUp = after({.throttle = 0.4F, .elevator = 0.5F});
  const FlightState rollRight = after({.throttle = 0.4F, .aileron = 0.5F});
  const FlightState noseRight = after({.throttle = 0.4F, .rudder = 1.0F});
  EXPECT_GT(Forward(noseUp).y, Forward(neutral).y + 0.05F);
  EXPECT_LT(Rotate(rollRight.orientation, Vec3f{1.0F, 0.0F, 0.0F}).y, -0.1F) << "right wing goes down";
  EXPECT_GT(Forward(noseRight).x, 0.02F) << "flying towards -Z, right is +X";
}

TEST(FlightModel, TurnsTowardsTheLowerWing) {
  FlightState state = LevelAt(3'000.0, 150.0F);
  state.orientation = FromAxisAngle({0.0F, 0.0F, 1.0F}, -0.7F);
  state = Fly({}, state, {.throttle = 0.5F, .elevator = 0.2F}, 120);
  EXPECT_GT(state.velocity.x, 20.0F);
}

TEST(FlightModel, StallsWhenTheNoseIsTooHighForTheSpeed) {
  FlightState flying = LevelAt(100.0, 60.0F);
  FlightState stalled = flying;
  flying.orientation = FromAxisAngle({1.0F, 0.0F, 0.0F}, 0.25F);
  stalled.orientation = FromAxisAngle({1.0F, 0.0F, 0.0F}, 0.6F);
  const float flyingClimb = Step({}, flying, {}, kTickSeconds).velocity.y;
  const float stalledClimb = Step({}, stalled, {}, kTickSeconds).velocity.y;
  EXPECT_GT(flyingClimb, 0.0F) << "1.4 of lift coefficient carries more than the weight at 60 m/s";
  EXPECT_LT(stalledClimb, flyingClimb);
}

TEST(FlightModel, HasACeiling) {
  FlightState state = LevelAt(18'000.0, 150.0F);
  const FlightState later = Fly({}, state, {.throttle = 1.0F}, 60 * 60);
  EXPECT_LT(later.position.y, 18'000.0);
}

TEST(FlightModel, AnIdleCraftStaysWhereItStandsToTheBit) {
  FlightState state;
  state.position = {12.5, 2.0, -7.25};
  state.orientation = FromAxisAngle({0.0F, 1.0F, 0.0F}, 1.1F);
  const FlightState landed = Fly({}, state, {}, 60 * 5);
  EXPECT_TRUE(landed.onGround);
  EXPECT_EQ(landed.health, 1.0F) << "two metres is a soft landing";
  EXPECT_EQ(landed.velocity, Vec3f{});
  const FlightState later = Fly({}, landed, {}, 60 * 60);
  EXPECT_EQ(later.position, landed.position);
  EXPECT_EQ(later.orientation, landed.orientation);
  EXPECT_NEAR(later.position.x, 12.5, 1e-6);
}

TEST(FlightModel, RollsTakesOffAndClimbs) {
  FlightState state;
  state.position = {0.0, 1.2, 0.0};
  state = Fly({}, state, {.throttle = 1.0F}, 60 * 25);
  EXPECT_TRUE(state.onGround || state.position.y > 1.2);
  EXPECT_GT(Length(state.velocity), 60.0F);
  state = Fly({}, state, {.throttle = 1.0F, .elevator = 0.35F}, 60 * 6);
  EXPECT_FALSE(state.onGround);
  EXPECT_GT(state.position.y, 10.0);
  EXPECT_EQ(state.health, 1.0F);
}

TEST(FlightModel, BrakesToAStandstillOnTheGround) {
  FlightState state;
  state.position = {0.0, 1.2, 0.0};
  state.velocity = {0.0F, 0.0F, -40.0F};
  state = Fly({}, state, {}, 60 * 20);
  EXPECT_EQ(state.velocity, Vec3f{});
  EXPECT_LT(state.position.z, -50.0);
  EXPECT_GT(state.position.z, -600.0);
}

TEST(FlightModel, ALandingCostsHealthBySinkRateOnly) {
  const FlightParams params;
  const auto healthAfter = [&](float sink) {
    FlightState state = LevelAt(static_cast<double>(params.gearHeightM) + 0.01, 70.0F);
    state.velocity.y = -sink;
    return Step(params, state, {}, kTickSeconds).health;
  };
  EXPECT_EQ(healthAfter(2.0F), 1.0F);
  const float hard = healthAfter(8.0F);
  const float harder = healthAfter(12.0F);
  EXPECT_LT(hard, 0.9F);
  EXPECT_GT(hard, 0.3F);
  EXPECT_LT(harder, hard);
  EXPECT_EQ(healthAfter(30.0F), 0.0F);
}

TEST(FlightModel, ACraftWithoutHealthHasNoEngine) {
  FlightState state;
  state.position = {0.0, 1.2, 0.0};
  state.health = 0.0F;
  state = Fly({}, state, {.throttle = 1.0F, .afterburner = true}, 120);
  EXPECT_EQ(state.velocity, Vec3f{});
  EXPECT_FALSE(state.afterburning);
}

TEST(FlightModel, RightsACraftThatLiesOnItsBack) {
  FlightState state;
  state.position = {0.0, 1.2, 0.0};
  state.orientation = FromAxisAngle({0.0F, 0.0F, 1.0F}, kPi);
  state = Fly({}, state, {}, 60 * 10);
  EXPECT_GT(Rotate(state.orientation, Vec3f{0.0F, 1.0F, 0.0F}).y, 0.99F);
}

TEST(FlightModel, TreatsNonsenseControlsAsZeroAndClampsTheRest) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const Control clean = Sanitised({.throttle = nan, .elevator = infinite, .aileron = -7.0F, .rudder = 2.0F});
  EXPECT_EQ(clean.throttle, 0.0F);
  EXPECT_EQ(clean.elevator, 0.0F);
  EXPECT_EQ(clean.aileron, -1.0F);
  EXPECT_EQ(clean.rudder, 1.0F);
  const FlightState start = LevelAt(1'000.0, 150.0F);
  const FlightState withNan = Step({}, start, {.throttle = nan, .elevator = nan}, kTickSeconds);
  const FlightState withZero = Step({}, start, {}, kTickSeconds);
  EXPECT_EQ(withNan.velocity, withZero.velocity);
  EXPECT_EQ(withNan.angular, withZero.angular);
}

/// Airframes at both ends of what FindProblem lets pass.
std::vector<FlightParams> Airframes() {
  FlightParams light;
  light.massKg = 600.0F;
  light.wingAreaM2 = 12.0F;
  light.pitchInertia = 1'500.0F;
  light.yawInertia = 2'000.0F;
  light.rollInertia = 900.0F;
  light.maxSpeedMps = 180.0F;
  light.thrustN = 9'000.0F;
  FlightParams fast;
  fast.massKg = 12'000.0F;
  fast.wingAreaM2 = 28.0F;
  fast.chordM = 3.4F;
  fast.pitchInertia = 75'000.0F;
  fast.yawInertia = 85'000.0F;
  fast.rollInertia = 13'000.0F;
  fast.thrustN = 76'000.0F;
  fast.afterburnerFactor = 1.65F;
  fast.pitchStiffness = 0.3F;
  fast.maxSpeedMps = 600.0F;
  fast.maxAngularRate = 6.0F;
  FlightParams rough;
  rough.zeroLiftDrag = 2.0F;
  rough.sideForceSlope = 5.0F;
  rough.dihedral = 0.5F;
  rough.maxLoadFactor = 20.0F;
  return {FlightParams{}, light, fast, rough};
}

TEST(FlightModel, StaysFiniteAndBoundedUnderAnyControl) {
  for (const FlightParams& params : Airframes()) {
    ASSERT_EQ(FindProblem(params), nullptr);
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      Random random{seed};
      FlightState state = LevelAt(random.NextBetween(2.0, 9'000.0), random.NextBetween(0.0F, params.maxSpeedMps));
      state.orientation = Normalised(Quatf{random.NextBetween(-1.0F, 1.0F), random.NextBetween(-1.0F, 1.0F),
                                           random.NextBetween(-1.0F, 1.0F), random.NextBetween(-1.0F, 1.0F)});
      Control control;
      for (int tick = 0; tick < 60 * 40; ++tick) {
        if (random.NextChance(0.1)) {
          const auto extreme = [&] { return random.NextChance(0.5) ? 1.0F : -1.0F; };
          control = {random.NextUnitFloat() * 1.2F, extreme(), extreme(), extreme(), random.NextChance(0.5)};
          if (random.NextChance(0.02)) {
            control.aileron = std::numeric_limits<float>::quiet_NaN();
          }
        }
        state.health = 1.0F;  // crashes must not end the run
        state = Step(params, state, control, tick % 2 == 0 ? kTickSeconds : 1.0F / 30.0F);
        ASSERT_TRUE(IsFinite(state)) << "seed " << seed << " tick " << tick;
        ASSERT_LE(Length(state.velocity), params.maxSpeedMps * 1.0001F);
        ASSERT_LE(Length(state.angular), params.maxAngularRate * 1.0001F);
        ASSERT_NEAR(Dot(state.orientation, state.orientation), 1.0F, 1e-4F);
        ASSERT_GE(state.position.y, static_cast<double>(params.gearHeightM));
        ASSERT_LT(state.position.y, 80'000.0);
        ASSERT_GE(state.health, 0.0F);
      }
    }
  }
}

TEST(FlightModel, GivesTheSameBitsForTheSameInput) {
  FlightState a = LevelAt(900.0, 140.0F);
  FlightState b = a;
  for (int tick = 0; tick < 2'000; ++tick) {
    const float phase = static_cast<float>(tick) * 0.013F;
    const Control control{0.7F, 0.1F * Sin(phase), 0.3F * Cos(phase), 0.05F, tick % 300 < 20};
    a = Step({}, a, control, kTickSeconds);
    b = Step({}, b, control, kTickSeconds);
  }
  EXPECT_EQ(std::memcmp(&a.position, &b.position, sizeof(a.position)), 0);
  EXPECT_EQ(std::memcmp(&a.orientation, &b.orientation, sizeof(a.orientation)), 0);
}

TEST(FlightParams, NamesWhatIsUnsound) {
  EXPECT_EQ(FindProblem({}), nullptr);
  const auto problemAfter = [](auto&& change) {
    FlightParams params;
    change(params);
    const char* problem = FindProblem(params);
    return std::string{problem == nullptr ? "" : problem};
  };
  EXPECT_NE(problemAfter([](FlightParams& p) { p.massKg = 0.0F; }).find("mass"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.rollInertia = -1.0F; }).find("inertia"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.maxSpeedMps = 5'000.0F; }).find("speed"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.stallAngle = 0.0F; }).find("stall"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.pitchStiffness = 500.0F; }).find("stiffness"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.liftSlope = 900.0F; }).find("lift slope"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.fatalSinkMps = 1.0F; }).find("fatal"), std::string::npos);
  EXPECT_NE(problemAfter([](FlightParams& p) { p.thrustN = std::nanf(""); }).find("thrust"), std::string::npos);
}

}  // namespace
}  // namespace muster::motion
