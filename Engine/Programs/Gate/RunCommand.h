// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `muster-gate run`: the run that people see, with a live table, at most three tries and a verdict.
#pragma once

#include "GatePlaces.h"
#include "LoadRun.h"

#include <filesystem>

namespace muster::gate {

/// More than this and a full machine hides a slow server.
inline constexpr int kMaxTries = 3;

struct RunCommand {
  Places places;
  LoadSpec load;
  std::filesystem::path json;  ///< of the report; empty: Reports/run.json in the build tree
};

/// Exit status: 0 held, 1 anything else. [main]
int ExecuteRun(const RunCommand& command, const StopFlag& stop);

}  // namespace muster::gate
