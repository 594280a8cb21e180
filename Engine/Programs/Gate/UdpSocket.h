// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Result.h"

#include <cstdint>

namespace muster::gate {

/// A non-blocking UDP socket, bound to 127.0.0.`host` and a port of the system's choice. The caller closes it. Fails with
/// kSocketFailed. [any]
Result<int> OpenLoopbackSocket(std::uint8_t host = 1);

/// The port a socket is bound to; 0 when it is none. [any]
std::uint16_t PortOfSocket(int socket);

/// Connects to 127.0.0.1 at that port. [any]
Result<void> ConnectSocket(int socket, std::uint16_t port);

}  // namespace muster::gate
