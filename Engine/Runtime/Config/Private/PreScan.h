// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Result.h"

#include <string_view>

namespace muster::config {

/// Looks at the text before the TOML parser does, which recurses without a bound over dotted keys: refuses what is too
/// large, has lines that are too long, nests brackets or dotted keys too deep, or is not UTF-8. Knows TOML's strings
/// and comments, nothing else. Fails with: kConfigTooLarge, kConfigSyntax.
[[nodiscard]] Result<void> PreScan(std::string_view text, std::string_view name);

}  // namespace muster::config
