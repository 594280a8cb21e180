// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_INIT MU_E_FAILED
#include "GoodPlugin.h"
