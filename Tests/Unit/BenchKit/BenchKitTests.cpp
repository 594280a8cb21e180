// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Report.h"
#include "BenchKit/Sampler.h"
#include "BenchKit/Statistics.h"
#include "Core/Clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace muster::bench {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Statistics, MedianOfAnEvenNumberLiesBetweenTheMiddleTwo) {
  EXPECT_EQ(Summarise({4.0, 1.0, 3.0, 2.0}).median, 2.5);
  EXPECT_EQ(Summarise({9.0, 1.0, 5.0}).median, 5.0);
}

TEST(Statistics, PercentilesAreTakenInProportion) {
  std::vector<double> samples;
  for (int value = 100; value >= 0; --value) {
    samples.push_back(value);
  }
  const Summary summary = Summarise(samples);
  EXPECT_EQ(summary.p10, 10.0);
  EXPECT_EQ(summary.p25, 25.0);
  EXPECT_EQ(summary.median, 50.0);
  EXPECT_EQ(summary.p75, 75.0);
  EXPECT_EQ(summary.p99, 99.0);
  EXPECT_EQ(summary.max, 100.0);
  EXPECT_EQ(summary.samples, 101U);
  EXPECT_EQ(summary.Spread(), 0.5);
}

TEST(Statistics, OneSampleIsAllOfThem) {
  const Summary summary = Summarise({7.0});
  EXPECT_EQ(summary.p10, 7.0);
  EXPECT_EQ(summary.max, 7.0);
  EXPECT_EQ(summary.Spread(), 0.0);
}

TEST(Statistics, NoSampleIsNothing) {
  EXPECT_EQ(Summarise({}), Summary{});
}

/// A case whose pass takes virtual time and leaves its label in a log.
Case Timed(const std::string& label, std::chrono::nanoseconds duration, ManualClock& clock,
           std::vector<std::string>& log) {
  Case timed;
  timed.label = label;
  timed.subject = label;
  timed.unit = "item";
  timed.unitsPerPass = 10.0;
  timed.pass = [&clock, &log, label, duration] {
    clock.Advance(duration);
    log.push_back(label);
  };
  return timed;
}

const auto kNever = [] { return false; };

TEST(Sampler, GivesNanosecondsAUnit) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.name = "g";
  group.cases = {Timed("slow", 200us, clock, log), Timed("fast", 100us, clock, log)};
  const std::vector<Summary> summaries = SampleGroup(group, {}, clock, kNever);
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_EQ(summaries[0].median, 20'000.0);
  EXPECT_EQ(summaries[1].median, 10'000.0);
}

TEST(Sampler, RepeatsShortPassesAndStillGivesThePriceOfOne) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("short", 100ns, clock, log)};
  SamplerOptions options;
  options.minSamples = 5;
  options.maxSamples = 5;
  options.tickSampleTime = 10us;
  const Summary summary = SampleGroup(group, options, clock, kNever).front();
  EXPECT_EQ(summary.median, 10.0);
  EXPECT_EQ(summary.samples, 5U);
  EXPECT_EQ(log.size(), 2U + 5U * 100U);  // two to calibrate, then a hundred a sample
}

TEST(Sampler, HotSamplesAreLonger) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("hot", 1us, clock, log)};
  group.cases[0].mode = Mode::Hot;
  SamplerOptions options;
  options.minSamples = 1;
  options.maxSamples = 1;
  options.hotSampleTime = 300us;
  SampleGroup(group, options, clock, kNever);
  EXPECT_EQ(log.size(), 2U + 300U);
}

TEST(Sampler, TakesCasesInTurn) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("a", 1ms, clock, log), Timed("b", 1ms, clock, log), Timed("c", 1ms, clock, log)};
  SamplerOptions options;
  options.minSamples = 20;
  options.maxSamples = 20;
  SampleGroup(group, options, clock, kNever);
  ASSERT_EQ(log.size(), 6U + 60U);
  std::map<std::string, int> firsts;
  for (std::size_t round = 0; round < 20; ++round) {
    const auto begin = log.begin() + 6 + static_cast<std::ptrdiff_t>(3 * round);
    EXPECT_THAT((std::vector<std::string>{begin, begin + 3}), ::testing::UnorderedElementsAre("a", "b", "c"));
    ++firsts[*begin];
  }
  EXPECT_EQ(firsts.size(), 3U) << "the order is drawn anew for each round";
}

TEST(Sampler, StopsACaseThatHasSpentItsTime) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("slow", 10ms, clock, log), Timed("fast", 1ms, clock, log)};
  SamplerOptions options;
  options.caseTime = 50ms;
  options.minSamples = 3;
  options.maxSamples = 40;
  const std::vector<Summary> summaries = SampleGroup(group, options, clock, kNever);
  EXPECT_EQ(summaries[0].samples, 5U);
  EXPECT_EQ(summaries[1].samples, 40U);
}

TEST(Sampler, IsContentWithFewSamplesOfWhatTakesVeryLong) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("glacial", 1s, clock, log), Timed("slow", 100ms, clock, log)};
  SamplerOptions options;
  options.caseTime = 50ms;
  options.minSamples = 9;
  const std::vector<Summary> summaries = SampleGroup(group, options, clock, kNever);
  EXPECT_EQ(summaries[0].samples, 3U);
  EXPECT_EQ(summaries[1].samples, 5U);
}

TEST(Sampler, GivesAGroupTheTimeItAsksFor) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("slow", 10ms, clock, log)};
  group.caseTime = 200ms;
  SamplerOptions options;
  options.caseTime = 50ms;
  EXPECT_EQ(SampleGroup(group, options, clock, kNever).front().samples, 20U);
}

TEST(Sampler, LeavesPreparationOutOfTheTime) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("prepared", 100us, clock, log)};
  group.cases[0].prepare = [&] {
    clock.Advance(7ms);
    log.push_back("prepare");
  };
  SamplerOptions options;
  options.minSamples = 1;
  options.maxSamples = 1;
  options.tickSampleTime = 200us;
  EXPECT_EQ(SampleGroup(group, options, clock, kNever).front().median, 10'000.0);
  EXPECT_THAT((std::vector<std::string>{log.end() - 4, log.end()}),
              ElementsAre("prepare", "prepared", "prepare", "prepared"));
}

TEST(Sampler, KeepsWhatWasMeasuredBeforeItWasStopped) {
  ManualClock clock;
  std::vector<std::string> log;
  Group group;
  group.cases = {Timed("only", 1ms, clock, log)};
  const std::vector<Summary> some = SampleGroup(group, {}, clock, [&] { return log.size() >= 6; });
  EXPECT_EQ(some.front().samples, 4U);
  EXPECT_EQ(SampleGroup(group, {}, clock, [] { return true; }).front().samples, 0U);
}

TEST(Sampler, TakesAMeasurementAsItIs) {
  ManualClock clock;
  Group group;
  Case lateness;
  lateness.measure = [&clock] {
    clock.Advance(16ms);
    return 123.0;
  };
  group.cases = {lateness};
  SamplerOptions options;
  options.caseTime = 160ms;
  options.minSamples = 1;
  const Summary summary = SampleGroup(group, options, clock, kNever).front();
  EXPECT_EQ(summary.median, 123.0);
  EXPECT_EQ(summary.samples, 10U);
}

Summary Flat(double value) {
  return {value, value, value, value, value, value, 9};
}

Group Pair() {
  Group group;
  group.name = "spatial/gather/5000";
  group.cases.resize(4);
  for (const std::size_t index : {0U, 1U, 2U, 3U}) {
    group.cases[index].label = index % 2 == 0 ? "grid" : "tree";
    group.cases[index].subject = index % 2 == 0 ? "muster.grid" : "a tree";
    group.cases[index].mode = index < 2 ? Mode::Tick : Mode::Hot;
    group.cases[index].unit = "query";
  }
  group.ratios = {{"grid", "tree"}, {"grid", "tree", Mode::Hot}};
  group.figures = {{"hits", 25.0, "hits"}};
  return group;
}

Report Sample() {
  Report report;
  report.revision = "abc";
  report.compiler = "g++ 12.2";
  report.flags = "-O2";
  report.machine = {"A \"quoted\" processor", 2};
  const std::vector<Summary> summaries = {Flat(100.0), Flat(400.0), Flat(80.0), Flat(160.0)};
  AddGroup(report, Pair(), summaries);
  return report;
}

TEST(Report, NamesRatiosAfterTheirGroup) {
  const Report report = Sample();
  ASSERT_EQ(report.ratios.size(), 2U);
  EXPECT_EQ(report.ratios[0], (RatioResult{"spatial.gather.5000.grid_over_tree", 0.25, 0.0}));
  EXPECT_EQ(report.ratios[1], (RatioResult{"spatial.gather.5000.hot.grid_over_tree", 0.5, 0.0}));
  ASSERT_EQ(report.figures.size(), 1U);
  EXPECT_EQ(report.figures[0].name, "spatial.gather.5000.hits");
}

TEST(Report, LeavesOutWhatWasNotMeasured) {
  Report report;
  AddGroup(report, Pair(), std::vector<Summary>{Flat(100.0), Summary{}, Flat(80.0), Flat(160.0)});
  EXPECT_EQ(report.cases.size(), 3U);
  ASSERT_EQ(report.ratios.size(), 1U);
  EXPECT_EQ(report.ratios[0].name, "spatial.gather.5000.hot.grid_over_tree");
}

TEST(Report, ComesBackFromJsonAsItWas) {
  Report report = Sample();
  report.isComplete = false;
  report.cases[0].nanoseconds = Summarise({1.25, 2.5, 1e9, 0.1});
  const Result<Report> parsed = ParseReport(ToJson(report));
  ASSERT_TRUE(parsed) << parsed.Failure().ToString();
  EXPECT_EQ(parsed->revision, report.revision);
  EXPECT_EQ(parsed->compiler, report.compiler);
  EXPECT_EQ(parsed->flags, report.flags);
  EXPECT_EQ(parsed->machine.cpu, report.machine.cpu);
  EXPECT_EQ(parsed->machine.cores, 2U);
  EXPECT_FALSE(parsed->isComplete);
  EXPECT_EQ(parsed->cases, report.cases);
  EXPECT_EQ(parsed->ratios, report.ratios);
  ASSERT_EQ(parsed->figures.size(), 1U);
  EXPECT_EQ(parsed->figures[0].unit, "hits");
}

TEST(Report, RefusesWhatIsNoReport) {
  const std::string json = ToJson(Sample());
  for (std::size_t length = 0; length + 2 < json.size(); length += 7) {
    const Result<Report> parsed = ParseReport(std::string_view{json}.substr(0, length));
    ASSERT_FALSE(parsed) << length;
    ASSERT_EQ(parsed.Failure().code, kReportMalformed);
  }
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = json;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
  };
  EXPECT_FALSE(ParseReport(changed("\"schema\": 1", "\"schema\": 2")));
  EXPECT_FALSE(ParseReport(changed("\"tick\"", "\"warm\"")));
  EXPECT_FALSE(ParseReport(changed("\"median_ns\"", "\"median\"")));
  EXPECT_FALSE(ParseReport(changed("\"cores\":2", "\"cores\":\"two\"")));
}

TEST(Report, TableShowsOnlyTheGroupAskedFor) {
  Report report = Sample();
  Group other = Pair();
  other.name = "spatial/gather/50000";
  AddGroup(report, other, std::vector<Summary>(4, Flat(5.0)));
  const std::string table = ToTable(report, "spatial/gather/5000");
  EXPECT_THAT(table, HasSubstr("muster.grid (hot)"));
  EXPECT_THAT(table, HasSubstr("spatial.gather.5000.grid_over_tree"));
  EXPECT_THAT(table, HasSubstr("spatial.gather.5000.hot.grid_over_tree"));
  EXPECT_THAT(table, HasSubstr("spatial.gather.5000.hits"));
  EXPECT_THAT(table, Not(HasSubstr("50000")));
  EXPECT_THAT(ToTable(report), HasSubstr("spatial.gather.50000.hot.grid_over_tree"));
}

Report Only(double median, double spread) {
  Group group;
  group.name = "g";
  group.cases.resize(2);
  group.cases[0].label = "a";
  group.cases[1].label = "b";
  group.ratios = {{"a", "b"}};
  Summary summary = Flat(median);
  summary.p25 = median * (1.0 - spread);
  summary.p75 = median * (1.0 + spread);
  Report report;
  AddGroup(report, group, std::vector<Summary>{summary, Flat(10.0)});
  return report;
}

TEST(Compare, FlagsWhatMovedFurtherThanNoise) {
  const Comparison worse = Compare(Only(100.0, 0.0), Only(120.0, 0.0));
  ASSERT_EQ(worse.cases.size(), 2U);
  EXPECT_EQ(worse.cases[0].kind, Change::Kind::Worse);
  EXPECT_DOUBLE_EQ(worse.cases[0].ratio, 1.2);
  EXPECT_EQ(worse.cases[1].kind, Change::Kind::Same);
  ASSERT_EQ(worse.ratios.size(), 1U);
  EXPECT_EQ(worse.ratios[0].kind, Change::Kind::Worse);
  EXPECT_EQ(Compare(Only(120.0, 0.0), Only(100.0, 0.0)).cases[0].kind, Change::Kind::Better);
}

TEST(Compare, IsSilentWithinTheSpreadsOfBothRuns) {
  const Comparison comparison = Compare(Only(100.0, 0.15), Only(120.0, 0.15));
  EXPECT_EQ(comparison.cases[0].kind, Change::Kind::Same);
  EXPECT_EQ(comparison.ratios[0].kind, Change::Kind::Same);
  EXPECT_EQ(Compare(Only(100.0, 0.0), Only(104.0, 0.0)).cases[0].kind, Change::Kind::Same);
}

TEST(Compare, SaysWhatIsInOneReportOnly) {
  Report before = Only(100.0, 0.0);
  Report after = before;
  before.cases[1].label = "gone";
  after.cases[1].label = "new";
  const Comparison comparison = Compare(before, after);
  EXPECT_THAT(comparison.onlyBefore, ElementsAre("g gone tick"));
  EXPECT_THAT(comparison.onlyAfter, ElementsAre("g new tick"));
  const std::string table = ToTable(comparison);
  EXPECT_THAT(table, HasSubstr("only in A: g gone tick"));
  EXPECT_THAT(table, HasSubstr("only in B: g new tick"));
}

}  // namespace
}  // namespace muster::bench
