// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE MU_NOTE_ATTRIBUTES static const unsigned kNote[3] = {0u, 0u, 0u}
#include "GoodPlugin.h"
