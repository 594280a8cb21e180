// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FlightPattern.h"
#include "SeriesStats.h"
#include "SwarmReport.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace muster::swarm {
namespace {

TEST(FlightPattern, EveryPatternStaysWithinTheControls) {
  for (const std::string_view name : PatternNames()) {
    for (std::uint32_t index = 0; index < 5; ++index) {
      auto pattern = MakePattern(name, index, 7);
      ASSERT_TRUE(pattern) << name;
      for (std::uint64_t tick = 0; tick < 6'000; ++tick) {
        const mu_control control = (*pattern)->At(Tick{tick});
        EXPECT_GE(control.throttle, 0.0F);
        EXPECT_LE(control.throttle, 1.0F);
        for (const float value : {control.elevator, control.aileron, control.rudder}) {
          EXPECT_LE(std::abs(value), 1.0F) << name;
        }
      }
    }
  }
}

TEST(FlightPattern, RandomRepeatsWithItsSeedAndDiffersByClient) {
  const auto digest = [](std::uint32_t index, std::uint64_t seed) {
    auto pattern = MakePattern("random", index, seed);
    float sum = 0;
    for (std::uint64_t tick = 0; tick < 600; ++tick) {
      sum += (*pattern)->At(Tick{tick}).aileron * static_cast<float>(tick % 7 + 1);
    }
    return sum;
  };
  EXPECT_EQ(digest(3, 9), digest(3, 9));
  EXPECT_NE(digest(3, 9), digest(4, 9));
  EXPECT_NE(digest(3, 9), digest(3, 10));
}

TEST(FlightPattern, UnknownNameListsTheKnownOnes) {
  const auto pattern = MakePattern("hover", 0, 1);
  ASSERT_FALSE(pattern);
  EXPECT_EQ(pattern.Failure().code, kPatternUnknown);
  EXPECT_NE(pattern.Failure().cause.find("weave"), std::string::npos);
}

TEST(PatternMix, DealsByCumulativeWeight) {
  const auto mix = PatternMix::Parse("weave:80,aggressive:15,idle:5");
  ASSERT_TRUE(mix);
  std::map<std::string, int> counts;
  for (std::uint32_t i = 0; i < 100; ++i) {
    ++counts[std::string{mix->At(i, 100)}];
  }
  EXPECT_EQ(counts["weave"], 80);
  EXPECT_EQ(counts["aggressive"], 15);
  EXPECT_EQ(counts["idle"], 5);
}

TEST(PatternMix, RefusesWhatIsNoMix) {
  for (const char* text :
       {"", "weave:", "weave:0", "weave:-1", "weave:x", "weave:80,", "hover:3", "weave:1000001", "weave:1.5"}) {
    EXPECT_FALSE(PatternMix::Parse(text)) << text;
  }
}

std::vector<RssSample> Series(double (*kibAt)(double seconds), double everySeconds, double totalSeconds) {
  std::vector<RssSample> samples;
  for (double t = 0; t <= totalSeconds; t += everySeconds) {
    samples.push_back({t, kibAt(t)});
  }
  return samples;
}

TEST(RssTrend, FlatIsFlat) {
  const RssTrend trend = TrendOf(Series([](double) { return 80'000.0; }, 30, 7'200));
  EXPECT_TRUE(trend.isKnown);
  EXPECT_EQ(trend.slopeKibPerMinute, 0.0);
}

TEST(RssTrend, OneStepIsReportedButIsNoSlope) {
  const RssTrend trend = TrendOf(Series([](double t) { return t < 5'000 ? 80'000.0 : 86'100.0; }, 30, 7'200));
  EXPECT_EQ(trend.slopeKibPerMinute, 0.0);
  EXPECT_EQ(trend.stepMaxKib, 6'100.0);
  EXPECT_NEAR(trend.stepAtSeconds, 5'010.0, 30.0);
}

TEST(RssTrend, ALeakShowsAtItsRate) {
  const RssTrend trend = TrendOf(Series([](double t) { return 80'000.0 + t * 3.0; }, 30, 7'200));
  EXPECT_NEAR(trend.slopeKibPerMinute, 180.0, 1.0);
}

TEST(RssTrend, AStaircaseIsALeakWhateverItsPeriod) {
  // 600 s is exactly one span of the tail: steps on the borders must not vanish between two spans.
  const RssTrend aligned =
      TrendOf(Series([](double t) { return 80'000.0 + 2'050.0 * std::floor(t / 600.0); }, 30, 7'200));
  EXPECT_NEAR(aligned.slopeKibPerMinute, 205.0, 1.0);
  const RssTrend offset =
      TrendOf(Series([](double t) { return 80'000.0 + 2'050.0 * std::floor((t + 250.0) / 600.0); }, 30, 7'200));
  EXPECT_NEAR(offset.slopeKibPerMinute, 205.0, 1.0);
}

TEST(RssTrend, TooFewSamplesAreNotJudged) {
  EXPECT_FALSE(TrendOf({}).isKnown);
  EXPECT_FALSE(TrendOf(Series([](double) { return 1.0; }, 30, 90)).isKnown);
  EXPECT_TRUE(TrendOf(Series([](double) { return 1.0; }, 10, 90)).isKnown);
}

ClientResult GoodClient() {
  ClientResult client;
  client.isConnected = true;
  client.observedHz = 60;
  client.downstreamKbs = 70;
  client.inputsSent = 600;
  client.latencyMs = {10, 20, 30};
  return client;
}

SwarmOptions OptionsFor(std::uint32_t clients) {
  SwarmOptions options;
  options.clients = clients;
  options.durationSeconds = 10;
  return options;
}

TEST(SwarmReport, PassesWhenAllIsWell) {
  SwarmOptions options = OptionsFor(2);
  options.assertions.minTickHz = 59.5;
  options.assertions.maxKbs = 150;
  const SwarmReport report = MakeReport(options, {GoodClient(), GoodClient()}, {}, {}, {});
  EXPECT_TRUE(report.IsPassed());
  EXPECT_EQ(report.latencyMs.count, 6U);
  EXPECT_EQ(nlohmann::json::parse(ToJson(report))["clients_connected"], 2);
}

TEST(SwarmReport, EachShortcomingFails) {
  ClientResult refused = GoodClient();
  refused.isConnected = false;
  refused.isRefused = true;
  EXPECT_FALSE(MakeReport(OptionsFor(2), {GoodClient(), refused}, {}, {}, {}).IsPassed());

  ClientResult lost = GoodClient();
  lost.isDisconnected = true;
  EXPECT_FALSE(MakeReport(OptionsFor(2), {GoodClient(), lost}, {}, {}, {}).IsPassed());

  SwarmOptions strict = OptionsFor(1);
  strict.assertions.minTickHz = 60.5;
  EXPECT_FALSE(MakeReport(strict, {GoodClient()}, {}, {}, {}).IsPassed());
}

TEST(SwarmReport, WhatCannotBeMeasuredIsNoPass) {
  SwarmOptions options = OptionsFor(1);
  options.assertions.maxTickMs = 1'000;
  const SwarmReport report = MakeReport(options, {GoodClient()}, {}, {}, {});
  ASSERT_EQ(report.assertions.size(), 1U);
  EXPECT_FALSE(report.assertions[0].isMet);
  EXPECT_FALSE(report.IsPassed());
  EXPECT_TRUE(nlohmann::json::parse(ToJson(report))["assertions"][0]["value"].is_null());
}

TEST(SwarmReport, AGeneratorThatLagsSaysSoAndFails) {
  ClientResult client = GoodClient();
  client.inputsLate = 7;
  const SwarmReport report = MakeReport(OptionsFor(1), {client}, {}, {}, {});
  EXPECT_TRUE(report.IsGeneratorBound());
  EXPECT_FALSE(report.IsPassed());
  EXPECT_NE(ToText(report).find("GENERATOR-BOUND"), std::string::npos);
  client.inputsLate = 6;
  EXPECT_FALSE(MakeReport(OptionsFor(1), {client}, {}, {}, {}).IsGeneratorBound());
}

TEST(SwarmReport, StatesTheBadLineAndWhatTheRelayDid) {
  SwarmOptions options = OptionsFor(1);
  options.degrade.startSeconds = 3;
  options.degrade.durationSeconds = 4;
  options.degrade.loss = 0.05;
  SwarmReport report = MakeReport(options, {GoodClient()}, {}, {}, {});
  EXPECT_TRUE(nlohmann::json::parse(ToJson(report))["degrade"].is_null()) << "no relay, no window";
  report.relay.emplace();
  report.relay->fromClients = 900;
  report.relay->fromServer = 100;
  report.relay->lost = 50;
  const auto json = nlohmann::json::parse(ToJson(report))["degrade"];
  EXPECT_EQ(json["start_s"], 3.0);
  EXPECT_EQ(json["duration_s"], 4.0);
  EXPECT_EQ(json["loss"], 0.05);
  EXPECT_EQ(json["lost"], 50);
  EXPECT_NE(ToText(report).find("lost 50 of 1000 datagrams"), std::string::npos);
}

TEST(SwarmReport, SurvivesTextsThatAreNoUtf8) {
  ClientResult client = GoodClient();
  client.failure = "refused: \xC3\x28";
  const SwarmReport report = MakeReport(OptionsFor(1), {client}, {}, {}, {});
  EXPECT_TRUE(nlohmann::json::accept(ToJson(report)));
}

}  // namespace
}  // namespace muster::swarm
