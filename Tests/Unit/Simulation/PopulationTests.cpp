// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The promise behind every load test: what was spawned is still there, where it was told to be.

#include "SteppedWorld.h"

#include "World/LiveRuns.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace muster::simulation {
namespace {

struct Band {
  double lowest = 1e9;
  double highest = -1e9;
  double slowest = 1e9;
  double fastest = 0.0;
  double nearestToHome = 1e9;
  double farthestFromHome = 0.0;
};

void Widen(Band& band, const Simulation& simulation) {
  const world::EntityStore& store = simulation.Store();
  const EntityColumns& columns = simulation.Columns();
  world::ForEachLive(store.LiveBits(), [&](std::uint32_t slot) {
    const Vec3d position = PositionAt(store, columns, slot);
    const double speed = static_cast<double>(Length(VelocityAt(store, columns, slot)));
    band.lowest = std::min(band.lowest, position.y);
    band.highest = std::max(band.highest, position.y);
    band.slowest = std::min(band.slowest, speed);
    band.fastest = std::max(band.fastest, speed);
    const double x = position.x - store.Column(columns.homeX)[slot];
    const double z = position.z - store.Column(columns.homeZ)[slot];
    band.nearestToHome = std::min(band.nearestToHome, std::sqrt(x * x + z * z));
    band.farthestFromHome = std::max(band.farthestFromHome, std::sqrt(x * x + z * z));
  });
}

Band FlyMinutes(test::SteppedWorld& world, int minutes, const char* what) {
  Band band;
  for (int second = 0; second < 60 * minutes; ++second) {
    world.Run(kTickHz);
    Widen(band, world.simulation);
  }
  std::printf("%s: altitude %.1f..%.1f m, speed %.1f..%.1f m/s, %.0f..%.0f m from home, %u alive, %llu contacts\n",
              what, band.lowest, band.highest, band.slowest, band.fastest, band.nearestToHome, band.farthestFromHome,
              world.simulation.Store().LiveCount(), static_cast<unsigned long long>(world.collision->Contacts()));
  return band;
}

TEST(Population, FiveHundredLoiterersHoldAltitudeForTenMinutesAndNobodyIsLost) {
  test::SteppedWorld world;
  world.SpawnLoad({.count = 500});
  const Band onset = FlyMinutes(world, 3, "500 loiter, first 3 minutes");
  const Band band = FlyMinutes(world, 7, "500 loiter, then 7 more");
  EXPECT_EQ(world.simulation.Store().LiveCount(), 500U);
  EXPECT_EQ(world.collision->Contacts(), 0U);
  // From home, which lies on no orbit, a craft first has to find its circle.
  EXPECT_GT(onset.lowest, 480.0);
  EXPECT_LT(onset.highest, 520.0);
  EXPECT_LT(onset.farthestFromHome, 5'000.0);
  EXPECT_GT(band.lowest, 496.0);
  EXPECT_LT(band.highest, 506.0);
  EXPECT_NEAR(band.slowest, 185.0, 1.0);
  EXPECT_NEAR(band.fastest, 185.0, 1.0);
  EXPECT_GT(band.nearestToHome, 2'900.0);
  EXPECT_LT(band.farthestFromHome, 3'200.0);
  EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
}

class PopulationOfType : public ::testing::TestWithParam<const char*> {};

TEST_P(PopulationOfType, HoldsAltitudeOnLoiter) {
  test::SteppedWorld world;
  world.SpawnLoad({.count = 60, .spreadKm = 20.0, .entityType = GetParam()});
  const Band band = FlyMinutes(world, 3, GetParam());
  EXPECT_EQ(world.simulation.Store().LiveCount(), 60U);
  EXPECT_GT(band.lowest, 450.0);
  EXPECT_LT(band.highest, 550.0);
}

INSTANTIATE_TEST_SUITE_P(Types, PopulationOfType,
                         ::testing::Values("builtin:trainer", "builtin:interceptor", "builtin:transport",
                                           "builtin:debug-entity"),
                         [](const auto& instance) {
                           std::string name{std::string_view{instance.param}.substr(8)};
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

TEST(Population, TheMixOfHeavyLoadTestsStaysStable) {
  test::SteppedWorld world;
  world.SpawnLoad({.count = 300, .spreadKm = 30.0, .mix = "loiter:60,pursuit:25,patrol:15"});
  const Band band = FlyMinutes(world, 5, "300 loiter:60,pursuit:25,patrol:15");
  EXPECT_GE(world.simulation.Store().LiveCount(), 300U - 3U);
  EXPECT_GT(band.lowest, 100.0);
}

TEST(Population, TheHoldControllerHoldsToo) {
  test::SteppedWorld world{{.withPlugins = false}};
  world.SpawnLoad({.count = 60, .spreadKm = 20.0, .mix = "hold:1"});
  const Band band = FlyMinutes(world, 3, "60 hold");
  EXPECT_EQ(world.simulation.Store().LiveCount(), 60U);
  EXPECT_GT(band.lowest, 400.0);
  EXPECT_LT(band.highest, 600.0);
}

}  // namespace
}  // namespace muster::simulation
