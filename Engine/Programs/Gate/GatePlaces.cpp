// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GatePlaces.h"

#include "GateErrors.h"

#include <system_error>

namespace muster::gate {

std::filesystem::path ShownPath(const std::filesystem::path& path) {
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  const auto relative = std::filesystem::absolute(path, error).lexically_relative(here);
  return error || relative.empty() || *relative.begin() == ".." ? path : relative;
}

Error Interrupted() {
  return {kGateInterrupted, "The gate was interrupted.", "It received a signal.",
          "Start it again; nothing that it started is left running."};
}

}  // namespace muster::gate
