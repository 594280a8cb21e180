// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the gate takes from the report that muster-swarm writes.
#pragma once

#include "Core/Result.h"
#include "Telemetry/ServerTickReport.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace muster::gate {

struct SwarmOutcome {
  std::uint32_t clients = 0;
  std::uint32_t connected = 0;
  std::uint32_t refused = 0;
  std::uint32_t disconnected = 0;
  std::uint64_t malformed = 0;
  std::uint64_t inputsSent = 0;
  std::uint64_t snapshots = 0;  ///< decoded by all clients
  double inputsLateShare = 0;   ///< of the inputs sent
  std::optional<double> minObservedHz{};
  std::optional<double> maxSnapshotGapMs{};
  std::optional<double> meanUpdatesPerSecond{};
  bool isGeneratorBound = false;
  std::string transport;
  std::string codec;
  /// The server's figures when the clients began to leave.
  std::optional<telemetry::ServerTickReport> server{};
  std::map<std::string, std::uint64_t> failures{};  ///< of clients, and how many had it
  std::string firstFailure;                         ///< the most frequent failure of a client, if any
  std::string json;                                 ///< all of it
};

/// Fails with kReportUnreadable when a field that is judged is missing: what was not reported is not zero. [any]
Result<SwarmOutcome> ParseSwarmReport(std::string_view json);

}  // namespace muster::gate
