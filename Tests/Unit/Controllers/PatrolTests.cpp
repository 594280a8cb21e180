// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Every transition of the patrol, in flight: what stands in the blackboards is read as the plugin's own header says.
#include "Unit/Simulation/SteppedWorld.h"

#include "BasicControllers/Source/Patrol.h"

#include <cmath>
#include <cstring>
#include <functional>

namespace muster::simulation {
namespace {

using basic::PatrolState;

constexpr Vec3d kHome{0.0, 1'500.0, 0.0};

class PatrolTest : public ::testing::Test {
 protected:
  world::EntityHandle Spawn(std::string_view controller, const Vec3d& position, float heading = 0.0F) {
    return world.simulation.Spawn({.archetype = world.Archetype("builtin:trainer"),
                                   .position = position,
                                   .headingRadians = heading,
                                   .speedMps = 150.0F,
                                   .controller = *world.controllers.Find(controller)});
  }

  basic::PatrolMemory MemoryOf(world::EntityHandle agent) {
    const auto controller = world.controllers.Describe(*world.controllers.Find("patrol"));
    basic::PatrolMemory memory;
    std::memcpy(&memory, controller.blackboards + std::size_t{agent.Slot()} * controller.blackboardStride,
                sizeof(memory));
    return memory;
  }
  PatrolState StateOf(world::EntityHandle agent) { return MemoryOf(agent).state; }

  Vec3d PositionOf(world::EntityHandle handle) {
    return PositionAt(world.simulation.Store(), world.simulation.Columns(), handle.Slot());
  }
  double LevelDistance(world::EntityHandle handle, const Vec3d& point) {
    const Vec3d position = PositionOf(handle);
    return std::hypot(position.x - point.x, position.z - point.z);
  }
  Vec3d WaypointOf(world::EntityHandle agent) {
    const basic::Vector offset =
        basic::Waypoint({world.simulation.Seed(), agent.Value(), agent.Slot()}, MemoryOf(agent).leg);
    return {kHome.x + static_cast<double>(offset.x), kHome.y, kHome.z + static_cast<double>(offset.z)};
  }

  /// False when it has not come to pass after so many seconds.
  bool RunUntil(int seconds, const std::function<bool()>& condition) {
    for (int tick = 0; tick < seconds * kTickHz; ++tick) {
      if (condition()) {
        return true;
      }
      world.Run(1);
    }
    return condition();
  }

  test::SteppedWorld world;
};

TEST_F(PatrolTest, GoesToItsWaypointSearchesThereAndGoesOnToTheNext) {
  const auto agent = Spawn("patrol", kHome);
  world.Run(3);
  EXPECT_EQ(StateOf(agent), PatrolState::Transit);
  for (std::uint32_t leg = 0; leg < 3; ++leg) {
    ASSERT_EQ(MemoryOf(agent).leg, leg);
    ASSERT_TRUE(RunUntil(180, [&] { return StateOf(agent) == PatrolState::Search; })) << "leg " << leg;
    EXPECT_LT(LevelDistance(agent, WaypointOf(agent)), static_cast<double>(basic::kPatrolArrival) + 20.0);
    const std::uint64_t arrived = static_cast<std::uint64_t>(basic::kPatrolSearch * static_cast<float>(kTickHz));
    world.Run(static_cast<int>(arrived) - 10);
    EXPECT_EQ(StateOf(agent), PatrolState::Search);
    EXPECT_LT(LevelDistance(agent, WaypointOf(agent)), 5'000.0);
    world.Run(20);
    EXPECT_EQ(StateOf(agent), PatrolState::Transit);
    EXPECT_EQ(MemoryOf(agent).leg, leg + 1);
  }
  EXPECT_GT(PositionOf(agent).y, kHome.y) << "patrols fly over those who loiter at the same altitude";
  EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
}

TEST_F(PatrolTest, WaypointsFollowFromSeedAndHandleAndLieAroundHome) {
  const basic::PatrolIdentity identity{7, 42, 0};
  double farthest = 0.0;
  for (std::uint32_t leg = 0; leg < 200; ++leg) {
    const basic::Vector point = basic::Waypoint(identity, leg);
    EXPECT_EQ(point.x, basic::Waypoint(identity, leg).x);
    EXPECT_NE(point.x, basic::Waypoint({8, 42, 0}, leg).x);
    EXPECT_NE(point.x, basic::Waypoint({7, 43, 0}, leg).x);
    EXPECT_NE(point.x, basic::Waypoint(identity, leg + 1).x);
    EXPECT_EQ(point.y, 0.0F);
    EXPECT_LE(std::fabs(point.x), basic::kPatrolReach * 1.0001F);
    EXPECT_LE(std::fabs(point.z), basic::kPatrolReach * 1.0001F);
    farthest = std::max(farthest, static_cast<double>(std::hypot(point.x, point.z)));
  }
  EXPECT_GT(farthest, static_cast<double>(basic::kPatrolReach));
}

TEST_F(PatrolTest, InvestigatesTheNearestInSightInTransit) {
  const auto agent = Spawn("patrol", kHome);
  world.Run(30);
  ASSERT_EQ(StateOf(agent), PatrolState::Transit);
  const Vec3d position = PositionOf(agent);
  const auto far = Spawn("loiter", {position.x + 3'500.0, kHome.y, position.z});
  const auto near = Spawn("loiter", {position.x - 2'500.0, kHome.y, position.z});
  world.Run(6);
  EXPECT_EQ(StateOf(agent), PatrolState::Investigate);
  EXPECT_EQ(MemoryOf(agent).target, near.Slot());
  EXPECT_NE(MemoryOf(agent).target, far.Slot());
  double closest = 1e9;
  ASSERT_TRUE(RunUntil(60, [&] {
    closest = std::min(closest, LevelDistance(agent, PositionOf(near)));
    return StateOf(agent) == PatrolState::Return;
  })) << "curiosity ends";
  EXPECT_LT(closest, 1'500.0) << "it went to look";
  EXPECT_TRUE(world.simulation.Store().IsAlive(agent));
}

TEST_F(PatrolTest, InvestigatesWhileItSearches) {
  const auto agent = Spawn("patrol", kHome);
  ASSERT_TRUE(RunUntil(180, [&] { return StateOf(agent) == PatrolState::Search; }));
  const Vec3d position = PositionOf(agent);
  const auto other = Spawn("loiter", {position.x, kHome.y, position.z + 3'000.0});
  world.Run(6);
  EXPECT_EQ(StateOf(agent), PatrolState::Investigate);
  EXPECT_EQ(MemoryOf(agent).target, other.Slot());
}

TEST_F(PatrolTest, SeesNobodyBeyondItsSight) {
  const auto agent = Spawn("patrol", kHome);
  Spawn("loiter", {0.0, kHome.y, -static_cast<double>(basic::kPatrolSight) - 900.0});
  Spawn("loiter", {0.0, kHome.y + static_cast<double>(basic::kPatrolSight) + 400.0, 0.0});
  world.Run(30);
  EXPECT_EQ(StateOf(agent), PatrolState::Transit);
}

TEST_F(PatrolTest, ReturnsWhenWhomItFollowedIsGone) {
  const auto agent = Spawn("patrol", kHome);
  const auto other = Spawn("loiter", {3'000.0, kHome.y, 0.0}, 1.57F);
  ASSERT_TRUE(RunUntil(30, [&] { return LevelDistance(agent, kHome) > 2'000.0; }));
  ASSERT_EQ(StateOf(agent), PatrolState::Investigate);
  world.simulation.RequestDespawn(other);
  world.Run(6);
  EXPECT_EQ(StateOf(agent), PatrolState::Return);
}

TEST_F(PatrolTest, LooksAtNobodyOnItsWayHomeAndThereTakesTheNextWaypoint) {
  const auto agent = Spawn("patrol", kHome);
  const auto first = Spawn("loiter", {3'000.0, kHome.y, 0.0}, 1.57F);
  ASSERT_TRUE(RunUntil(90, [&] { return StateOf(agent) == PatrolState::Return; }));
  ASSERT_GT(LevelDistance(agent, kHome), 2'000.0);
  world.simulation.RequestDespawn(first);
  const Vec3d position = PositionOf(agent);
  const auto second = Spawn("loiter", {position.x + 1'500.0, kHome.y, position.z});
  const std::uint32_t leg = MemoryOf(agent).leg;
  world.Run(60);
  EXPECT_EQ(StateOf(agent), PatrolState::Return) << "somebody is near, and it does not look";
  world.simulation.RequestDespawn(second);
  ASSERT_TRUE(RunUntil(120, [&] { return StateOf(agent) == PatrolState::Transit; }));
  EXPECT_LT(LevelDistance(agent, kHome), static_cast<double>(basic::kPatrolArrival) + 20.0);
  EXPECT_EQ(MemoryOf(agent).leg, leg + 1);
}

TEST_F(PatrolTest, LetsItselfBeDrawnNoFartherThanItsLeash) {
  const auto agent = Spawn("patrol", kHome);
  // Flies straight away from home, faster than patrols follow.
  world.simulation.Spawn({.archetype = world.Archetype("builtin:interceptor"),
                          .position = {0.0, kHome.y, -1'000.0},
                          .speedMps = 250.0F,
                          .controller = *world.controllers.Find("pursuit")});
  double farthest = 0.0;
  for (int second = 0; second < 300; ++second) {
    world.Run(kTickHz);
    farthest = std::max(farthest, LevelDistance(agent, kHome));
  }
  EXPECT_LT(farthest, static_cast<double>(basic::kPatrolLeash) + 3'000.0);
  EXPECT_TRUE(world.simulation.Store().IsAlive(agent));
}

TEST_F(PatrolTest, TheMixOfLoadTestsFliesWithoutLosses) {
  world.SpawnLoad({.count = 200, .spreadKm = 25.0, .mix = "loiter:60,pursuit:25,patrol:15"});
  int investigated = 0;
  for (int second = 0; second < 120; ++second) {
    world.Run(kTickHz);
    for (std::uint32_t slot = 170; slot < 200; ++slot) {
      const auto handle = world.simulation.Store().HandleAt(slot);
      investigated += !handle.IsNull() && StateOf(handle) == PatrolState::Investigate ? 1 : 0;
    }
  }
  EXPECT_GT(investigated, 100) << "the last 30 of 200 patrol, and see somebody";
  EXPECT_GE(world.simulation.Store().LiveCount(), 198U);
  EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
}

}  // namespace
}  // namespace muster::simulation
