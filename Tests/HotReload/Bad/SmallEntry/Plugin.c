// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_ENTRY_SIZE 16
#include "GoodPlugin.h"
