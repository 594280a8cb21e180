// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a run is told to do: the command line, parsed.
#pragma once

#include "FlightPattern.h"

#include "Link/Address.h"
#include "Protocol/Wire.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muster::swarm {

/// Bars that the run is held against; an absent one is not asked for.
struct Assertions {
  std::optional<double> minTickHz;                ///< lowest observed rate of any client
  std::optional<double> maxKbs;                   ///< downstream payload of any client, 1,000 bytes a second
  std::optional<double> maxWireKbs;               ///< at the server's socket, per client; needs the server's metrics
  std::optional<double> maxTickMs;                ///< server's tick p99; needs the server's metrics
  std::optional<std::uint64_t> minEntities;       ///< needs the server's metrics
  std::optional<double> maxRssGrowthKib;          ///< needs the server's metrics
  std::optional<double> maxRssSlopeKibPerMinute;  ///< needs the server's metrics
  std::optional<double> maxLoadFactor;            ///< needs the server's metrics
  std::optional<std::uint64_t> maxDroppedTicks;   ///< needs the server's metrics
};

/// A line that is bad for a while: the clients connect through a relay of the swarm's own.
struct Degrade {
  double startSeconds = 10;    ///< from the start of the relay, which is the start of the run
  double durationSeconds = 0;  ///< 0: no relay
  double loss = 0;             ///< share of datagrams, each way; so are the next two
  double duplicate = 0;
  double reorder = 0;
  double delayMs = 0;  ///< more, one way
  double jitterMs = 0;

  [[nodiscard]] bool IsOn() const { return durationSeconds > 0; }
};

struct SwarmOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 4'778;
  std::uint32_t clients = 32;
  double durationSeconds = 30;
  double inputHz = 60;  ///< input messages a second and client; each carries the controls of all ticks since the last
  std::uint32_t rampMs = 20;  ///< between two connects
  std::uint32_t threads = 0;  ///< 0: one for 32 clients, at most the cores
  std::string pattern = "weave";
  std::uint64_t seed = 1;
  std::string transport = "enet";
  std::string codec = "muster.codec.quantized";
  std::string namePrefix = "bot";
  /// What the clients say they speak; for trying the refusal.
  std::uint16_t protocolVersion = protocol::kProtocolVersion;
  std::filesystem::path json;
  std::filesystem::path serverMetrics;
  double rssSampleSeconds = 30;
  std::vector<std::filesystem::path> pluginRoots;
  bool isQuiet = false;
  Degrade degrade;
  Assertions assertions;
};

}  // namespace muster::swarm
