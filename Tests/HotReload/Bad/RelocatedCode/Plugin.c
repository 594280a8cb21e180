// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
__asm__(".text; bad_pointer: .quad bad_pointer");
#include "GoodPlugin.h"
