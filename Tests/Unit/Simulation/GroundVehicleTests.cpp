// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Vehicles in the world: how they start, drive, are hit and are led by code that was written for aircraft.

#include "SteppedWorld.h"

#include "PluginApi/SnapshotCodec.h"
#include "World/LiveRuns.h"

#include <algorithm>

namespace muster::simulation {
namespace {

class GroundVehicleTest : public ::testing::Test {
 protected:
  world::EntityHandle Spawn(const Vec3d& position, float heading, float speed, const char* type) {
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

  test::SteppedWorld world{{.withPlugins = false}};
};

TEST_F(GroundVehicleTest, StandsOnTheGroundWhateverAltitudeItIsGiven) {
  const auto truck = Spawn({5.0, 4'000.0, 7.0}, 0.0F, 0.0F, "builtin:truck");
  EXPECT_EQ(PositionOf(truck), (Vec3d{5.0, 0.0, 7.0}));
  world.Run(30);
  EXPECT_EQ(PositionOf(truck), (Vec3d{5.0, 0.0, 7.0}));
  EXPECT_EQ(At(Columns().status, truck), MU_STATUS_ON_GROUND);
  EXPECT_EQ(At(Columns().entityClass, truck), MU_CLASS_GROUND);
}

TEST_F(GroundVehicleTest, DoesWhatTheGroundModelDoes) {
  const auto rover = Spawn({10.0, 0.0, -4.0}, 0.5F, 14.0F, "builtin:rover");
  At(Columns().control, rover) = mu_control{0.8F, 0.0F, 0.1F, 0.3F, 0};
  motion::GroundState expected;
  expected.position = PositionOf(rover);
  expected.velocity = VelocityAt(world.simulation.Store(), Columns(), rover.Slot());
  expected.orientation = {At(Columns().orientationX, rover), At(Columns().orientationY, rover),
                          At(Columns().orientationZ, rover), At(Columns().orientationW, rover)};
  const Archetype& archetype = world.simulation.Archetypes().Get(world.Archetype("builtin:rover"));
  for (int tick = 0; tick < 90; ++tick) {
    world.Run(1);
    expected = motion::Step(archetype.ground, expected, {0.8F, 0.0F, 0.1F, 0.3F, false}, kTickSeconds);
  }
  EXPECT_EQ(PositionOf(rover), expected.position);
  EXPECT_EQ(At(Columns().angularY, rover), expected.angular.y);
}

TEST_F(GroundVehicleTest, ACrashCostsHealthAndNobodyLeavesTheGround) {
  const auto north = Spawn({0.0, 0.0, 0.0}, 0.0F, 25.0F, "builtin:truck");
  const auto south = Spawn({0.5, 0.0, -60.0}, kPi, 25.0F, "builtin:rover");
  for (int tick = 0; tick < 180; ++tick) {
    world.Run(1);
    world::ForEachLive(world.simulation.Store().LiveBits(), [&](std::uint32_t slot) {
      ASSERT_EQ(PositionAt(world.simulation.Store(), Columns(), slot).y, 0.0);
      ASSERT_EQ(VelocityAt(world.simulation.Store(), Columns(), slot).y, 0.0F);
    });
  }
  EXPECT_FALSE(world.simulation.Store().IsAlive(south)) << "50 m/s together is fatal for the lighter one";
  ASSERT_TRUE(world.simulation.Store().IsAlive(north));
  EXPECT_LT(At(Columns().health, north), 1.0F);
}

TEST_F(GroundVehicleTest, VehiclesInEachOtherPartUnhurt) {
  const auto first = Spawn({0.0, 0.0, 0.0}, 0.0F, 0.0F, "builtin:truck");
  const auto second = Spawn({0.0, 0.0, 0.0}, 1.0F, 0.0F, "builtin:truck");
  world.Run(60 * 5);
  EXPECT_GT(Length(PositionOf(first) - PositionOf(second)), 6.5);
  EXPECT_EQ(At(Columns().health, first), 1.0F);
  EXPECT_EQ(At(Columns().health, second), 1.0F);
}

TEST_F(GroundVehicleTest, ACraftThatDivesIntoATruckHitsIt) {
  const auto truck = Spawn({0.0, 0.0, 0.0}, 0.0F, 0.0F, "builtin:truck");
  const auto craft = Spawn({0.0, 20.0, 60.0}, 0.0F, 120.0F, "builtin:trainer");
  At(Columns().velocityY, craft) = -40.0F;
  world.Run(60);
  EXPECT_FALSE(world.simulation.Store().IsAlive(craft));
  EXPECT_GE(world.collision->DamagingContacts(), 1U);
  if (world.simulation.Store().IsAlive(truck)) {
    EXPECT_LT(At(Columns().health, truck), 1.0F);
    EXPECT_EQ(PositionOf(truck).y, 0.0);
  }
}

TEST(GroundVehicles, ALoadOfTrucksIsLedByLoiterAndStaysOnTheGround) {
  test::SteppedWorld world;
  world.SpawnLoad({.count = 60, .spreadKm = 10.0, .aglMeters = 1'500.0, .entityType = "builtin:truck"});
  world.Run(60 * 60);
  const world::EntityStore& store = world.simulation.Store();
  const EntityColumns& columns = world.simulation.Columns();
  EXPECT_EQ(store.LiveCount(), 60U);
  float turning = 0.0F;
  world::ForEachLive(store.LiveBits(), [&](std::uint32_t slot) {
    EXPECT_EQ(PositionAt(store, columns, slot).y, 0.0);
    EXPECT_GT(Length(VelocityAt(store, columns, slot)), 3.0F) << "slot " << slot;
    turning += store.Column(columns.angularY)[slot] != 0.0F ? 1.0F : 0.0F;
  });
  EXPECT_GT(turning, 50.0F) << "what is meant as a bank steers";
}

}  // namespace
}  // namespace muster::simulation
