// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GoodPlugin.h"

__asm__(".section .init_array, \"aw\", @init_array; .rept 9000; .quad bad_start; .endr; .text; bad_start: ret");
