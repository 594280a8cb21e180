// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_TABLE NULL
#include "GoodPlugin.h"
