// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Clock.h"
#include "Simulation/FixedStepLoop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace muster::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(FixedStepLoop, KeepsItsRateWithoutDrift) {
  ManualClock clock;
  FixedStepLoop loop{clock};
  std::uint64_t ran = 0;
  for (int i = 0; i < 60 * 3'600; ++i) {
    ran += loop.Step([](Tick) {});
  }
  EXPECT_EQ(ran, 60U * 3'600U);
  EXPECT_EQ(clock.Now().time_since_epoch(), seconds{3'600}) << "216,000 steps are an hour to the nanosecond";
  EXPECT_EQ(loop.DroppedTicks(), 0U);
  EXPECT_EQ(loop.LateTicks(), 0U);
}

TEST(FixedStepLoop, NumbersTicksFromOneWithoutGaps) {
  ManualClock clock;
  FixedStepLoop loop{clock};
  std::vector<std::uint64_t> ticks;
  loop.Step([&](Tick tick) { ticks.push_back(tick.Value()); });
  clock.Advance(seconds{1});
  loop.Step([&](Tick tick) { ticks.push_back(tick.Value()); });
  loop.Step([&](Tick tick) { ticks.push_back(tick.Value()); });
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
}

TEST(FixedStepLoop, CatchesUpWhatFitsAndDropsTheRest) {
  ManualClock clock;
  FixedStepLoop loop{clock, {.maxCatchupTicks = 3}};
  loop.Step([](Tick) {});
  clock.Advance(kTickDuration * 10);
  EXPECT_EQ(loop.Step([](Tick) {}), 3U);
  EXPECT_EQ(loop.DroppedTicks(), 7U);
  const MonotonicTime before = clock.Now();
  EXPECT_EQ(loop.Step([](Tick) {}), 1U) << "the schedule has moved; nothing is owed";
  EXPECT_GT(clock.Now(), before);
  EXPECT_EQ(loop.DroppedTicks(), 7U);
}

TEST(FixedStepLoop, AShortStallIsCaughtUpInFull) {
  ManualClock clock;
  FixedStepLoop loop{clock};
  loop.Step([](Tick) {});
  clock.Advance(kTickDuration * 3);
  EXPECT_EQ(loop.Step([](Tick) {}), 3U);
  EXPECT_EQ(loop.DroppedTicks(), 0U);
  EXPECT_EQ(loop.LateTicks(), 2U) << "two of them were due a step or more ago";
}

TEST(FixedStepLoop, RunsOneCatchUpTickWhereOnlyOneIsAllowed) {
  ManualClock clock;
  FixedStepLoop loop{clock, {.maxCatchupTicks = 1}};
  clock.Advance(kTickDuration * 5);
  EXPECT_EQ(loop.Step([](Tick) {}), 1U);
  EXPECT_EQ(loop.DroppedTicks(), 4U);
}

TEST(FixedStepLoop, SlowTicksLowerTheRateInsteadOfPilingUp) {
  ManualClock clock;
  FixedStepLoop loop{clock};
  std::uint64_t ran = 0;
  while (clock.Now().time_since_epoch() < seconds{10}) {
    ran += loop.Step([&](Tick) { clock.Advance(milliseconds{40}); });
  }
  EXPECT_NEAR(static_cast<double>(ran), 250.0, 3.0) << "25 ticks a second is what 40 ms allow";
  EXPECT_NEAR(static_cast<double>(ran + loop.DroppedTicks()), 600.0, 8.0)
      << "run and dropped are all the time there was";
  EXPECT_GT(loop.LateTicks(), 200U);
}

TEST(FixedStepLoop, APauseIsForgottenNotDropped) {
  ManualClock clock;
  FixedStepLoop loop{clock};
  loop.Step([](Tick) {});
  clock.Advance(seconds{30});
  loop.Resynchronise();
  EXPECT_EQ(loop.Step([](Tick) {}), 1U);
  EXPECT_EQ(loop.DroppedTicks(), 0U);
  EXPECT_EQ(loop.Current(), Tick{2});
}

}  // namespace
}  // namespace muster::simulation
