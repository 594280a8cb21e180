// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server's tick budget as a document: the file of `--metrics-json` and the `server_tick` block of the swarm's
// report. Field names are those of the load tools that operators already have; a figure that nothing measures yet is
// null, never 0. Fields of our own stand beside them and are marked so in Docs/Reference/MetricsFile.md.
#pragma once

#include "Core/Result.h"
#include "Telemetry/TickTimings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::telemetry {

inline constexpr ErrorCode kMetricsMalformed{1951, "MetricsMalformed"};

struct ServerTickReport {
  TickSummary summary;
  std::uint64_t peers = 0;
  std::uint64_t entities = 0;
  std::optional<double> loadFactor;     ///< Overrun governor, [floor, 1].
  std::optional<double> interestScale;  ///< Overrun governor.
  std::uint64_t droppedTicks = 0;       ///< Since start.
  std::uint64_t rssKib = 0;             ///< "rss_kb": KiB, as the field always was.
  std::uint64_t rssStartupKib = 0;
  std::optional<double> congestionMinSendHz;
  std::optional<double> congestionRecoveredSendHz;
  std::optional<double> congestionMaxLoss;
  std::optional<double> wireOutKbs;  ///< 1,000 bytes a second at the socket, at the highest peer count seen.
  std::optional<double> wireInKbs;
  std::optional<double> wireOutPps;
  std::optional<std::uint64_t> wirePeers;

  // Ours.
  std::uint64_t lateTicks = 0;         ///< Ticks that began more than a quarter step late.
  std::uint64_t lateTicksWaiting = 0;  ///< Those of them that the thread spent waiting for a processor.
  double runQueueWaitMs = 0;           ///< Of the tick thread, since start.
  std::uint64_t uptimeMs = 0;

  /// wireOutKbs shared out among wirePeers; none as long as nobody was there to be measured. [any]
  [[nodiscard]] std::optional<double> WireOutKbsPerClient() const;
};

inline constexpr int kServerTickSchemaVersion = 6;

/// Pretty-printed JSON with a final newline. [any]
std::string ToJson(const ServerTickReport& report);

/// The inverse; unknown fields are passed over, absent ones keep their defaults. [any]
Result<ServerTickReport> ServerTickReportFromJson(std::string_view json);

}  // namespace muster::telemetry
