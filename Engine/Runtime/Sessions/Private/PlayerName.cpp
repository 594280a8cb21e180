// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/PlayerName.h"

#include "Core/Utf8.h"
#include "Protocol/RefusalCodes.h"

#include <cstdint>

namespace muster::sessions {

namespace {

struct CodePoint {
  std::uint32_t value;
  std::size_t bytes;
};

/// `text` is valid UTF-8 and not empty.
CodePoint FirstCodePoint(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80U) {
    return {lead, 1};
  }
  const std::size_t bytes = lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
  std::uint32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  return {value, bytes};
}

bool IsControl(std::uint32_t c) {
  return c < 0x20U || (c >= 0x7FU && c <= 0x9FU);
}

/// Line breaks beyond ASCII, direction marks and overrides, characters without width, tags.
bool IsDeceptive(std::uint32_t c) {
  return c == 0x00ADU || c == 0x061CU || c == 0x115FU || c == 0x1160U || c == 0x180EU ||
         (c >= 0x200BU && c <= 0x200FU) || (c >= 0x2028U && c <= 0x202EU) || (c >= 0x2060U && c <= 0x206FU) ||
         c == 0x3164U || c == 0xFEFFU || (c >= 0xFE00U && c <= 0xFE0FU) || (c >= 0xFFF9U && c <= 0xFFFBU) ||
         (c >= 0xE0000U && c <= 0xE0FFFU);
}

bool IsBlank(std::uint32_t c) {
  return c == 0x20U || c == 0xA0U || c == 0x1680U || (c >= 0x2000U && c <= 0x200AU) || c == 0x202FU || c == 0x205FU ||
         c == 0x3000U;
}

Error BadName(std::string cause) {
  return {protocol::kBadName, "The name is not acceptable.", std::move(cause),
          "Choose a name of 1 to 32 visible characters."};
}

}  // namespace

Result<std::string> CheckPlayerName(std::string_view name) {
  if (!IsValidUtf8(name)) {
    return BadName("It is not valid UTF-8.");
  }
  std::size_t characters = 0;
  std::size_t begin = name.size();
  std::size_t end = 0;
  std::size_t charactersAtEnd = 0;
  for (std::size_t i = 0; i < name.size();) {
    const CodePoint point = FirstCodePoint(name.substr(i));
    if (IsControl(point.value)) {
      return BadName("It holds a control character.");
    }
    if (IsDeceptive(point.value)) {
      return BadName("It holds a character that cannot be seen or that turns the text around.");
    }
    const bool isBlank = IsBlank(point.value);
    if (!isBlank && begin == name.size()) {
      begin = i;
      characters = 0;
    }
    ++characters;
    i += point.bytes;
    if (!isBlank) {
      end = i;
      charactersAtEnd = characters;
    }
  }
  if (begin >= end) {
    return BadName("It is empty.");
  }
  if (charactersAtEnd > kMaxNameCharacters) {
    return BadName("It has " + std::to_string(charactersAtEnd) + " characters.");
  }
  return std::string{name.substr(begin, end - begin)};
}

}  // namespace muster::sessions
