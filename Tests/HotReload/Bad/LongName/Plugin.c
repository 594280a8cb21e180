// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define TEN "abcdefghij"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
#define NAME THOUSAND THOUSAND THOUSAND THOUSAND HUNDRED
__asm__(".data; .globl " NAME "; .type " NAME ", @object; .size " NAME ", 8; " NAME ": .quad 0; .text");
#include "GoodPlugin.h"
