// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace muster {

/// The bytes of a text, without a copy.
[[nodiscard]] inline std::span<const std::byte> AsBytes(std::string_view text) noexcept {
  return std::as_bytes(std::span{text.data(), text.size()});
}

/// Bytes seen as text, without a copy. Nothing is checked.
[[nodiscard]] inline std::string_view AsText(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Two things written by different threads keep this distance, so that they share no cache line. Fixed, because
/// the standard's constant may differ between compilers and would then change layouts.
inline constexpr std::size_t kCacheLineBytes = 64;

}  // namespace muster
