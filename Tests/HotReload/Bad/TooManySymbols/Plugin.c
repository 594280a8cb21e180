// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
__asm__(
    ".data\n"
    "bad_many: .quad 0\n"
    ".altmacro\n"
    ".macro bad_name number\n"
    ".globl bad_s\\number\n"
    ".set bad_s\\number, bad_many\n"
    ".endm\n"
    ".set bad_count, 0\n"
    ".rept 66000\n"
    "bad_name %bad_count\n"
    ".set bad_count, bad_count + 1\n"
    ".endr\n"
    ".noaltmacro\n"
    ".text\n");
#include "GoodPlugin.h"
