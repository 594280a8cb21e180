// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Verdict.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace muster::gate::test {
namespace {

RunFigures Good() {
  RunFigures run;
  run.clients = 64;
  run.connected = 64;
  run.minObservedHz = 59.98;
  run.wireKbsPerClient = 52.0;
  run.droppedTicks = 0;
  run.serverExit = 0;
  return run;
}

/// Late ticks of which all waited for a processor: a full machine's.
RunFigures OnAFullMachine() {
  RunFigures run = Good();
  run.lateTicks = 100;
  run.lateTicksWaiting = 100;
  run.generatorLateShare = 0.1;
  run.generatorWaitShare = 0.1;
  return run;
}

TEST(Verdict, IsHeldWhenEveryFigureMeetsItsBar) {
  const Judgement judgement = JudgeRun(Good());
  EXPECT_EQ(judgement.verdict, Verdict::Held);
  EXPECT_TRUE(judgement.reason.empty());
}

TEST(Verdict, IsHeldOnAFullMachineThatKeptUp) {
  EXPECT_EQ(JudgeRun(OnAFullMachine()).verdict, Verdict::Held);
}

struct BarCase {
  const char* figure;
  std::function<void(RunFigures&)> spoil;
};

class VerdictBar : public ::testing::TestWithParam<BarCase> {};

TEST_P(VerdictBar, BitesAndIsNamed) {
  RunFigures run = Good();
  GetParam().spoil(run);
  const Judgement judgement = JudgeRun(run);
  EXPECT_EQ(judgement.verdict, Verdict::Short);
  EXPECT_NE(judgement.reason.find(GetParam().figure), std::string::npos) << judgement.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Every, VerdictBar,
    ::testing::Values(BarCase{"clients_connected", [](RunFigures& run) { run.connected = 63; }},
                      BarCase{"clients_refused", [](RunFigures& run) { run.refused = 1; }},
                      BarCase{"clients_disconnected", [](RunFigures& run) { run.disconnected = 1; }},
                      BarCase{"malformed_messages", [](RunFigures& run) { run.malformed = 1; }},
                      BarCase{"min_observed_hz", [](RunFigures& run) { run.minObservedHz = 59.49; }},
                      BarCase{"min_observed_hz", [](RunFigures& run) { run.minObservedHz.reset(); }},
                      BarCase{"dropped_ticks_after_settling", [](RunFigures& run) { run.droppedTicks = 1; }},
                      BarCase{"dropped_ticks_after_settling", [](RunFigures& run) { run.droppedTicks.reset(); }},
                      BarCase{"wire_kbs_per_client", [](RunFigures& run) { run.wireKbsPerClient = 150.1; }},
                      BarCase{"wire_kbs_per_client", [](RunFigures& run) { run.wireKbsPerClient.reset(); }},
                      BarCase{"generator", [](RunFigures& run) { run.isGeneratorBound = true; }},
                      BarCase{"server_exit", [](RunFigures& run) { run.serverExit = 1; }},
                      BarCase{"server_exit", [](RunFigures& run) { run.serverExit.reset(); }}));

TEST(Verdict, IsTheMachinesWhenMostLateTicksWaitedForAProcessor) {
  RunFigures run = OnAFullMachine();
  run.minObservedHz = 48.0;
  run.droppedTicks = 88;
  run.lateTicksWaiting = 51;
  const Judgement judgement = JudgeRun(run);
  EXPECT_EQ(judgement.verdict, Verdict::Machine);
  EXPECT_NE(judgement.reason.find("51 of 100"), std::string::npos) << judgement.reason;
}

TEST(Verdict, IsShortWhenNotMoreThanHalfOfTheLateTicksWaited) {
  RunFigures run = OnAFullMachine();
  run.minObservedHz = 48.0;
  run.lateTicksWaiting = 50;
  EXPECT_EQ(JudgeRun(run).verdict, Verdict::Short);
}

TEST(Verdict, IsShortWhenTheRateFellWithoutALateTick) {
  RunFigures run = OnAFullMachine();
  run.minObservedHz = 48.0;
  run.lateTicks = 0;
  run.lateTicksWaiting = 0;
  EXPECT_EQ(JudgeRun(run).verdict, Verdict::Short);
}

TEST(Verdict, IsTheMachinesWhenALateGeneratorWaited) {
  RunFigures run = OnAFullMachine();
  run.isGeneratorBound = true;
  EXPECT_EQ(JudgeRun(run).verdict, Verdict::Machine);
  run.generatorWaitShare = 0.05;
  EXPECT_EQ(JudgeRun(run).verdict, Verdict::Short);
}

TEST(Verdict, NeedsAnExplanationForEachOfRateAndGenerator) {
  RunFigures run = OnAFullMachine();
  run.isGeneratorBound = true;
  run.minObservedHz = 48.0;
  EXPECT_EQ(JudgeRun(run).verdict, Verdict::Machine);
  RunFigures slowServer = run;
  slowServer.lateTicksWaiting = 0;
  EXPECT_EQ(JudgeRun(slowServer).verdict, Verdict::Short);
  RunFigures slowGenerator = run;
  slowGenerator.generatorWaitShare = 0;
  EXPECT_EQ(JudgeRun(slowGenerator).verdict, Verdict::Short);
}

TEST(Verdict, NeverExcusesMoreThanTheRate) {
  const std::vector<std::function<void(RunFigures&)>> spoilers{
      [](RunFigures& run) { run.connected = 63; },         [](RunFigures& run) { run.refused = 1; },
      [](RunFigures& run) { run.disconnected = 1; },       [](RunFigures& run) { run.malformed = 1; },
      [](RunFigures& run) { run.wireKbsPerClient = 151; }, [](RunFigures& run) { run.serverExit = 134; },
      [](RunFigures& run) { run.minObservedHz.reset(); },  [](RunFigures& run) { run.droppedTicks.reset(); }};
  for (const auto& spoil : spoilers) {
    RunFigures run = OnAFullMachine();
    run.minObservedHz = 48.0;
    spoil(run);
    EXPECT_EQ(JudgeRun(run).verdict, Verdict::Short) << JudgeRun(run).reason;
  }
}

TEST(Verdict, FollowsATightenedBar) {
  EXPECT_EQ(JudgeRun(Good(), {.minObservedHz = 59.99}).verdict, Verdict::Short);
  EXPECT_EQ(JudgeRun(Good(), {.maxWireKbsPerClient = 51.9}).verdict, Verdict::Short);
}

}  // namespace
}  // namespace muster::gate::test
