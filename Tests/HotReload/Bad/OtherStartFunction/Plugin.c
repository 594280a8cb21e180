// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GoodPlugin.h"

void bad_start(void);
void bad_start(void) {
  LeaveMark("start\n");
}
