// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster {

/// One character and how many bytes it takes; 0 bytes where the text is no UTF-8.
struct Utf8Character {
  char32_t value = 0;
  std::size_t bytes = 0;
};

/// The first character of a text that is not empty. Well-formed is what Unicode defines: no overlong forms, no surrogates,
/// nothing above U+10FFFF. [any]
[[nodiscard]] Utf8Character FirstCharacter(std::string_view text) noexcept;

/// True for well-formed UTF-8, the empty text included. [any]
[[nodiscard]] bool IsValidUtf8(std::string_view text) noexcept;

/// The text on one line that a terminal only shows. Controls (C0, DEL, C1), line and paragraph separators and
/// the bidirectional formatting characters come out as `\n`, `\t`, `\r`, `\x1b` or `\u{202e}`; each byte that is not
/// UTF-8 as `\xNN`. Everything else is unchanged, so ordinary text passes through as it is. [any]
[[nodiscard]] std::string EscapeControl(std::string_view text);

}  // namespace muster
