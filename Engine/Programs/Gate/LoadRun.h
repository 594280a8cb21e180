// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One run: a server on the sample world, a swarm against it, and what both say afterwards.
#pragma once

#include "GatePlaces.h"
#include "LoadSpec.h"
#include "ServerProcess.h"
#include "SwarmOutcome.h"
#include "Verdict.h"

#include "Core/Result.h"
#include "Telemetry/ServerTickReport.h"

#include <functional>
#include <optional>
#include <string>

namespace muster::gate {

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
