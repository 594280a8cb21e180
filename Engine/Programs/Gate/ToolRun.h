// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Check.h"
#include "ChildProcess.h"

#include "Core/Result.h"

#include <string>

namespace muster::gate {

struct ToolEnding {
  int status = 0;
  std::string output;
  std::string errors;
};

/// Runs a program to its end, saying every half a minute that it still runs. Fails with kProcessNotStarted, kProcessSilent
/// after `limitSeconds`, or kGateInterrupted. [main]
Result<ToolEnding> RunTool(const CheckContext& context, const ProcessSpec& spec, double limitSeconds);

}  // namespace muster::gate
