// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE MU_DEFINE_NOTE("com.example.other", MUSTER_PLUGIN_VERSION, MU_PROVIDES_AI_CONTROLLER_V0)
#include "GoodPlugin.h"
