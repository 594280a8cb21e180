// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace muster {

/// True for well-formed UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. [any]
[[nodiscard]] bool IsValidUtf8(std::string_view text) noexcept;

/// The text on one line that a terminal only shows. Controls (C0, DEL, C1), line and paragraph separators and
/// the bidirectional formatting characters come out as `\n`, `\t`, `\r`, `\x1b` or `\u{202e}`; each byte that is not
/// UTF-8 as `\xNN`. Everything else is unchanged, so ordinary text passes through as it is. [any]
[[nodiscard]] std::string EscapeControl(std::string_view text);

}  // namespace muster
