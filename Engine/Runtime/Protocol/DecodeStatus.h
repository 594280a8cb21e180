// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Why bytes from the other side were not taken. Every decoder of this module returns one of these, never asserts and
// never throws; whoever calls it counts the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::protocol {

enum class DecodeStatus : std::uint8_t {
  Ok,
  Truncated,      ///< the bytes end before the message does
  TrailingBytes,  ///< the message ends before the bytes do
  UnknownType,    ///< another message, or none that this version knows
  OtherVersion,   ///< a hello of another protocol version; only the version was read
  BadLength,      ///< a length or count above its limit
  BadText,        ///< a text that is no UTF-8, or holds control characters where none may be
  BadValue,       ///< a number outside its range
  BadPadding      ///< reserved bytes that are not zero
};

inline constexpr std::size_t kDecodeStatusCount = 9;

/// `truncated`, `trailing_bytes`, ...: names for logs and metrics. [any]
std::string_view ToString(DecodeStatus status) noexcept;

}  // namespace muster::protocol
