// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
__asm__(
    ".altmacro\n"
    ".macro bad_section number\n"
    ".section .bad\\number, \"\", @progbits\n"
    ".quad 0\n"
    ".endm\n"
    ".set bad_count, 0\n"
    ".rept 1100\n"
    "bad_section %bad_count\n"
    ".set bad_count, bad_count + 1\n"
    ".endr\n"
    ".noaltmacro\n"
    ".text\n");
#include "GoodPlugin.h"
