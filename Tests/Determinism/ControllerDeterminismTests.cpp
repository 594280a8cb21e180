// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// All controllers of both providers in one world, in the air and on the ground: one digest at any number of workers.
#include "Unit/Simulation/SteppedWorld.h"

#include <cstdio>

namespace muster::simulation {
namespace {

std::uint64_t DigestAfterThinking(unsigned workers) {
  test::SteppedWorld world{{.workers = workers}};
  EXPECT_TRUE(world.Host().Load("muster.ai.steering").HasValue());
  const auto steering = world.Host().Catalog().Find<mu_ai_controller_v0>("muster.ai.steering");
  EXPECT_TRUE(steering.HasValue() && world.controllers.Add(*steering).HasValue());
  world.SpawnLoad({.count = 300, .spreadKm = 6.0, .mix = "loiter:20,pursuit:20,patrol:20,flock:20,convoy:10,avoid:10"});
  world.SpawnLoad({.count = 150, .spreadKm = 0.3, .mix = "flock:50,convoy:50,avoid:50", .entityType = "builtin:rover"});
  world.Run(900);
  EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
  EXPECT_GT(world.simulation.Store().LiveCount(), 400U);
  return world.simulation.StateDigest();
}

TEST(ControllerDeterminism, OneDigestOfBothProvidersAtAnyNumberOfWorkers) {
  const std::uint64_t reference = DigestAfterThinking(1);
  std::printf("900 ticks of 450 agents, six controllers: digest %016llx\n", static_cast<unsigned long long>(reference));
  for (const unsigned workers : {2U, 3U, 4U, 7U, 8U}) {
    EXPECT_EQ(DigestAfterThinking(workers), reference) << workers << " workers";
  }
}

}  // namespace
}  // namespace muster::simulation
