// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/ProgramPath.h"

#include <system_error>

namespace muster {

std::filesystem::path PathBesideProgram(std::string_view name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path{} : self.parent_path().parent_path() / name;
}

}  // namespace muster
