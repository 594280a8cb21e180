// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/DecodeStatus.h"

#include <array>

namespace muster::protocol {

std::string_view ToString(DecodeStatus status) noexcept {
  static constexpr std::array<std::string_view, kDecodeStatusCount> kNames{
      "ok",         "truncated", "trailing_bytes", "unknown_type", "other_version",
      "bad_length", "bad_text",  "bad_value",      "bad_padding"};
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? kNames[index] : "unknown";
}

}  // namespace muster::protocol
