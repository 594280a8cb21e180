// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Config/Load.h"

#include <string_view>

namespace muster::config {

/// Reads TOML into `loaded`: values that are right into its configuration, everything else into its errors.
void ApplyFile(Loaded& loaded, std::string_view text, std::string_view name);

/// The error for a key that does not exist, with the nearest one that does.
[[nodiscard]] Error UnknownKey(const KeySet& keys, std::string_view section, std::string_view name,
                               std::string_view place);

}  // namespace muster::config
