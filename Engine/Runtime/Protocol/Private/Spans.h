// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Protocol/DecodeStatus.h"
#include "Serialization/ByteReader.h"
#include "Serialization/ByteWriter.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::protocol {

inline std::span<const std::uint8_t> AsU8(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

inline std::span<std::uint8_t> AsU8(std::span<std::byte> bytes) noexcept {
  return {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()};
}

/// The longest front of the text that is at most `maxBytes` long and ends between two characters.
std::string_view CutAtCharacter(std::string_view text, std::size_t maxBytes) noexcept;

/// The text on one line, controls escaped, at most `maxBytes` long: what CheckLine accepts.
std::string MakeLine(std::string_view text, std::size_t maxBytes);

/// Ok for UTF-8 without control characters.
DecodeStatus CheckLine(std::string_view text);

/// True for 1..maxBytes printable ASCII characters without a blank: ids and versions.
bool IsPlainId(std::string_view text, std::size_t maxBytes) noexcept;

/// Ok, Truncated or TrailingBytes, for a reader that should be at its end.
inline DecodeStatus Finish(const serialization::ByteReader& reader) noexcept {
  if (reader.Failed()) {
    return DecodeStatus::Truncated;
  }
  return reader.BytesLeft() == 0 ? DecodeStatus::Ok : DecodeStatus::TrailingBytes;
}

/// A text with a 16-bit length; tells a length above `maxBytes` from bytes that end too early.
DecodeStatus ReadText(serialization::ByteReader& reader, std::size_t maxBytes, std::string_view& text) noexcept;
/// The same with an 8-bit length.
DecodeStatus ReadShortText(serialization::ByteReader& reader, std::size_t maxBytes, std::string_view& text) noexcept;

}  // namespace muster::protocol
