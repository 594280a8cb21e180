// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, "9.9.9", MU_PROVIDES_AI_CONTROLLER_V0)
#include "GoodPlugin.h"
