// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
__asm__(
    ".data; .globl bad_unique; .type bad_unique, @gnu_unique_object; .size bad_unique, 8; bad_unique: .quad 0; .text");
#include "GoodPlugin.h"
