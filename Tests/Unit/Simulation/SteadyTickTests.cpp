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
  world.SpawnLoad({.count = 1'000, .spreadKm = 30.0, .mix = "loiter:60,pursuit:25,hold:15"});
  world.Run(120);
  const std::uint64_t before = test::AllocationCount();
  world.Run(120);
  EXPECT_EQ(test::AllocationCount(), before);
}

}  // namespace
}  // namespace muster::simulation
