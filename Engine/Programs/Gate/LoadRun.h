// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One run: a server on the sample world, a swarm against it, and what both say afterwards.
#pragma once

#include "GatePlaces.h"
#include "ServerProcess.h"
#include "SwarmOutcome.h"
#include "Verdict.h"

#include "Core/Result.h"
#include "Telemetry/ServerTickReport.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace muster::gate {

struct LoadSpec {
  std::uint32_t clients = 64;
  double seconds = 30;  ///< with everybody in
  std::uint32_t agents = 500;
  std::string pattern{};                       ///< of the swarm; empty: its own default
  std::filesystem::path config{};              ///< of the server; empty: the sample world
  std::vector<std::string> serverOverrides{};  ///< SECTION.KEY=VALUE
  bool hasConsole = false;
  double settleSeconds = 2;  ///< after the last client came in; dropped and late ticks count from then on
};

/// What is known while it goes on.
struct LoadProgress {
  double seconds = 0;       ///< since the swarm was started
  bool isComplete = false;  ///< everybody is in
  std::optional<telemetry::ServerTickReport> server{};
};

struct LoadOutcome {
  RunFigures figures;
  SwarmOutcome swarm;
  std::string metricsText;  ///< the server's file while everybody was in
  std::string serverLog;
};

/// What else happens during a run. Called every 50 ms or so on the caller's thread; an error ends the run.
using LoadObserver = std::function<Result<void>(const LoadProgress&, ServerProcess&)>;

/// Whatever the outcome, nothing that was started is left running. Fails when there is nothing to judge: a server that
/// did not start, a swarm without a report, an interrupt.
Result<LoadOutcome> RunLoad(const Places& places, const LoadSpec& spec, const LoadObserver& observe,
                            const StopFlag& stop);

}  // namespace muster::gate
