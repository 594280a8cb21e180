// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Writes the tick's figures to a file for load tools and for muster-top, as Telemetry/ServerTickReport.h has them.
//
// Threads: [main].
#pragma once

#include "GameServer.h"
#include "TickThread.h"

#include "Core/Clock.h"
#include "Telemetry/ServerTickReport.h"

#include <filesystem>
#include <optional>

namespace muster::server {

class MetricsWriter {
 public:
  /// Everything outlives the writer. An empty path writes nothing but still collects.
  MetricsWriter(GameServer& server, const TickThread& ticks, const IClock& clock, std::filesystem::path path,
                const Logger& log);

  /// Takes the figures and writes the file. Call every so often; a failure is logged once until a write succeeds again.
  void Write();

  [[nodiscard]] telemetry::ServerTickReport Collect();

 private:
  struct WireSample {
    MonotonicTime at{};
    link::LinkStats stats;
  };
  void SampleWire(MonotonicTime now, std::uint64_t peers);

  GameServer& m_server;
  const TickThread& m_ticks;
  const IClock& m_clock;
  std::filesystem::path m_path;
  Logger m_log;
  MonotonicTime m_start;
  std::uint64_t m_rssStartupKib;
  bool m_isFailing = false;

  // Rates over about a second each; the one taken at the highest number of players is kept, so that neither the ramp
  // nor the end of a run waters it down.
  std::optional<WireSample> m_wire;
  std::uint64_t m_wirePeers = 0;
  double m_wireOutKbs = 0;
  double m_wireInKbs = 0;
  double m_wireOutPps = 0;
};

}  // namespace muster::server
