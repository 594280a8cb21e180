// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Config/Key.h"
#include "Core/Result.h"

#include <string>
#include <string_view>

namespace muster::config {

/// The value as the key's type, within its bounds. An integer is taken for a number. `place` is "server.toml:12".
/// Fails with: kConfigWrongType, kConfigOutOfRange, kConfigNotFinite, kConfigNotAllowed.
[[nodiscard]] Result<Value> CheckValue(const Key& key, Value value, std::string_view place);

/// The text of an environment variable or of `--set` as the key's type: texts as they are, lists separated by commas.
/// Fails with kConfigWrongType.
[[nodiscard]] Result<Value> ParseValue(const Key& key, std::string_view text, std::string_view place);

/// The text of `--set` for a key that has no type: true and false, an integer, a number, else a text.
[[nodiscard]] Value GuessValue(std::string_view text);

[[nodiscard]] Error WrongType(const Key& key, std::string_view found, std::string_view place);

}  // namespace muster::config
