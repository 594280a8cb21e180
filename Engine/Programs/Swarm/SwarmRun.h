// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Runs a swarm from start to report.
#pragma once

#include "SwarmOptions.h"
#include "SwarmReport.h"

#include "Core/Log.h"
#include "Core/Result.h"

#include <atomic>

namespace muster::swarm {

/// Loads the plugins, drives the clients for the duration, reads the server's figures at the end. `stop` ends it early.
/// Fails when it could not even begin: a missing plugin, a bad address, an unknown pattern. [main]
Result<SwarmReport> RunSwarm(const SwarmOptions& options, const Logger& log, std::atomic<bool>& stop);

}  // namespace muster::swarm
