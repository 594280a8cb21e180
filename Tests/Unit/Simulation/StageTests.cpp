// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SteppedWorld.h"

#include "PluginApi/SnapshotCodec.h"

#include <array>

namespace muster::simulation {
namespace {

class StageTest : public ::testing::Test {
 protected:
  world::EntityHandle Spawn(const Vec3d& position, float heading = 0.0F, float speed = 0.0F,
                            const char* type = "builtin:trainer") {
    return world.simulation.Spawn(
        {.archetype = world.Archetype(type), .position = position, .headingRadians = heading, .speedMps = speed});
  }
  template <class T>
  T& At(world::ColumnId<T> column, world::EntityHandle handle) {
    return world.simulation.Store().Column(column)[handle.Slot()];
  }
  const EntityColumns& Columns() { return world.simulation.Columns(); }
  Vec3d PositionOf(world::EntityHandle handle) {
    return PositionAt(world.simulation.Store(), Columns(), handle.Slot());
  }
  bool IsAlive(world::EntityHandle handle) { return world.simulation.Store().IsAlive(handle); }

  test::SteppedWorld world{{.withPlugins = false}};
};

using MaintenanceStageTest = StageTest;

TEST_F(MaintenanceStageTest, ReapsTheDeadAndKeepsTheLiving) {
  const auto living = Spawn({0.0, 0.0, 0.0});
  const auto dead = Spawn({200.0, 0.0, 0.0});
  At(Columns().health, dead) = 0.0F;
  world.Run(1);
  EXPECT_TRUE(IsAlive(living));
  EXPECT_FALSE(IsAlive(dead));
  EXPECT_EQ(world.simulation.Counts().reaped, 1U);
}

TEST_F(MaintenanceStageTest, CommitsWhatWasQueuedAndCountsEachDeathOnce) {
  const auto leaving = Spawn({0.0, 0.0, 0.0});
  At(Columns().health, leaving) = 0.0F;
  world.simulation.RequestDespawn(leaving);
  world.simulation.RequestDespawn(leaving);
  world.simulation.QueueSpawn({.archetype = world.Archetype("builtin:transport"), .position = {0.0, 0.0, 900.0}});
  world.Run(1);
  EXPECT_FALSE(IsAlive(leaving));
  EXPECT_EQ(world.simulation.Store().LiveCount(), 1U);
  EXPECT_EQ(world.simulation.Counts().despawned, 1U);
  EXPECT_EQ(world.simulation.Counts().reaped, 0U);
  EXPECT_EQ(world.simulation.Counts().spawned, 2U);
  world.simulation.RequestDespawn(leaving);
  world.Run(1);
  EXPECT_EQ(world.simulation.Store().LiveCount(), 1U) << "a stale handle hits nobody";
}

TEST_F(MaintenanceStageTest, TakesAwayWhatIsAtItsTimesEndInThatTickAndNoEarlier) {
  const auto brief =
      world.simulation.Spawn({.archetype = world.Archetype("builtin:trainer"), .position = {}, .expiresAt = Tick{5}});
  const auto lasting = Spawn({300.0, 0.0, 0.0});
  world.Run(4);
  EXPECT_TRUE(IsAlive(brief));
  world.Run(1);
  EXPECT_FALSE(IsAlive(brief));
  EXPECT_TRUE(IsAlive(lasting));
  EXPECT_EQ(world.simulation.Counts().expired, 1U);
}

TEST_F(MaintenanceStageTest, AFullWorldRefusesAndCounts) {
  test::SteppedWorld small{{.capacity = 64, .withPlugins = false}};
  for (int i = 0; i < 70; ++i) {
    small.simulation.QueueSpawn({.archetype = small.Archetype("builtin:trainer"), .position = {i * 200.0, 0.0, 0.0}});
  }
  small.Run(1);
  EXPECT_EQ(small.simulation.Store().LiveCount(), 64U);
  EXPECT_EQ(small.simulation.Counts().refusedSpawns, 6U);
}

TEST_F(MaintenanceStageTest, EqualWorldsHaveEqualDigestsWhateverTheirHistory) {
  const auto first = Spawn({0.0, 0.0, 0.0});
  const auto second = Spawn({500.0, 0.0, 0.0});
  const std::uint64_t before = world.simulation.StateDigest();
  At(Columns().positionX, second) += 0.001;
  EXPECT_NE(world.simulation.StateDigest(), before);
  At(Columns().positionX, second) = 500.0;
  EXPECT_EQ(world.simulation.StateDigest(), before);
  world.simulation.RequestDespawn(first);
  world.Run(1);
  EXPECT_NE(world.simulation.StateDigest(), before);
}

using IntegrateStageTest = StageTest;

TEST_F(IntegrateStageTest, DoesWhatTheFlightModelDoes) {
  const auto craft = Spawn({10.0, 800.0, -4.0}, 0.5F, 140.0F);
  At(Columns().control, craft) = mu_control{0.8F, 0.1F, -0.2F, 0.05F, MU_BUTTON_AFTERBURNER};
  motion::FlightState expected;
  expected.position = PositionOf(craft);
  expected.velocity = VelocityAt(world.simulation.Store(), Columns(), craft.Slot());
  expected.orientation = {At(Columns().orientationX, craft), At(Columns().orientationY, craft),
                          At(Columns().orientationZ, craft), At(Columns().orientationW, craft)};
  const Archetype& archetype = world.simulation.Archetypes().Get(world.Archetype("builtin:trainer"));
  for (int tick = 0; tick < 90; ++tick) {
    world.Run(1);
    expected = motion::Step(archetype.flight, expected, {0.8F, 0.1F, -0.2F, 0.05F, true}, kTickSeconds);
  }
  EXPECT_EQ(PositionOf(craft), expected.position);
  EXPECT_EQ(At(Columns().angularZ, craft), expected.angular.z);
  EXPECT_EQ(At(Columns().status, craft), MU_STATUS_AFTERBURNER);
}

TEST_F(IntegrateStageTest, SaysWhoIsOnTheGroundAndWhoIsAPlayer) {
  const auto player =
      world.simulation.Spawn({.archetype = world.Archetype("builtin:trainer"), .position = {}, .owner = SessionId{4}});
  world.Run(5);
  EXPECT_EQ(At(Columns().status, player), MU_STATUS_ON_GROUND | MU_STATUS_PLAYER);
}

TEST_F(IntegrateStageTest, AHardLandingKillsAndTheWreckIsReaped) {
  const auto craft = Spawn({0.0, 40.0, 0.0}, 0.0F, 60.0F);
  At(Columns().velocityY, craft) = -45.0F;
  world.Run(60);
  EXPECT_FALSE(IsAlive(craft));
  EXPECT_EQ(world.simulation.Counts().reaped, 1U);
}

using CollisionStageTest = StageTest;

TEST_F(CollisionStageTest, HeadOnAtSpeedKillsBoth) {
  // Nose to nose with 400 m between them, 300 m/s together.
  const auto north = Spawn({0.0, 2'000.0, 0.0}, 0.0F, 150.0F);
  const auto south = Spawn({0.0, 2'000.0, -400.0}, kPi, 150.0F);
  world.Run(120);
  EXPECT_FALSE(IsAlive(north));
  EXPECT_FALSE(IsAlive(south));
  EXPECT_EQ(world.collision->DamagingContacts(), 1U);
}

TEST_F(CollisionStageTest, AToughCraftSurvivesWhatKillsALightOne) {
  const auto light = Spawn({0.0, 2'000.0, 0.0}, 0.0F, 150.0F);
  const auto heavy = Spawn({0.0, 2'000.0, -400.0}, kPi, 130.0F, "builtin:transport");
  world.Run(120);
  EXPECT_FALSE(IsAlive(light));
  ASSERT_TRUE(IsAlive(heavy));
  EXPECT_FLOAT_EQ(At(Columns().health, heavy), 0.75F);
}

TEST_F(CollisionStageTest, CraftThatStandInEachOtherPartGentlyAndUnhurt) {
  std::array<world::EntityHandle, 4> crowd;
  for (world::EntityHandle& craft : crowd) {
    craft = Spawn({100.0, 0.0, 100.0});
  }
  world.Run(60 * 20);
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    ASSERT_TRUE(IsAlive(crowd[i]));
    EXPECT_EQ(At(Columns().health, crowd[i]), 1.0F);
    EXPECT_LT(PositionOf(crowd[i]).y, 3.0) << "nobody is thrown into the air";
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GT(Length(PositionOf(crowd[i]) - PositionOf(crowd[j])), 11.5);
    }
  }
}

TEST_F(CollisionStageTest, PassingCloseIsNoContact) {
  Spawn({0.0, 2'000.0, 0.0}, 0.0F, 150.0F);
  Spawn({14.0, 2'000.0, -400.0}, kPi, 150.0F);
  world.Run(120);
  EXPECT_EQ(world.collision->Contacts(), 0U);
  EXPECT_EQ(world.simulation.Store().LiveCount(), 2U);
}

TEST_F(StageTest, EveryPhaseThatExistsIsTimedAndNoOther) {
  world.Run(3);
  const telemetry::TickSummary summary = world.timings.Summarise();
  EXPECT_EQ(summary.ticksTotal, 3U);
  const auto isTimed = [&](telemetry::Phase phase) {
    return summary.phases[static_cast<std::size_t>(phase)].has_value();
  };
  EXPECT_TRUE(isTimed(telemetry::Phase::Maintenance));
  EXPECT_TRUE(isTimed(telemetry::Phase::Ai));
  EXPECT_TRUE(isTimed(telemetry::Phase::Integrate));
  EXPECT_TRUE(isTimed(telemetry::Phase::Collision));
  EXPECT_FALSE(isTimed(telemetry::Phase::Sensing));
  EXPECT_TRUE(isTimed(telemetry::Phase::Weapons));
}

}  // namespace
}  // namespace muster::simulation
