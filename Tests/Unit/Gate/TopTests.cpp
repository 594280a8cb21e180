// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "MetricsFile.h"
#include "TickTable.h"

#include "Core/Files.h"
#include "Support/TemporaryDirectoryTest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace muster::top::test {
namespace {

telemetry::ServerTickReport Report() {
  telemetry::ServerTickReport report;
  report.summary.tickHz = 59.987;
  report.summary.ticksSampled = 600;
  report.summary.tick = {.min = 1, .mean = 4, .max = 20, .p50 = 3.5, .p95 = 9, .p99 = 12.5};
  report.summary.phases[static_cast<std::size_t>(telemetry::Phase::Serialize)] =
      telemetry::DurationStats{.min = 1, .mean = 3, .max = 9, .p50 = 3, .p95 = 4, .p99 = 5};
  report.peers = 64;
  report.entities = 564;
  report.wireOutKbs = 640.0;
  report.wirePeers = 64;
  return report;
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

TEST(TickTable, ShowsRatePlayersAndWireForEachClient) {
  const std::string text = Joined(TickTableLines(Report(), {}));
  for (const char* part : {"59.99 Hz", "players 64", "entities 564", "10.0 KB/s a client", "12.500"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(TickTable, HasALineForEveryPhaseAndADashForWhatNobodyMeasures) {
  const auto lines = TickTableLines(Report(), {});
  for (const telemetry::Phase phase : telemetry::kPhases) {
    const std::string name{telemetry::PhaseName(phase)};
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const std::string& candidate) { return candidate.starts_with(" " + name); });
    ASSERT_NE(line, lines.end()) << name;
    EXPECT_EQ(line->find('-') != std::string::npos, phase != telemetry::Phase::Serialize) << *line;
  }
}

TEST(TickTable, FitsInto78ColumnsWithoutColours) {
  telemetry::ServerTickReport report = Report();
  report.summary.tick = {.min = 1e4, .mean = 1e4, .max = 99'999, .p50 = 1e4, .p95 = 1e4, .p99 = 99'999};
  report.wireOutKbs = 12'345.0;
  for (const std::string& line : TickTableLines(report, {})) {
    EXPECT_LE(line.size(), 78u) << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
}

TEST(TickTable, PaintsATickLongerThanTheStepRed) {
  telemetry::ServerTickReport report = Report();
  EXPECT_EQ(Joined(TickTableLines(report, {.hasColor = true})).find("\x1b[31m"), std::string::npos);
  report.summary.tick.p99 = 16.7;
  EXPECT_NE(Joined(TickTableLines(report, {.hasColor = true})).find("\x1b[31m"), std::string::npos);
}

TEST(FitToColumns, CutsWhatIsSeenAndKeepsColours) {
  EXPECT_EQ(FitToColumns("abcdef", 3), "abc");
  EXPECT_EQ(FitToColumns("ab", 3), "ab");
  EXPECT_EQ(FitToColumns("\x1b[31mabcdef\x1b[0m", 3), "\x1b[31mabc\x1b[0m");
  EXPECT_EQ(FitToColumns("\x1b[31", 3), "\x1b[31");
  EXPECT_EQ(FitToColumns("h\xc3\xa9llo", 2), "h\xc3\xa9");
}

class MetricsFile : public muster::test::TemporaryDirectoryTest {
 protected:
  [[nodiscard]] std::filesystem::path Path() const { return Directory() / "metrics.json"; }
};

TEST_F(MetricsFile, IsReadWhileItIsFresh) {
  ASSERT_TRUE(WriteFileAtomically(Path(), telemetry::ToJson(Report())));
  const auto report = ReadMetricsFile(Path());
  ASSERT_TRUE(report) << report.Failure().ToString();
  EXPECT_EQ(report->peers, 64u);
}

TEST_F(MetricsFile, IsAnErrorWhenItIsMissing) {
  const auto report = ReadMetricsFile(Path());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.Failure().code, kFileNotFound);
}

TEST_F(MetricsFile, IsAnErrorWhenNobodyKeepsItUp) {
  ASSERT_TRUE(WriteFileAtomically(Path(), telemetry::ToJson(Report())));
  std::filesystem::last_write_time(Path(), std::filesystem::file_time_type::clock::now() - std::chrono::seconds{7});
  const auto report = ReadMetricsFile(Path());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.Failure().code, kMetricsStale);
  EXPECT_NE(report.Failure().cause.find("7 s"), std::string::npos) << report.Failure().ToString();
}

}  // namespace
}  // namespace muster::top::test
