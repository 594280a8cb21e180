// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GoodPlugin.h"

// Nothing is relocated yet when a resolver runs, so it leaves its mark by a bare system call, into a file that the test
// has opened under this number.
enum { kEarlyMark = 200 };

static int Chosen(void) {
  return MU_OK;
}

__attribute__((no_sanitize("address", "thread", "undefined"))) static int (*Choose(void))(void) {
  static const char kMark[] = "ifunc\n";
  long result = 1;  // write
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"((long)kEarlyMark), "S"(kMark), "d"(sizeof(kMark) - 1)
                   : "rcx", "r11", "memory");
  return Chosen;
}

int bad_chosen(void) __attribute__((ifunc("Choose"), visibility("default")));

__attribute__((visibility("default"))) int (*volatile bad_pointer)(void) = bad_chosen;
