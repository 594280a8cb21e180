// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION, {MU_AI_CONTROLLER_V0, 1u, 2u})
#include "GoodPlugin.h"
