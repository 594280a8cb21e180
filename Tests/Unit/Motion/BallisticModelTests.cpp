// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Tick.h"
#include "Motion/BallisticModel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace muster::motion {
namespace {

BallisticState Thrown(const Vec3f& velocity, double altitude) {
  BallisticState state;
  state.position = {0.0, altitude, 0.0};
  state.velocity = velocity;
  return state;
}

TEST(BallisticModel, FollowsTheParabolaWhereThereIsNoAir) {
  const BallisticParams params{.dragPerMeter = 0.0F};
  BallisticState state = Thrown({0.0F, 50.0F, -100.0F}, 500.0);
  for (int tick = 0; tick < 120; ++tick) {
    state = Step(params, state, kTickSeconds);
  }
  EXPECT_NEAR(state.position.z, -200.0, 0.01);
  EXPECT_NEAR(state.velocity.y, 50.0F - 2.0F * kGravity, 0.01F);
  EXPECT_NEAR(state.position.y, 500.0 + 100.0 - 2.0 * static_cast<double>(kGravity), 0.5);
  EXPECT_EQ(state.health, 1.0F);
}

TEST(BallisticModel, DragTakesSpeedAndNeverTurnsItAround) {
  BallisticState state = Thrown({0.0F, 0.0F, -1'000.0F}, 5'000.0);
  float last = 1'000.0F;
  for (int tick = 0; tick < 300; ++tick) {
    state = Step(BallisticParams{.dragPerMeter = 1.0F}, state, 1.0F / 30.0F);
    ASSERT_LE(-state.velocity.z, last);
    ASSERT_GE(-state.velocity.z, 0.0F);
    last = -state.velocity.z;
  }
  EXPECT_LT(last, 10.0F);
}

TEST(BallisticModel, TheGroundEndsIt) {
  BallisticState state = Thrown({30.0F, -200.0F, 0.0F}, 5.0);
  for (int tick = 0; tick < 10; ++tick) {
    state = Step({}, state, kTickSeconds);
    ASSERT_GE(state.position.y, 0.0);
  }
  EXPECT_EQ(state.health, 0.0F);
  EXPECT_EQ(state.velocity, Vec3f{});
  EXPECT_TRUE(state.onGround);
}

TEST(BallisticModel, IsNoFasterThanItsLimit) {
  const BallisticState state = Step({}, Thrown({1e8F, 0.0F, 0.0F}, 100.0), kTickSeconds);
  EXPECT_LE(Length(state.velocity), BallisticParams{}.maxSpeedMps * 1.0001F);
}

TEST(BallisticModel, NamesWhatIsUnsound) {
  EXPECT_EQ(FindProblem(BallisticParams{}), nullptr);
  EXPECT_NE(FindProblem(BallisticParams{.massKg = 0.0F}), nullptr);
  EXPECT_NE(FindProblem(BallisticParams{.dragPerMeter = std::numeric_limits<float>::quiet_NaN()}), nullptr);
  EXPECT_NE(FindProblem(BallisticParams{.maxSpeedMps = 1e6F}), nullptr);
}

}  // namespace
}  // namespace muster::motion
