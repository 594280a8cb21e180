// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TickTable.h"

#include "Core/Tick.h"
#include "Telemetry/Phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace muster::top {

namespace {

constexpr double kStepMs = 1'000.0 / static_cast<double>(kTickHz);
constexpr double kWarnShare = 0.6;
constexpr std::size_t kBarColumns = 40;
constexpr double kKibPerMib = 1'024.0;
constexpr double kMsPerSecond = 1'000.0;

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kRed = "\x1b[31m";

/// Letters of the phases in the budget bar, in their order.
constexpr std::string_view kPhaseLetters = "msaicwS";
static_assert(kPhaseLetters.size() == telemetry::kPhaseCount);

std::string Paint(const TableStyle& style, std::string_view color, const std::string& text) {
  return style.hasColor ? fmt::format("{}{}{}", color, text, kReset) : text;
}

std::string_view ColorOf(double milliseconds) {
  if (milliseconds >= kStepMs) {
    return kRed;
  }
  return milliseconds >= kWarnShare * kStepMs ? kYellow : kGreen;
}

std::string Row(std::string_view name, const std::optional<telemetry::DurationStats>& stats) {
  if (!stats) {
    return fmt::format(" {:<12} {:>9}", name, "-");
  }
  return fmt::format(" {:<12} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}", name, stats->min, stats->mean,
                     stats->p50, stats->p95, stats->p99, stats->max);
}

/// The mean tick as letters of its phases against the step, with a mark where p99 ends.
std::string BudgetBar(const telemetry::TickSummary& summary) {
  std::string bar(kBarColumns, '.');
  const double perColumn = kStepMs / static_cast<double>(kBarColumns);
  double spent = 0;
  for (std::size_t i = 0; i < telemetry::kPhaseCount; ++i) {
    const double mean = summary.phases[i] ? summary.phases[i]->mean : 0.0;
    const auto begin = static_cast<std::size_t>(std::clamp(std::round(spent / perColumn), 0.0, 40.0));
    spent += mean;
    const auto end = static_cast<std::size_t>(std::clamp(std::round(spent / perColumn), 0.0, 40.0));
    std::fill(bar.begin() + static_cast<std::ptrdiff_t>(begin), bar.begin() + static_cast<std::ptrdiff_t>(end),
              kPhaseLetters[i]);
  }
  const auto mark = static_cast<std::size_t>(std::clamp(summary.tick.p99 / perColumn, 0.0, 39.0));
  bar[mark] = '|';
  return bar;
}

}  // namespace

std::vector<std::string> TickTableLines(const telemetry::ServerTickReport& report, const TableStyle& style) {
  const telemetry::TickSummary& summary = report.summary;
  std::vector<std::string> lines;
  lines.push_back(Paint(
      style, kBold,
      fmt::format(" {:.2f} Hz   players {}   entities {}   dropped {}   late {} ({} waiting)", summary.tickHz,
                  report.peers, report.entities, report.droppedTicks, report.lateTicks, report.lateTicksWaiting)));
  const auto wire = report.WireOutKbsPerClient();
  lines.push_back(fmt::format(
      " wire {}   rss {:.1f} MiB   up {:.0f} s",
      wire ? fmt::format("{:.1f} KB/s a client, {:.0f} KB/s for {}", *wire, *report.wireOutKbs, *report.wirePeers)
           : std::string{"not measured yet"},
      static_cast<double>(report.rssKib) / kKibPerMib, static_cast<double>(report.uptimeMs) / kMsPerSecond));
  lines.push_back(Paint(
      style, kDim,
      fmt::format(" {:<12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}", "ms", "min", "mean", "p50", "p95", "p99", "max")));
  const bool isSampled = summary.ticksSampled > 0;
  lines.push_back(
      Paint(style, ColorOf(summary.tick.p99), Row("tick", isSampled ? std::optional{summary.tick} : std::nullopt)));
  for (const telemetry::Phase phase : telemetry::kPhases) {
    lines.push_back(Row(telemetry::PhaseName(phase), summary.phases[static_cast<std::size_t>(phase)]));
  }
  lines.push_back(Row("other", summary.other));
  lines.push_back(fmt::format(" budget [{}] p99 {:.0f} % of {:.3f} ms", BudgetBar(summary),
                              100.0 * summary.tick.p99 / kStepMs, kStepMs));
  return lines;
}

std::string TickSummaryLine(const telemetry::ServerTickReport& report) {
  const auto wire = report.WireOutKbsPerClient();
  return fmt::format(
      "{:.2f} Hz  tick mean {:.3f} p99 {:.3f} max {:.3f} ms  players {}  entities {}  dropped {}  wire {}",
      report.summary.tickHz, report.summary.tick.mean, report.summary.tick.p99, report.summary.tick.max, report.peers,
      report.entities, report.droppedTicks, wire ? fmt::format("{:.1f} KB/s a client", *wire) : std::string{"-"});
}

std::string FitToColumns(std::string_view line, std::size_t columns) {
  std::string out;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      const std::size_t end = std::min(line.find('m', i), line.size() - 1);
      out += line.substr(i, end + 1 - i);
      i = end + 1;
      continue;
    }
    // A UTF-8 continuation byte belongs to the column of its first byte.
    const bool isFirst = (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U;
    shown += isFirst ? 1U : 0U;
    if (shown <= columns) {
      out += line[i];
    }
    ++i;
  }
  return out;
}

}  // namespace muster::top
