// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The same world for any number of workers: one digest after 1,200 ticks with 500 agents of both kinds,
// vehicles among them, and shells that come and go.

#include "Unit/Simulation/SteppedWorld.h"

#include "Core/Random.h"

#include <cstdio>

namespace muster::simulation {
namespace {

struct Outcome {
  std::uint64_t digest = 0;
  std::uint32_t alive = 0;
  std::uint64_t contacts = 0;
  std::uint64_t expired = 0;
};

Outcome OutcomeOf(test::SteppedWorld& world) {
  return {world.simulation.StateDigest(), world.simulation.Store().LiveCount(), world.collision->Contacts(),
          world.simulation.Counts().expired};
}

/// A dense disc, with deaths and births as well as flight, over a yard of vehicles, under fire.
Outcome FlyAndChurn(unsigned workers) {
  test::SteppedWorld world{{.workers = workers, .projectileRate = 95.0, .projectileTicks = 90}};
  world.SpawnLoad({.count = 400, .spreadKm = 3.0, .mix = "loiter:50,pursuit:40,hold:10"});
  world.SpawnLoad({.count = 60, .spreadKm = 0.4, .mix = "loiter:50,pursuit:50", .entityType = "builtin:truck"});
  world.SpawnLoad({.count = 40, .spreadKm = 1.0, .entityType = "builtin:rover"});
  Random random{99};
  for (int tick = 0; tick < 1'200; ++tick) {
    if (tick % 40 == 0) {
      const auto victim = static_cast<std::uint32_t>(random.NextBelow(500));
      world.simulation.RequestDespawn(world.simulation.Store().HandleAt(victim));
      world.simulation.QueueSpawn({.archetype = world.Archetype("builtin:trainer"),
                                   .position = {random.NextBetween(-3'000.0, 3'000.0), 500.0, 0.0},
                                   .speedMps = 150.0F,
                                   .controller = *world.controllers.Find("loiter")});
    }
    world.Run(1);
  }
  return OutcomeOf(world);
}

/// So many in so little room that every stage has work worth sharing, the narrow phase too, and contacts chain.
Outcome Crowd(unsigned workers) {
  test::SteppedWorld world{{.workers = workers}};
  world.SpawnLoad({.count = 4'000, .spreadKm = 0.25, .mix = "loiter:60,pursuit:40"});
  world.Run(40);
  return OutcomeOf(world);
}

void ExpectSameAtAnyNumberOfWorkers(Outcome (*simulate)(unsigned), const char* what, std::uint64_t leastContacts) {
  const Outcome reference = simulate(1);
  std::printf("%s, 1 worker: digest %016llx, %u alive, %llu contacts\n", what,
              static_cast<unsigned long long>(reference.digest), reference.alive,
              static_cast<unsigned long long>(reference.contacts));
  EXPECT_GT(reference.alive, 100U);
  EXPECT_GE(reference.contacts, leastContacts) << "what is compared must contain collisions";
  for (const unsigned workers : {2U, 3U, 4U, 7U, 8U}) {
    const Outcome outcome = simulate(workers);
    EXPECT_EQ(outcome.digest, reference.digest) << workers << " workers";
    EXPECT_EQ(outcome.alive, reference.alive) << workers << " workers";
    EXPECT_EQ(outcome.contacts, reference.contacts) << workers << " workers";
    EXPECT_EQ(outcome.expired, reference.expired) << workers << " workers";
  }
}

TEST(SimulationDeterminism, OneDigestOfALivelyWorldAtAnyNumberOfWorkers) {
  ExpectSameAtAnyNumberOfWorkers(&FlyAndChurn, "1,200 ticks of 500 agents", 1);
}

TEST(SimulationDeterminism, OneDigestOfACrowdAtAnyNumberOfWorkers) {
  ExpectSameAtAnyNumberOfWorkers(&Crowd, "40 ticks of 4,000 in a crowd", 500);
}

TEST(SimulationDeterminism, TheDigestSeesOneStrayBit) {
  test::SteppedWorld world;
  world.SpawnLoad({.count = 500, .spreadKm = 3.0});
  world.Run(10);
  const std::uint64_t before = world.simulation.StateDigest();
  world.simulation.Store().Column(world.simulation.Columns().velocityY)[250] += 1e-6F;
  EXPECT_NE(world.simulation.StateDigest(), before);
}

TEST(SimulationDeterminism, EveryTickOfTwoWorldsAgrees) {
  test::SteppedWorld serial{{.workers = 1}};
  test::SteppedWorld parallel{{.workers = 4}};
  for (test::SteppedWorld* world : {&serial, &parallel}) {
    world->SpawnLoad({.count = 3'000, .spreadKm = 8.0, .mix = "loiter:60,pursuit:25"});
  }
  for (int tick = 1; tick <= 90; ++tick) {
    serial.Run(1);
    parallel.Run(1);
    ASSERT_EQ(serial.simulation.StateDigest(), parallel.simulation.StateDigest()) << "tick " << tick;
  }
}

}  // namespace
}  // namespace muster::simulation
