// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BasicControllers.h"

#include "PluginApi/Plugin.h"

MUSTER_PLUGIN(muster::plugin::AiControllerTable<muster::basic::BasicControllers>);
