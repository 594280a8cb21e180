// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Config/Key.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace muster::config {

/// A type as messages name it: "an integer".
[[nodiscard]] constexpr std::string_view WordsFor(ValueType type) noexcept {
  constexpr std::array<std::string_view, 5> kWords{"true or false", "an integer", "a number", "a text",
                                                   "a list of texts"};
  return kWords[static_cast<std::size_t>(type)];
}

}  // namespace muster::config
