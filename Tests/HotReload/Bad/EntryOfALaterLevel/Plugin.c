// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_ENTRY_API_LEVEL 99u
#include "GoodPlugin.h"
