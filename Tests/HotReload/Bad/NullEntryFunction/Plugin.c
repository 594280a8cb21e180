// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_ENTRY_INIT NULL
#include "GoodPlugin.h"
