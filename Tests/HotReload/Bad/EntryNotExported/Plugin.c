// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_ENTRY_NAME bad_plugin_entry_v1
#include "GoodPlugin.h"
