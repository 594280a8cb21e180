// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Telemetry/ProcessStats.h"
#include "Telemetry/ServerTickReport.h"
#include "Telemetry/TickTimings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>
#include <vector>

namespace muster::telemetry {
namespace {

using namespace std::chrono_literals;

MonotonicTime At(std::chrono::nanoseconds sinceStart) {
  return MonotonicTime{sinceStart};
}

void RecordTick(TickTimings& timings, std::uint64_t number, std::chrono::nanoseconds total,
                std::chrono::nanoseconds ai) {
  const auto start = kTickDuration * static_cast<std::int64_t>(number);
  timings.BeginTick(Tick{number}, At(start));
  timings.AddPhase(Phase::Ai, ai);
  timings.EndTick(At(start + total));
}

TEST(TickTimings, SummaryOfNothingIsEmpty) {
  const TickTimings timings{100};
  const TickSummary summary = timings.Summarise();
  EXPECT_EQ(summary.ticksSampled, 0U);
  EXPECT_EQ(summary.tickHz, 0.0);
  EXPECT_FALSE(timings.Newest());
}

TEST(TickTimings, PercentilesAreNearestRank) {
  TickTimings timings{100};
  timings.Announce(Phase::Ai);
  for (std::uint64_t i = 1; i <= 100; ++i) {
    RecordTick(timings, i, 1ms * static_cast<std::int64_t>(i), 500us * static_cast<std::int64_t>(i));
  }
  const TickSummary summary = timings.Summarise();
  EXPECT_EQ(summary.ticksSampled, 100U);
  EXPECT_DOUBLE_EQ(summary.tick.min, 1.0);
  EXPECT_DOUBLE_EQ(summary.tick.max, 100.0);
  EXPECT_DOUBLE_EQ(summary.tick.mean, 50.5);
  EXPECT_DOUBLE_EQ(summary.tick.p50, 50.0);
  EXPECT_DOUBLE_EQ(summary.tick.p95, 95.0);
  EXPECT_DOUBLE_EQ(summary.tick.p99, 99.0);
  ASSERT_TRUE(summary.phases[static_cast<std::size_t>(Phase::Ai)]);
  EXPECT_DOUBLE_EQ(summary.phases[static_cast<std::size_t>(Phase::Ai)]->p99, 49.5);
  ASSERT_TRUE(summary.other);
  EXPECT_DOUBLE_EQ(summary.other->max, 50.0);
}

TEST(TickTimings, LooksBackOnlyAsFarAsTheWindow) {
  TickTimings timings{10};
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    RecordTick(timings, i, i < 990 ? 9ms : 1ms, 0ns);
  }
  const TickSummary summary = timings.Summarise();
  EXPECT_EQ(summary.ticksTotal, 1'000U);
  EXPECT_EQ(summary.ticksSampled, 10U);
  EXPECT_DOUBLE_EQ(summary.tick.max, 1.0);
  EXPECT_NEAR(summary.tickHz, 60.0, 0.001);
}

TEST(TickTimings, StagesOfOnePhaseAddUp) {
  TickTimings timings{10};
  timings.Announce(Phase::Maintenance);
  timings.BeginTick(Tick{1}, At(0ns));
  timings.AddPhase(Phase::Maintenance, 1ms);
  timings.AddPhase(Phase::Maintenance, 2ms);
  timings.EndTick(At(5ms));
  EXPECT_DOUBLE_EQ(timings.Summarise().phases[static_cast<std::size_t>(Phase::Maintenance)]->max, 3.0);
  EXPECT_EQ(timings.Newest()->phases[static_cast<std::size_t>(Phase::Maintenance)], 3ms);
}

TEST(TickTimings, SummaryWhileRecordingSeesOnlyWholeTicks) {
  TickTimings timings{64};
  timings.Announce(Phase::Ai);
  std::atomic<bool> stop{false};
  std::thread recorder{[&] {
    for (std::uint64_t i = 1; !stop.load(); ++i) {
      // Phase and total of a tick are tied, so a mixture of two ticks would show as a negative rest.
      const auto spent = std::chrono::nanoseconds{static_cast<std::int64_t>(i % 1'000 + 1) * 1'000};
      RecordTick(timings, i, spent * 2, spent);
    }
  }};
  // At least one summary has to catch the recorder at work; the recorder may be slow to start.
  std::size_t seen = 0;
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  for (int round = 0; (round < 300 || seen == 0) && std::chrono::steady_clock::now() < deadline; ++round) {
    const TickSummary summary = timings.Summarise();
    seen += summary.ticksSampled;
    if (summary.ticksSampled > 0) {
      EXPECT_NEAR(summary.tick.mean, 2 * summary.phases[static_cast<std::size_t>(Phase::Ai)]->mean, 1e-9);
    }
  }
  stop = true;
  recorder.join();
  EXPECT_GT(seen, 0U);
}

TEST(ServerTickReport, HasEveryFieldOfTheTable) {
  const char* const fields[] = {"schema_version",
                                "tick_hz",
                                "ticks_sampled",
                                "ticks_total",
                                "window_s",
                                "peers",
                                "entities",
                                "load_factor",
                                "interest_scale",
                                "dropped_ticks",
                                "rss_kb",
                                "rss_startup_kb",
                                "congestion_min_send_hz",
                                "congestion_recovered_send_hz",
                                "congestion_max_loss",
                                "wire_out_kbs",
                                "wire_in_kbs",
                                "wire_out_pps",
                                "wire_peers",
                                "wire_out_kbs_per_client",
                                "tick_ms",
                                "maintenance_ms",
                                "sensing_ms",
                                "integrate_ms",
                                "ai_ms",
                                "collision_ms",
                                "weapons_ms",
                                "serialize_ms",
                                "other_ms"};
  const auto json = nlohmann::json::parse(ToJson(ServerTickReport{}));
  for (const char* field : fields) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_TRUE(json["sensing_ms"].is_null());
  EXPECT_TRUE(json["load_factor"].is_null());
}

TEST(ServerTickReport, ReadsBackWhatItWrote) {
  TickTimings timings{100};
  timings.Announce(Phase::Ai);
  for (std::uint64_t i = 1; i <= 20; ++i) {
    RecordTick(timings, i, 3ms, 1ms);
  }
  ServerTickReport report;
  report.summary = timings.Summarise();
  report.peers = 64;
  report.droppedTicks = 2;
  report.wireOutKbs = 640.0;
  report.wirePeers = 64;
  report.lateTicksWaiting = 1;
  const std::string text = ToJson(report);
  const auto read = ServerTickReportFromJson(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(ToJson(*read), text);
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(text)["wire_out_kbs_per_client"].get<double>(), 10.0);
}

TEST(ServerTickReport, RefusesWhatIsNotAnObject) {
  for (const char* text : {"", "[]", "{\"tick_hz\":", "null", "\xff\xfe"}) {
    const auto read = ServerTickReportFromJson(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.Failure().code, kMetricsMalformed);
  }
}

TEST(ServerTickReport, PassesOverFieldsOfAnotherType) {
  const auto read = ServerTickReportFromJson(R"({"peers": "many", "entities": 7, "tick_ms": 3, "unknown": {}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->peers, 0U);
  EXPECT_EQ(read->entities, 7U);
}

TEST(ServerTickReport, PassesOverNumbersThatTheFieldCannotHold) {
  const auto read = ServerTickReportFromJson(
      R"({"peers": -1, "rss_kb": 1e300, "uptime_ms": 18446744073709551616, "wire_peers": 2.5, "entities": 18446744073709551615})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->peers, 0U);
  EXPECT_EQ(read->rssKib, 0U);
  EXPECT_EQ(read->uptimeMs, 0U);
  EXPECT_FALSE(read->wirePeers);
  EXPECT_EQ(read->entities, ~std::uint64_t{0});
}

TEST(ProcessStats, ReadsThisProcess) {
  EXPECT_GT(ResidentKib(), 100U);
  EXPECT_GT(ProcessCpuTime(), 0ns);
}

TEST(ThreadSchedulerMeter, RunningTimeGrowsWhileTheThreadWorks) {
  const ThreadSchedulerMeter meter;
  const auto before = meter.Read();
  ASSERT_TRUE(before);
  const auto cpuBefore = ProcessCpuTime();
  while (ProcessCpuTime() - cpuBefore < 20ms) {
  }
  const auto after = meter.Read();
  ASSERT_TRUE(after);
  EXPECT_GT(after->running - before->running, 1ms);
}

}  // namespace
}  // namespace muster::telemetry
