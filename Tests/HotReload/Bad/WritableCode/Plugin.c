// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
__asm__(".section .bad, \"awx\", @progbits; .quad 0; .text");
#include "GoodPlugin.h"
