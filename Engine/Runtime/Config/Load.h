// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reads configuration in layers: defaults < file < environment < command line. Everything that is wrong is found in one
// go, and each error names the place, the key and what would be allowed. Configuration comes from the operator; the
// bounds here keep a damaged or huge file from taking the process down, they do not make players' files safe to read.
#pragma once

#include "Config/EffectiveConfig.h"
#include "Config/Key.h"
#include "Core/Error.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::config {

inline constexpr ErrorCode kConfigUnreadable{2001, "ConfigUnreadable"};
inline constexpr ErrorCode kConfigTooLarge{2002, "ConfigTooLarge"};
inline constexpr ErrorCode kConfigSyntax{2003, "ConfigSyntax"};
inline constexpr ErrorCode kConfigUnknownKey{2004, "ConfigUnknownKey"};
inline constexpr ErrorCode kConfigUnknownSection{2005, "ConfigUnknownSection"};
inline constexpr ErrorCode kConfigWrongType{2006, "ConfigWrongType"};
inline constexpr ErrorCode kConfigOutOfRange{2007, "ConfigOutOfRange"};
inline constexpr ErrorCode kConfigNotFinite{2008, "ConfigNotFinite"};
inline constexpr ErrorCode kConfigNotAllowed{2009, "ConfigNotAllowed"};
inline constexpr ErrorCode kConfigBadOverride{2010, "ConfigBadOverride"};

inline constexpr std::size_t kMaxConfigBytes = 256 * 1024;
inline constexpr std::size_t kMaxConfigLineBytes = 4 * 1024;
/// Brackets within brackets, and parts of a dotted key.
inline constexpr std::size_t kMaxConfigDepth = 16;

struct Sources {
  std::optional<std::filesystem::path> file;  ///< must exist when given
  std::vector<std::string> environment;       ///< "NAME=value"; only MUSTER_<SECTION>_<KEY> is looked at
  std::vector<std::string> overrides;         ///< "section.key=value", as `--set` takes them
};

struct Loaded {
  EffectiveConfig config;  ///< what was right; for wrong values the layer below
  std::vector<Error> errors;

  [[nodiscard]] bool IsUsable() const noexcept { return errors.empty(); }
  /// All errors, one a line.
  [[nodiscard]] std::string ErrorText() const;
};

/// Blocks on the disk. [main]
[[nodiscard]] Loaded Load(const KeySet& keys, const Sources& sources);

/// The same with the file's text at hand. `name` stands for it in messages. [any]
[[nodiscard]] Loaded LoadText(const KeySet& keys, std::string_view text, std::string_view name,
                              const Sources& others = {});

/// The process's environment as Sources takes it. [main]
[[nodiscard]] std::vector<std::string> ProcessEnvironment();

}  // namespace muster::config
