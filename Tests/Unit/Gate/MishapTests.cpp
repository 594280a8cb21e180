// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What checks of mishaps read: the server's status, what it holds, its log's times, a stepped clock.
#include "BenchOutcome.h"
#include "ChildProcess.h"
#include "ErrorText.h"
#include "Footprint.h"
#include "FuzzOutcome.h"
#include "GateErrors.h"
#include "LogTime.h"
#include "ServerStatus.h"

#include "Core/Files.h"
#include "Support/TemporaryDirectoryTest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace muster::gate::test {
namespace {

constexpr const char* kStatus =
    "tick 12345  59.98 Hz  tick p99 3.250 ms  dropped 7  late 9 (4 waiting for a processor)\n"
    "players 64  entities 564  running\n"
    "sessions 66  joined 70  refused 100  left 2  lost 4\n"
    "packets out 5000 (acknowledged 4900, lost 30), in 4800\n"
    "wire out 6000 datagrams 700000 bytes, in 9000 datagrams 80000 bytes; dropped 300\n"
    "  forged 120\n"
    "  gate_address_budget 180\n"
    "  half_open 2\n"
    "  receive_errors 5\n"
    "  refused_connections 6\n";

TEST(ServerStatus, ReadsEveryNumberFromItsPlace) {
  const auto status = ParseServerStatus(kStatus);
  ASSERT_TRUE(status) << status.Failure().ToString();
  EXPECT_EQ(status->tick, 12'345u);
  EXPECT_EQ(status->droppedTicks, 7u);
  EXPECT_EQ(status->players, 64u);
  EXPECT_EQ(status->entities, 564u);
  EXPECT_EQ(status->sessions, 66u);
  EXPECT_EQ(status->joined, 70u);
  EXPECT_EQ(status->refused, 100u);
  EXPECT_EQ(status->packetsOut, 5'000u);
  EXPECT_EQ(status->packetsAcknowledged, 4'900u);
  EXPECT_EQ(status->packetsLost, 30u);
  EXPECT_EQ(status->packetsIn, 4'800u);
  EXPECT_EQ(status->datagramsIn, 9'000u);
  EXPECT_EQ(status->dropped, 300u);
  EXPECT_EQ(status->Count("forged"), 120u);
  EXPECT_EQ(status->Count("half_open"), 2u);
  EXPECT_EQ(status->Count("replayed"), 0u);
  EXPECT_EQ(status->TurnedAway(), 311u);
}

TEST(ServerStatus, IsNoStatusWhenANumberIsMissing) {
  for (const char* word : {"dropped 7", "players ", "sessions ", "lost 30", "in 4800", "dropped 300"}) {
    std::string text = kStatus;
    text.erase(text.find(word), std::string{word}.size());
    const auto status = ParseServerStatus(text);
    ASSERT_FALSE(status) << word;
    EXPECT_EQ(status.Failure().code, kReportUnreadable);
  }
  EXPECT_FALSE(ParseServerStatus(""));
}

TEST(Leftovers, AreWhateverIsNotAsBefore) {
  const Footprint before{.players = 0,
                         .sessions = 0,
                         .halfOpen = 0,
                         .entities = 50,
                         .descriptors = 12,
                         .threads = 4,
                         .residentKib = 9'000};
  EXPECT_EQ(Leftovers(before, before), "none");
  Footprint after = before;
  after.residentKib = 90'000;
  EXPECT_EQ(Leftovers(before, after), "none") << "memory has a bar of its own";
  after.entities = 51;
  after.threads = 3;
  EXPECT_EQ(Leftovers(before, after), "entities 50 -> 51, threads 4 -> 3");
  for (std::uint64_t Footprint::*field : {&Footprint::players, &Footprint::sessions, &Footprint::halfOpen,
                                          &Footprint::entities, &Footprint::descriptors, &Footprint::threads}) {
    Footprint one = before;
    ++(one.*field);
    EXPECT_NE(Leftovers(before, one), "none");
  }
}

TEST(Resident, IsKnownOfALivingProcessOnly) {
  EXPECT_GT(ResidentKibOf(::getpid()), 1'000u);
  EXPECT_EQ(ResidentKibOf(-1), 0u);
}

TEST(LogTime, IsThatOfTheLine) {
  const auto time = LogTimeOf("2026-02-03T04:05:06.789Z info server: SIGHUP: Nothing differs.");
  ASSERT_TRUE(time);
  EXPECT_EQ(std::chrono::duration_cast<std::chrono::milliseconds>(time->time_since_epoch()).count(), 1'770'091'506'789);
  for (const char* line :
       {"", "info server: no time", "2026-02-03 04:05:06.789Z info", "2026-02-03T04:05:06.789 info x"}) {
    EXPECT_FALSE(LogTimeOf(line)) << line;
  }
}

TEST(Ending, SaysWhatIsWrongAboutIt) {
  const std::string sound = "MU3103 AddressInUse: Port 4778 is taken. Do: Choose another.";
  EXPECT_EQ(DescribeEnding(sound, {"4778"}, 1), "MU3103 AddressInUse");
  EXPECT_NE(DescribeEnding(sound, {"4779"}, 1).find("does not say \"4779\""), std::string::npos);
  EXPECT_NE(DescribeEnding(sound, {}, 0).find("ended with 0"), std::string::npos);
  EXPECT_NE(DescribeEnding(sound, {}, 139).find("ended with 139"), std::string::npos);
  EXPECT_NE(DescribeEnding(sound, {}, std::nullopt).find("went on"), std::string::npos);
  EXPECT_EQ(DescribeEnding("nothing", {}, 1), "no named error");
}

TEST(BenchReport, GivesEachRatioAsAFigure) {
  const auto report =
      ParseBenchReport(R"({"complete": true, "ratios": [{"name": "a", "value": 0.44}, {"name": "b", "value": null}]})");
  ASSERT_TRUE(report) << report.Failure().ToString();
  EXPECT_TRUE(report->isComplete);
  ASSERT_EQ(report->ratios.size(), 2u);
  EXPECT_EQ(report->ratios[0].name, "a");
  EXPECT_EQ(std::get<double>(*report->ratios[0].value), 0.44);
  EXPECT_FALSE(report->ratios[1].value);
  EXPECT_FALSE(ParseBenchReport(R"({"ratios": [{"name": "a", "value": 1}]})")->isComplete);
}

TEST(WorstRatio, IsTheLargestOfThoseThatMatchAndNoneWithoutAllOfThem) {
  const std::vector<Figure> ratios{{.name = "even.a.2km", .value = 1.5},
                                   {.name = "even.b.2km", .value = 2.25},
                                   {.name = "even.b.nearest", .value = 9.0},
                                   {.name = "even.c.gap"}};
  const WorstRatio worst = WorstOf(ratios, "even", std::regex{R"(even\..*\.2km)"});
  EXPECT_EQ(worst.figure.name, "even");
  EXPECT_EQ(std::get<double>(*worst.figure.value), 2.25);
  EXPECT_EQ(worst.of, "even.b.2km");
  EXPECT_FALSE(WorstOf(ratios, "x", std::regex{"even"}).figure.value) << "the whole name must match";
  EXPECT_FALSE(WorstOf(ratios, "x", std::regex{"even.*"}).figure.value) << "one of them was not measured";
}

TEST(BenchReport, IsNoneWhenItCannotBeReadWhole) {
  for (const char* text :
       {"", "[]", "{}", R"({"ratios": []})", R"({"ratios": [{"name": "a"}]})", R"({"ratios": [{"value": 1}]})",
        R"({"ratios": [{"name": "a", "value": 1}, {"name": "a", "value": 2}]})"}) {
    const auto report = ParseBenchReport(text);
    ASSERT_FALSE(report) << text;
    EXPECT_EQ(report.Failure().code, kReportUnreadable) << text;
  }
}

TEST(FuzzOutput, TellsRunsAndSecondsOnlyOfARunThatCameToItsEnd) {
  const auto outcome =
      ParseFuzzOutput("#8192\tpulse\nDone 1 runs in 1 second(s)\n#9\nDone 65536 runs in 601 second(s)\n");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->executions, 65'536u);
  EXPECT_EQ(outcome->seconds, 601);
  for (const char* text : {"", "#8192 pulse cov: 12", "Done  runs in", "Done 12 runs in x", "Done 12 run"}) {
    EXPECT_FALSE(ParseFuzzOutput(text)) << text;
  }
}

TEST(FuzzOutput, NamesTheFinding) {
  EXPECT_EQ(FuzzFinding("x\nSUMMARY: AddressSanitizer: SEGV a.cpp:3\nmore"), "SUMMARY: AddressSanitizer: SEGV a.cpp:3");
  EXPECT_EQ(FuzzFinding("a.cpp:3:1: runtime error: shift\n"), "runtime error: shift");
  EXPECT_EQ(FuzzFinding("Done 5 runs in 1 second(s)"), "");
}

class SteppedClock : public muster::test::TemporaryDirectoryTest {};

TEST_F(SteppedClock, TellsTheTimeOfTheFilesOffset) {
  const auto offset = Directory() / "offset";
  for (const int hours : {1, -1, 0}) {
    ASSERT_TRUE(WriteFileAtomically(offset, std::to_string(hours * 3'600)));
    auto date = ChildProcess::Start(
        {.program = "date",
         .arguments = {"+%s"},
         .environment = {
             "LD_PRELOAD=" + (std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "tests/libClockShim.so").string(),
             "MUSTER_CLOCK_OFFSET_FILE=" + offset.string()}});
    ASSERT_TRUE(date) << date.Failure().ToString();
    ASSERT_EQ(date->WaitFor(std::chrono::seconds{20}), 0) << date->ErrorText();
    const auto told = std::strtoll(date->Output().c_str(), nullptr, 10);
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    EXPECT_LT(std::llabs(told - now - hours * 3'600), 600) << hours << " h: " << date->Output();
  }
}

}  // namespace
}  // namespace muster::gate::test
