// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Clock.h"
#include "Support/AssertionExpectation.h"
#include "Support/ClockSteps.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace muster {
namespace {

using namespace std::chrono_literals;

TEST(SteadyClock, NeverGoesBack) {
  const SteadyClock clock;
  MonotonicTime last = clock.Now();
  for (int i = 0; i < 10'000; ++i) {
    const MonotonicTime now = clock.Now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(SteadyClock, SleepsUntilTheDeadlineAndNotAfterOne) {
  SteadyClock clock;
  const MonotonicTime start = clock.Now();
  clock.SleepUntil(start + 5ms);
  EXPECT_GE(clock.Now(), start + 5ms);
  const MonotonicTime before = clock.Now();
  clock.SleepUntil(start);
  clock.SleepUntil(MonotonicTime{-5s});
  EXPECT_LT(clock.Now() - before, 2s) << "a past deadline was slept on";
}

TEST(ManualClock, StandsUntilItIsMoved) {
  ManualClock clock(test::AtSeconds(3));
  EXPECT_EQ(clock.Now(), test::AtSeconds(3));
  clock.Advance(250ms);
  EXPECT_EQ(clock.Now(), test::AtSeconds(3.25));
}

TEST(ManualClock, JumpsToTheDeadlineInsteadOfSleeping) {
  ManualClock clock;
  clock.SleepUntil(test::AtSeconds(3600));
  EXPECT_EQ(clock.Now(), test::AtSeconds(3600));
  clock.SleepUntil(test::AtSeconds(10));
  EXPECT_EQ(clock.Now(), test::AtSeconds(3600)) << "went back";
}

TEST(ManualClock, RefusesToGoBack) {
  ManualClock clock;
  EXPECT_ASSERTION(clock.Advance(-1ns), "does not go back");
}

TEST(ManualClock, EndsAtTheLatestDeadlineOfSeveralSleepers) {
  ManualClock clock;
  std::vector<std::thread> sleepers;
  for (int sleeper = 1; sleeper <= 4; ++sleeper) {
    sleepers.emplace_back([&clock, sleeper] {
      for (int step = 1; step <= 1000; ++step) {
        const MonotonicTime deadline = MonotonicTime{} + step * sleeper * 1us;
        clock.SleepUntil(deadline);
        EXPECT_GE(clock.Now(), deadline);
      }
    });
  }
  for (std::thread& sleeper : sleepers) {
    sleeper.join();
  }
  EXPECT_EQ(clock.Now(), MonotonicTime{} + 4ms);
}

TEST(StepClock, VisitsEveryStepAndTheEnd) {
  ManualClock clock;
  std::vector<MonotonicTime> seen;
  test::StepClock(clock, 25ms, 10ms, [&](MonotonicTime now) { seen.push_back(now); });
  EXPECT_EQ(seen, (std::vector<MonotonicTime>{MonotonicTime{10ms}, MonotonicTime{20ms}, MonotonicTime{25ms}}));
}

}  // namespace
}  // namespace muster
