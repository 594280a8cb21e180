// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "ServerConfig.h"

#include "Core/Error.h"

#include <vector>

namespace muster::server {

/// What a value's type and range do not say: whether its text can be read for what it is. Everything that is wrong, each
/// with its key; empty when nothing is. Looks at nothing but the values. [any]
std::vector<Error> CheckServerConfig(const ServerConfig& config);

}  // namespace muster::server
