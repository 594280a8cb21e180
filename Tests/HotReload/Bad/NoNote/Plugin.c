// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE struct mu_nothing
#include "GoodPlugin.h"
