// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the gate reads from what programs print and write.
#include "ErrorText.h"
#include "GateErrors.h"
#include "GatePlaces.h"
#include "PathWatch.h"
#include "ServerProcess.h"
#include "SwarmOutcome.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <string>

namespace muster::gate::test {
namespace {

using Json = nlohmann::json;

TEST(PrintedError, IsTheLastOneWithItsCodeAndName) {
  const auto error = FindLastError(
      "t warning: MU1205 UndefinedSymbol: It was not loaded. Do: Build it.\n"
      "t error server: MU3103 AddressInUse: The port is taken. Cause: bind. Do: Choose another.\nstopped\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->id, "MU3103 AddressInUse");
  EXPECT_TRUE(error->isComplete);
  EXPECT_NE(error->line.find("Choose another"), std::string::npos);
  EXPECT_EQ(error->line.find("stopped"), std::string::npos);
}

TEST(PrintedError, IsIncompleteWithoutASentenceOrAnAction) {
  EXPECT_FALSE(FindLastError("MU3103 AddressInUse: The port is taken.")->isComplete);
  EXPECT_FALSE(FindLastError("MU3103 AddressInUse: Do: Choose another.")->isComplete);
  EXPECT_FALSE(FindLastError("MU3103 AddressInUse: The port is taken. Do: ")->isComplete);
}

TEST(PrintedError, IsNothingThatOnlyLooksLikeACode) {
  EXPECT_FALSE(FindLastError(""));
  EXPECT_FALSE(FindLastError("MU"));
  EXPECT_FALSE(FindLastError("MU12 Name: text MUSTER MU12345 Name: MU1234: x MU1234 : y MU1234 Name"));
  EXPECT_EQ(FindLastError("MU1001 PluginNotFound: gone. Do: x MU").value().id, "MU1001 PluginNotFound");
}

Json SwarmJson() {
  return {{"clients", 64},
          {"clients_connected", 63},
          {"clients_refused", 1},
          {"clients_disconnected", 2},
          {"malformed_messages", 3},
          {"inputs_sent", 200},
          {"inputs_late", 5},
          {"snapshots_received", 900},
          {"generator_bound", true},
          {"observed_server_tick_hz", {{"min", 59.75}}},
          {"failures", {{"MU1 rare", 1}, {"MU2 often", 5}}},
          {"server_tick", {{"peers", 64}, {"dropped_ticks", 7}, {"wire_out_kbs", 640.0}, {"wire_peers", 64}}}};
}

TEST(SwarmReport, GivesWhatIsJudged) {
  const auto outcome = ParseSwarmReport(SwarmJson().dump());
  ASSERT_TRUE(outcome) << outcome.Failure().ToString();
  EXPECT_EQ(outcome->clients, 64u);
  EXPECT_EQ(outcome->connected, 63u);
  EXPECT_EQ(outcome->refused, 1u);
  EXPECT_EQ(outcome->disconnected, 2u);
  EXPECT_EQ(outcome->malformed, 3u);
  EXPECT_TRUE(outcome->isGeneratorBound);
  EXPECT_EQ(outcome->inputsLateShare, 0.025);
  EXPECT_EQ(outcome->minObservedHz, 59.75);
  ASSERT_TRUE(outcome->server);
  EXPECT_EQ(outcome->server->droppedTicks, 7u);
  EXPECT_EQ(outcome->firstFailure, "MU2 often");
}

TEST(SwarmReport, WithoutAJudgedFieldIsNoReport) {
  for (const char* field : {"clients", "clients_connected", "clients_refused", "clients_disconnected",
                            "malformed_messages", "inputs_sent", "inputs_late", "generator_bound"}) {
    Json json = SwarmJson();
    json.erase(field);
    const auto outcome = ParseSwarmReport(json.dump());
    ASSERT_FALSE(outcome) << field;
    EXPECT_EQ(outcome.Failure().code, kReportUnreadable);
    EXPECT_NE(outcome.Failure().cause.find(field), std::string::npos);
  }
}

TEST(SwarmReport, LeavesARateThatNobodyObservedOpen) {
  Json json = SwarmJson();
  json["observed_server_tick_hz"] = nullptr;
  const auto outcome = ParseSwarmReport(json.dump());
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->minObservedHz);
}

TEST(LastLines, AreTheLastOnesWithoutEmptyOnes) {
  EXPECT_EQ(LastLines("a\nb\nc\n", 1), "c\n");
  EXPECT_EQ(LastLines("a\nb\nc\n", 2), "b\nc\n");
  EXPECT_EQ(LastLines("a\nb", 1), "b");
  EXPECT_EQ(LastLines("a\nb", 9), "a\nb");
  EXPECT_EQ(LastLines("", 3), "");
}

TEST(ShownPath, IsShortBelowTheCurrentFolderAndWholeElsewhere) {
  const auto here = std::filesystem::current_path();
  EXPECT_EQ(ShownPath(here / "a" / "b.json"), std::filesystem::path{"a/b.json"});
  EXPECT_EQ(ShownPath("a/b.json"), std::filesystem::path{"a/b.json"});
  EXPECT_EQ(ShownPath(here.parent_path() / "b.json"), here.parent_path() / "b.json");
}

PathPoint At(std::uint64_t tick, double x, double speed, std::uint8_t generation = 1) {
  return {.tick = Tick{tick}, .generation = generation, .position = {x, 100.0, 0.0}, .velocity = {speed, 0.0, 0.0}};
}

TEST(PathWatch, TakesMotionByItsVelocityForUnbroken) {
  PathWatch watch;
  for (std::uint64_t tick = 60; tick <= 120; tick += 6) {
    watch.Observe(NetId{7}, At(tick, static_cast<double>(tick) * 2.5, 150.0));
  }
  EXPECT_EQ(watch.Figures().steps, 10u);
  EXPECT_EQ(watch.Figures().jumps, 0u);
  EXPECT_LT(watch.Figures().largestMeters, 1e-9);
}

TEST(PathWatch, SeesAJumpOfAFewMetres) {
  PathWatch watch;
  watch.Observe(NetId{7}, At(60, 0.0, 150.0));
  watch.Observe(NetId{7}, At(66, 15.0 + 2.0, 150.0));
  EXPECT_EQ(watch.Figures().jumps, 1u);
  EXPECT_NEAR(watch.Figures().largestMeters, 2.0, 1e-9);
}

TEST(PathWatch, SeesWhatIsNoNumber) {
  PathWatch watch;
  watch.Observe(NetId{7}, At(60, 0.0, 150.0));
  watch.Observe(NetId{7}, At(66, std::numeric_limits<double>::quiet_NaN(), 150.0));
  EXPECT_EQ(watch.Figures().jumps, 1u);
}

TEST(PathWatch, ComparesNothingAcrossGenerationsAbsencesOrLongGaps) {
  PathWatch watch;
  watch.Observe(NetId{7}, At(60, 0.0, 0.0));
  watch.Observe(NetId{7}, At(61, 5'000.0, 0.0, 2));
  watch.Forget(NetId{7});
  watch.Observe(NetId{7}, At(62, 9'000.0, 0.0, 2));
  watch.Observe(NetId{7}, At(62 + 121, 20'000.0, 0.0, 2));
  EXPECT_EQ(watch.Figures().steps, 0u);
  EXPECT_EQ(watch.Figures().jumps, 0u);
}

TEST(PathWatch, PassesOverWhatIsOlder) {
  PathWatch watch;
  watch.Observe(NetId{7}, At(60, 0.0, 0.0));
  watch.Observe(NetId{7}, At(60, 900.0, 0.0));
  watch.Observe(NetId{7}, At(59, 900.0, 0.0));
  EXPECT_EQ(watch.Figures().steps, 0u);
}

}  // namespace
}  // namespace muster::gate::test
