// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
int bad_nobody_defines_this(void);
#define BAD_CREATE bad_nobody_defines_this()
#include "GoodPlugin.h"
