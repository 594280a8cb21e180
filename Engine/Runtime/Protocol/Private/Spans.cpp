// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Spans.h"

#include "Core/Utf8.h"

#include <algorithm>

namespace muster::protocol {

namespace {

DecodeStatus ReadTextOf(serialization::ByteReader& reader, std::size_t length, std::size_t maxBytes,
                        std::string_view& text) noexcept {
  if (reader.Failed()) {
    return DecodeStatus::Truncated;
  }
  if (length > maxBytes) {
    return DecodeStatus::BadLength;
  }
  const std::span<const std::uint8_t> bytes = reader.ReadBytes(length);
  text = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return reader.Failed() ? DecodeStatus::Truncated : DecodeStatus::Ok;
}

}  // namespace

std::string_view CutAtCharacter(std::string_view text, std::size_t maxBytes) noexcept {
  if (text.size() <= maxBytes) {
    return text;
  }
  std::size_t end = maxBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) {
    --end;
  }
  return text.substr(0, end);
}

std::string MakeLine(std::string_view text, std::size_t maxBytes) {
  return std::string(CutAtCharacter(EscapeControl(text), maxBytes));
}

DecodeStatus CheckLine(std::string_view text) {
  return IsValidUtf8(text) && EscapeControl(text) == text ? DecodeStatus::Ok : DecodeStatus::BadText;
}

bool IsPlainId(std::string_view text, std::size_t maxBytes) noexcept {
  return !text.empty() && text.size() <= maxBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

DecodeStatus ReadText(serialization::ByteReader& reader, std::size_t maxBytes, std::string_view& text) noexcept {
  return ReadTextOf(reader, reader.ReadU16(), maxBytes, text);
}

DecodeStatus ReadShortText(serialization::ByteReader& reader, std::size_t maxBytes, std::string_view& text) noexcept {
  return ReadTextOf(reader, reader.ReadU8(), maxBytes, text);
}

}  // namespace muster::protocol
