// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/LoadSpawner.h"
#include "Simulation/SpawnPoints.h"
#include "SteppedWorld.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

namespace muster::simulation {
namespace {

using ::testing::HasSubstr;

double LevelDistance(const Vec3d& a, const Vec3d& b) {
  return std::hypot(a.x - b.x, a.z - b.z);
}

class LoadSpawnerTest : public ::testing::Test {
 protected:
  Result<LoadSpawner> Make(const LoadSpawnConfig& config) {
    return LoadSpawner::Create(config, world.simulation.Archetypes(), world.controllers);
  }
  test::SteppedWorld world;
};

TEST_F(LoadSpawnerTest, LaysCraftOutEvenlyOnTheDisc) {
  const auto load = Make({.count = 500, .spreadKm = 50.0, .aglMeters = 500.0});
  ASSERT_TRUE(load.HasValue());
  int inner = 0;
  double nearest = 1e9;
  for (std::uint32_t i = 0; i < 500; ++i) {
    const SpawnRequest craft = load->At(i);
    const double radius = LevelDistance(craft.position, {});
    EXPECT_LE(radius, 50'000.0);
    EXPECT_EQ(craft.position.y, 500.0);
    inner += radius < 25'000.0 ? 1 : 0;
    for (std::uint32_t j = 0; j < i; ++j) {
      nearest = std::min(nearest, LevelDistance(craft.position, load->At(j).position));
    }
  }
  EXPECT_EQ(inner, 125) << "a quarter of the area holds a quarter of the craft";
  EXPECT_GT(nearest, 2'500.0);
}

TEST_F(LoadSpawnerTest, IsAFunctionOfTheIndex) {
  const auto one = Make({.count = 100});
  const auto other = Make({.count = 100});
  for (const std::uint32_t index : {99U, 0U, 57U}) {
    EXPECT_EQ(one->At(index).position, other->At(index).position);
    EXPECT_EQ(one->At(index).headingRadians, other->At(index).headingRadians);
    EXPECT_EQ(one->At(index).controller, other->At(index).controller);
  }
}

TEST_F(LoadSpawnerTest, DealsControllersByCumulativeWeights) {
  const auto load = Make({.count = 170, .mix = " loiter : 60 , pursuit:25 "});
  ASSERT_TRUE(load.HasValue()) << load.Failure().ToString();
  std::map<std::string_view, int> dealt;
  for (std::uint32_t i = 0; i < 170; ++i) {
    ++dealt[world.controllers.NameOf(load->At(i).controller)];
  }
  EXPECT_EQ(dealt["loiter"], 120);
  EXPECT_EQ(dealt["pursuit"], 50);
  EXPECT_EQ(world.controllers.NameOf(load->At(119).controller), "loiter");
  EXPECT_EQ(world.controllers.NameOf(load->At(120).controller), "pursuit");
}

TEST_F(LoadSpawnerTest, TakesTheMixOfHeavyLoadTestsAsItIs) {
  const auto load = Make({.count = 200, .mix = "loiter:60,pursuit:25,patrol:15"});
  ASSERT_TRUE(load.HasValue()) << load.Failure().ToString();
  std::map<std::string_view, int> dealt;
  for (std::uint32_t i = 0; i < 200; ++i) {
    ++dealt[world.controllers.NameOf(load->At(i).controller)];
  }
  EXPECT_EQ(dealt["loiter"], 120);
  EXPECT_EQ(dealt["pursuit"], 50);
  EXPECT_EQ(dealt["patrol"], 30);
}

TEST_F(LoadSpawnerTest, AMixThatCannotBeReadSaysWhatCanBe) {
  for (const char* mix : {"", "loiter:60,", "loiter:0", "loiter:-1", "loiter:many", "swarm:10", "loiter:1:2", ":5"}) {
    const auto load = Make({.count = 10, .mix = mix});
    ASSERT_FALSE(load.HasValue()) << mix;
    EXPECT_EQ(load.Failure().code, kSpawnMixInvalid);
    EXPECT_THAT(load.Failure().ToString(), HasSubstr("hold, loiter, pursuit"));
  }
  EXPECT_EQ(Make({.count = 10, .entityType = "builtin:none"}).Failure().code, kArchetypeUnknown);
}

TEST_F(LoadSpawnerTest, SpawnsInLevelFlightAtCruiseSpeed) {
  world.SpawnLoad({.count = 20, .aglMeters = 800.0, .entityType = "builtin:trainer"});
  const world::EntityStore& store = world.simulation.Store();
  EXPECT_EQ(store.LiveCount(), 20U);
  const Vec3f velocity = VelocityAt(store, world.simulation.Columns(), 7);
  EXPECT_NEAR(Length(velocity), 150.0F, 0.01F);
  EXPECT_EQ(velocity.y, 0.0F);
  EXPECT_EQ(store.Column(world.simulation.Columns().homeY)[7], 800.0);
  const Quatf orientation{0.0F, store.Column(world.simulation.Columns().orientationY)[7], 0.0F,
                          store.Column(world.simulation.Columns().orientationW)[7]};
  EXPECT_NEAR(Dot(Rotate(orientation, Vec3f{0.0F, 0.0F, -1.0F}), velocity), 150.0F, 0.01F) << "it flies where it looks";
}

TEST(PlayerStand, KeepsPlayersApart) {
  for (std::uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(PlayerStand(i).y, 0.0);
    for (std::uint32_t j = 0; j < i; ++j) {
      EXPECT_GT(LevelDistance(PlayerStand(i), PlayerStand(j)), 100.0) << i << " and " << j;
    }
  }
  EXPECT_LT(LevelDistance(PlayerStand(127), {}), 1'000.0);
}

}  // namespace
}  // namespace muster::simulation
