// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a player may be called. Names reach logs, consoles and other players' screens, so a name is either taken as it
// is or refused with a reason; it is never quietly changed, but for blanks at its ends.
#pragma once

#include "Core/Result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::sessions {

/// Characters (code points), not bytes.
inline constexpr std::size_t kMaxNameCharacters = 32;

/// The name without blanks at its ends. Refused with protocol::kBadName: no UTF-8, empty, longer than
/// kMaxNameCharacters, or with a control character, a line or paragraph separator, or a character that changes the
/// direction of the text or has no width (they would let one player pass for another). The error's cause says which.
/// [any]
Result<std::string> CheckPlayerName(std::string_view name);

}  // namespace muster::sessions
