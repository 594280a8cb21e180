// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The keys of the server's configuration: section, name, range, unit, help, and whether a reload applies a change.
#pragma once

#include "ServerConfig.h"

#include "Config/Schema.h"

namespace muster::server {

config::Schema<ServerConfig> MakeServerSchema();

}  // namespace muster::server
