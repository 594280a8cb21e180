// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace muster::config {

/// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment).
[[nodiscard]] std::size_t EditDistance(std::string_view left, std::string_view right);

}  // namespace muster::config
