// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/ThreadName.h"

#include <pthread.h>

namespace muster {

void NameThisThread(const char* name) noexcept {
  pthread_setname_np(pthread_self(), name);
}

}  // namespace muster
