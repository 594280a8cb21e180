// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library);
#define BAD_CREATE __cxa_thread_atexit_impl(0, 0, 0)
#include "GoodPlugin.h"
