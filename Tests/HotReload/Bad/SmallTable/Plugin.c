// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_TABLE_SIZE (sizeof(mu_ai_controller_v0) - sizeof(void*))
#include "GoodPlugin.h"
