// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_ENTRY_NAME bad_unused_entry
void mu_plugin_entry_v1_function(void) __asm__("mu_plugin_entry_v1");
#include "GoodPlugin.h"

__attribute__((visibility("default"))) void mu_plugin_entry_v1_function(void) {
  LeaveMark("entry\n");
}
