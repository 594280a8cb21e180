// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/PlayerName.h"

#include "Core/Utf8.h"
#include "Protocol/RefusalCodes.h"

namespace muster::sessions {

namespace {

bool IsControl(char32_t c) {
  return c < 0x20U || (c >= 0x7FU && c <= 0x9FU);
}

/// Line breaks beyond ASCII, direction marks and overrides, characters without width, tags.
bool IsDeceptive(char32_t c) {
  return c == 0x00ADU || c == 0x061CU || c == 0x115FU || c == 0x1160U || c == 0x180EU ||
         (c >= 0x200BU && c <= 0x200FU) || (c >= 0x2028U && c <= 0x202EU) || (c >= 0x2060U && c <= 0x206FU) ||
         c == 0x3164U || c == 0xFEFFU || (c >= 0xFE00U && c <= 0xFE0FU) || (c >= 0xFFF9U && c <= 0xFFFBU) ||
         (c >= 0xE0000U && c <= 0xE0FFFU);
}

bool IsBlank(char32_t c) {
  return c == 0x20U || c == 0xA0U || c == 0x1680U || (c >= 0x2000U && c <= 0x200AU) || c == 0x202FU || c == 0x205FU ||
         c == 0x3000U;
}

Error BadName(std::string cause) {
  return {protocol::kBadName, "The name is not acceptable.", std::move(cause),
          "Choose a name of 1 to 32 visible characters."};
}

}  // namespace

Result<std::string> CheckPlayerName(std::string_view name) {
  std::size_t characters = 0;
  std::size_t begin = name.size();
  std::size_t end = 0;
  std::size_t charactersAtEnd = 0;
  for (std::size_t i = 0; i < name.size();) {
    const Utf8Character point = FirstCharacter(name.substr(i));
    if (point.bytes == 0) {
      return BadName("It is not valid UTF-8.");
    }
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
