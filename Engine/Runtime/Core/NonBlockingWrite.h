// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Writing where the reader may have stopped reading: a terminal that is held, a pipe that is full.
#pragma once

#include <string_view>

namespace muster {

/// Writes `text` as far as the descriptor takes it without waiting. False when something was left unwritten, because the
/// reader is behind or gone. Regular files are always ready. [any]
bool WriteWithoutWaiting(int descriptor, std::string_view text) noexcept;

}  // namespace muster
