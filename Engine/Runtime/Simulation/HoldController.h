// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The controller that is always there: circles gently near home at home's altitude, and stops what drives. It takes over
// for a provider that fails or that no longer offers a controller, and is itself offered under the name "hold".
#pragma once

#include "PluginApi/AiController.h"

namespace muster::simulation {

/// One controller, "hold", without a blackboard, so that it can fly anybody's agents without touching their memory.
/// [any]
const mu_ai_controller_v0& HoldControllerTable();

}  // namespace muster::simulation
