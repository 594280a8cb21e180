// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace muster {

/// `name` in the folder that holds bin/ with the running program: plugins, for one, lie in `<prefix>/Plugins` beside
/// `<prefix>/bin/muster-server`, in the build tree and installed. Links are followed. Empty where the system does not
/// tell where the program lies. [any]
[[nodiscard]] std::filesystem::path PathBesideProgram(std::string_view name);

}  // namespace muster
