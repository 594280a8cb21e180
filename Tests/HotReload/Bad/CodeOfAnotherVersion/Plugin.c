// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_VERSION_OF_THE_CODE "9.9.9"
#include "GoodPlugin.h"
