// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_ENTRY_MAGIC 0x12345678u
#include "GoodPlugin.h"
