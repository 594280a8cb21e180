// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Utf8.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace muster {
namespace {

constexpr Utf8Character kInvalid{0, 0};

bool NeedsEscape(char32_t value) noexcept {
  const bool isControl = value < 0x20 || (value >= 0x7F && value <= 0x9F);
  const bool isSeparator = value == 0x2028 || value == 0x2029;
  // Explicit direction changes can make one line read as another.
  const bool isBidi = value == 0x061C || value == 0x200E || value == 0x200F || (value >= 0x202A && value <= 0x202E) ||
                      (value >= 0x2066 && value <= 0x2069);
  return isControl || isSeparator || isBidi;
}

void AppendEscaped(std::string& out, char32_t value) {
  switch (value) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (value < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint32_t>(value));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{{{:04x}}}", static_cast<std::uint32_t>(value));
  }
}

}  // namespace

Utf8Character FirstCharacter(std::string_view text) noexcept {
  const auto byteAt = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
  const std::uint8_t first = byteAt(0);
  if (first < 0x80) {
    return {first, 1};
  }
  std::size_t length = 0;
  char32_t value = 0;
  char32_t smallest = 0;
  if ((first & 0xE0) == 0xC0) {
    length = 2;
    value = first & 0x1Fu;
    smallest = 0x80;
  } else if ((first & 0xF0) == 0xE0) {
    length = 3;
    value = first & 0x0Fu;
    smallest = 0x800;
  } else if ((first & 0xF8) == 0xF0) {
    length = 4;
    value = first & 0x07u;
    smallest = 0x10000;
  } else {
    return kInvalid;
  }
  if (text.size() < length) {
    return kInvalid;
  }
  for (std::size_t index = 1; index < length; ++index) {
    const std::uint8_t next = byteAt(index);
    if ((next & 0xC0) != 0x80) {
      return kInvalid;
    }
    value = (value << 6) | (next & 0x3Fu);
  }
  const bool isSurrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < smallest || value > 0x10FFFF || isSurrogate) {
    return kInvalid;
  }
  return {value, length};
}

bool IsValidUtf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const Utf8Character point = FirstCharacter(text);
    if (point.bytes == 0) {
      return false;
    }
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::string EscapeControl(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character point = FirstCharacter(text);
    if (point.bytes == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint8_t>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (NeedsEscape(point.value)) {
      AppendEscaped(out, point.value);
    } else {
      out.append(text.substr(0, point.bytes));
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

}  // namespace muster
