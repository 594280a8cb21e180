// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A run's outcome: figures, bars, and whether the generator itself was the bottleneck.
#pragma once

#include "SeriesStats.h"
#include "SwarmClient.h"
#include "SwarmOptions.h"
#include "SwarmWorker.h"

#include "LinkSim/UdpRelay.h"
#include "Telemetry/ServerTickReport.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muster::swarm {

/// One bar and what was measured against it.
struct AssertionResult {
  std::string name;  ///< "min_tick_hz", ...
  double bar = 0;
  std::optional<double> value;  ///< empty: could not be measured, which is not a pass
  bool isMet = false;
};

struct SwarmReport {
  SwarmOptions options;
  double seconds = 0;
  std::uint32_t threads = 0;
  std::string transport;  ///< id of the plugin that was really spoken
  std::string codec;
  std::vector<ClientResult> clients;
  SeriesStats tickHz, downstreamKbs, roundTripMs, connectMs, gapMs, latencyMs, updatesPerSecond, loopMs, loopLateMs;
  std::uint32_t connected = 0;
  std::uint32_t refused = 0;
  std::uint32_t disconnected = 0;
  std::uint64_t inputsSent = 0;
  std::uint64_t inputsLate = 0;
  std::uint64_t malformed = 0;
  std::uint64_t snapshots = 0;                    ///< decoded by all clients
  std::map<std::string, std::uint32_t> failures;  ///< named errors and how many clients they hit
  std::optional<telemetry::ServerTickReport> server;
  std::optional<linksim::UdpRelayStats> relay;  ///< of a run over a bad line
  std::vector<RssSample> rss;
  RssTrend rssTrend;
  std::vector<AssertionResult> assertions;

  /// More than 1 % of the inputs left more than a tick late: what was measured is the generator, not the server.
  [[nodiscard]] bool IsGeneratorBound() const;
  /// Everybody was let in and stayed, every bar is met, and the generator kept up.
  [[nodiscard]] bool IsPassed() const;
};

/// Puts together what workers and the server's file say, and judges it.
SwarmReport MakeReport(const SwarmOptions& options, std::vector<ClientResult> clients,
                       const std::vector<const WorkerResult*>& workers, std::vector<RssSample> rss,
                       std::optional<telemetry::ServerTickReport> server);

std::string ToJson(const SwarmReport& report);

/// A short table for people.
std::string ToText(const SwarmReport& report);

}  // namespace muster::swarm
