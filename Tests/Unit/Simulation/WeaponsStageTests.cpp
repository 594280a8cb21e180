// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SteppedWorld.h"

#include "World/LiveRuns.h"

#include <cstdint>
#include <vector>

namespace muster::simulation {
namespace {

std::uint32_t CountOf(const Simulation& simulation, std::uint8_t entityClass) {
  std::uint32_t count = 0;
  const auto classes = simulation.Store().Column(simulation.Columns().entityClass);
  world::ForEachLive(simulation.Store().LiveBits(), [&](std::uint32_t slot) { count += classes[slot] == entityClass; });
  return count;
}

/// Craft so far apart and so high that no shell of theirs hits anything while it lives.
void SpawnApart(test::SteppedWorld& world, int count) {
  for (int i = 0; i < count; ++i) {
    world.simulation.Spawn({.archetype = world.Archetype("builtin:trainer"),
                            .position = {i * 5'000.0, 3'000.0, 0.0},
                            .headingRadians = 0.0F,
                            .speedMps = 150.0F});
  }
}

TEST(WeaponsStage, FiresItsRateExactlyWhateverTheFraction) {
  test::SteppedWorld world{{.withPlugins = false}};
  const auto by = [&](double rate, std::uint64_t ticks) {
    const WeaponsStage stage{world.simulation,
                             {.ratePerSecond = rate, .lifetimeTicks = 1, .projectile = ArchetypeId{4}}};
    std::uint64_t fired = 0;
    for (std::uint64_t tick = 1; tick <= ticks; ++tick) {
      fired += stage.DueIn(Tick{tick});
    }
    return fired;
  };
  ASSERT_EQ(world.Archetype("builtin:shell"), ArchetypeId{4});
  EXPECT_EQ(by(120.0, 1), 2U);
  EXPECT_EQ(by(120.0, 6'000), 12'000U);
  EXPECT_EQ(by(1.0, 59), 0U);
  EXPECT_EQ(by(1.0, 60), 1U);
  EXPECT_EQ(by(1.0, 6'000), 100U);
  EXPECT_EQ(by(7.3, 60'000), 7'300U);
  EXPECT_EQ(by(0.1, 600), 1U);
  EXPECT_EQ(by(0.0, 600), 0U);
  const WeaponsStage fast{world.simulation,
                          {.ratePerSecond = 20'000.0, .lifetimeTicks = 1, .projectile = ArchetypeId{4}}};
  constexpr std::uint64_t century = 60ULL * 3'600 * 24 * 365 * 100;
  EXPECT_EQ(fast.DueIn(Tick{century * 3 + 1}) + fast.DueIn(Tick{century * 3 + 2}) + fast.DueIn(Tick{century * 3 + 3}),
            1'000U);
}

TEST(WeaponsStage, OnlyWhatFliesLikeAProjectileIsFired) {
  const ArchetypeSet archetypes = test::LoadContent();
  const auto sound = MakeWeaponsConfig(12.5, 0.7, "builtin:shell", archetypes);
  ASSERT_TRUE(sound.HasValue());
  EXPECT_EQ(sound->lifetimeTicks, 42);
  EXPECT_EQ(MakeWeaponsConfig(1.0, 3.0, "builtin:truck", archetypes).Failure().code, kProjectileUnfit);
  EXPECT_EQ(MakeWeaponsConfig(1.0, 3.0, "builtin:pebble", archetypes).Failure().code, kArchetypeUnknown);
  EXPECT_TRUE(MakeWeaponsConfig(0.0, 3.0, "builtin:pebble", archetypes).HasValue()) << "nobody fires it";
}

TEST(WeaponsStage, ThePopulationIsRateTimesLifetimeAndStaysThere) {
  test::SteppedWorld world{{.withPlugins = false, .projectileRate = 90.0, .projectileTicks = 120}};
  SpawnApart(world, 20);
  world.Run(200);
  for (int second = 0; second < 5; ++second) {
    EXPECT_EQ(CountOf(world.simulation, MU_CLASS_PROJECTILE), 180U);
    world.Run(60);
  }
  EXPECT_EQ(CountOf(world.simulation, MU_CLASS_AIRCRAFT), 20U) << "nobody shoots himself";
  EXPECT_GT(world.simulation.Counts().expired, 300U);
  EXPECT_EQ(world.simulation.Counts().refusedSpawns, 0U);
  EXPECT_GE(WeaponsStage::SlotsNeeded({.ratePerSecond = 90.0, .lifetimeTicks = 120}), 180U);
  EXPECT_EQ(WeaponsStage::SlotsNeeded({.ratePerSecond = 0.0, .lifetimeTicks = 120}), 0U);
}

TEST(WeaponsStage, WhatItFiresFliesAwayFromTheMuzzleWithTheShootersSpeed) {
  test::SteppedWorld world{{.withPlugins = false, .projectileRate = 60.0, .projectileTicks = 60}};
  SpawnApart(world, 1);
  world.Run(2);
  const auto live = world.simulation.Store().LiveSlots();
  ASSERT_EQ(live.size(), 2U);
  const EntityColumns& columns = world.simulation.Columns();
  const Vec3f velocity = VelocityAt(world.simulation.Store(), columns, live[1]);
  EXPECT_LT(velocity.z, -700.0F) << "600 m/s on top of 150, towards -Z";
  EXPECT_LT(PositionAt(world.simulation.Store(), columns, live[1]).z,
            PositionAt(world.simulation.Store(), columns, live[0]).z - 10.0);
  EXPECT_EQ(world.simulation.Store().Column(columns.health)[live[0]], 1.0F);
}

TEST(WeaponsStage, NobodyFiresWhereNobodyLivesNorDoesAShellFireShells) {
  test::SteppedWorld empty{{.withPlugins = false, .projectileRate = 600.0}};
  empty.Run(60);
  EXPECT_EQ(empty.simulation.Store().LiveCount(), 0U);
  EXPECT_EQ(empty.weapons->Fired(), 0U);

  test::SteppedWorld world{{.withPlugins = false, .projectileRate = 600.0}};
  world.simulation.Spawn({.archetype = world.Archetype("builtin:shell"),
                          .position = {0.0, 5'000.0, 0.0},
                          .velocity = {0.0F, 0.0F, -100.0F}});
  world.Run(60);
  EXPECT_EQ(world.simulation.Store().LiveCount(), 1U);
}

TEST(WeaponsStage, AShellHurtsWhatItHitsAndIsSpent) {
  test::SteppedWorld world{{.withPlugins = false}};
  const auto craft =
      world.simulation.Spawn({.archetype = world.Archetype("builtin:trainer"), .position = {0.0, 2'000.0, -300.0}});
  const auto shell = world.simulation.Spawn({.archetype = world.Archetype("builtin:shell"),
                                             .position = {0.0, 2'000.0, 0.0},
                                             .velocity = {0.0F, 0.0F, -600.0F}});
  world.Run(60);
  const world::EntityStore& store = world.simulation.Store();
  EXPECT_FALSE(store.IsAlive(shell));
  ASSERT_TRUE(store.IsAlive(craft));
  EXPECT_FLOAT_EQ(store.Column(world.simulation.Columns().health)[craft.Slot()], 0.75F);
}

TEST(WeaponsStage, AVehicleOnTheGroundFiresOverIt) {
  test::SteppedWorld world{{.withPlugins = false, .projectileRate = 60.0, .projectileTicks = 30}};
  world.simulation.Spawn({.archetype = world.Archetype("builtin:truck")});
  world.Run(90);
  EXPECT_EQ(CountOf(world.simulation, MU_CLASS_PROJECTILE), 30U) << "none hits the ground in its half second";
  EXPECT_EQ(CountOf(world.simulation, MU_CLASS_GROUND), 1U);
}

}  // namespace
}  // namespace muster::simulation
