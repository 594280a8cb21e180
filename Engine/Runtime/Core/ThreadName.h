// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Names threads for debuggers, `top -H` and /proc.
#pragma once

namespace muster {

/// At most 15 letters; longer names are not taken. [any], for the calling thread.
void NameThisThread(const char* name) noexcept;

}  // namespace muster
