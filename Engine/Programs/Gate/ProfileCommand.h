// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `muster-gate PROFILE`: all checks of a profile, a table of figure against bar, and JSON.
#pragma once

#include "CheckList.h"
#include "GatePlaces.h"

#include <filesystem>
#include <string>

namespace muster::gate {

struct ProfileCommand {
  Places places;
  std::string profile;
  std::filesystem::path data;  ///< a list of checks instead of the profile's own
  bool isList = false;         ///< shows the checks and makes none
  std::string only;            ///< the one check to make; empty: all
  Depth depth = Depth::Quick;
  std::filesystem::path json;  ///< of the report; empty: Reports/<profile>.json in the build tree
};

/// Exit status: 0 when every bar is met, 1 when one is not or a check could not be made, 2 when the list is no good.
/// [main]
int ExecuteProfile(const ProfileCommand& command, const StopFlag& stop);

}  // namespace muster::gate
