// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GoodPlugin.h"

__attribute__((visibility("default"))) extern const int bad_extra;
const int bad_extra = 1;
