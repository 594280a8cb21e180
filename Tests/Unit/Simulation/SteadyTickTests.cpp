// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A steady tick allocates nothing, on the tick thread or on a worker.

#include "SteppedWorld.h"
#include "Support/AllocationCount.h"

#include <memory>

namespace muster::simulation {
namespace {

TEST(SteadyTick, TheCounterCounts) {
  const std::uint64_t before = test::AllocationCount();
  const auto block = std::make_unique<int>(3);
  EXPECT_EQ(test::AllocationCount(), before + 1);
}

TEST(SteadyTick, AllocatesNothing) {
  test::SteppedWorld world{{.workers = 3}};
  world.SpawnLoad({.count = 1'000, .spreadKm = 30.0, .mix = "loiter:50,pursuit:20,patrol:15,hold:15"});
  world.Run(120);
  const std::uint64_t before = test::AllocationCount();
  world.Run(120);
  EXPECT_EQ(test::AllocationCount(), before);
}

TEST(SteadyTick, AllocatesNothingWhileShellsComeAndGo) {
  test::SteppedWorld world{{.workers = 3, .projectileRate = 240.0, .projectileTicks = 60}};
  world.SpawnLoad({.count = 500, .spreadKm = 30.0});
  world.SpawnLoad({.count = 100, .spreadKm = 8.0, .entityType = "builtin:rover"});
  world.Run(240);
  const std::uint64_t before = test::AllocationCount();
  world.Run(120);
  EXPECT_EQ(test::AllocationCount(), before);
}

}  // namespace
}  // namespace muster::simulation
