// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_CREATE MU_E_FAILED
#include "GoodPlugin.h"
