// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Error.h"

#include "Core/Utf8.h"

#include <fmt/format.h>

namespace muster {

std::string Error::ToString() const {
  std::string text = fmt::format("MU{:04} {}: {}", code.number, code.name, sentence);
  if (!cause.empty()) {
    text += " Cause: " + cause;
  }
  if (!action.empty()) {
    text += " Do: " + action;
  }
  return EscapeControl(text);
}

}  // namespace muster
