// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SteeringControllers.h"

#include "PluginApi/Plugin.h"

MUSTER_PLUGIN(muster::plugin::AiControllerTable<muster::steering::SteeringControllers>);
