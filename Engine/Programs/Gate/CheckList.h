// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A profile: checks and their bars, as data (Tests/Load/<profile>.json).
#pragma once

#include "Check.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

enum class Depth { Quick, Full };

struct CheckEntry {
  std::string id;
  std::string kind;
  std::string shows;  ///< what it shows, for people
  bool isInQuick = true;
  bool isInFull = true;
  std::vector<Bar> bars;
  std::unique_ptr<ICheck> check;

  [[nodiscard]] bool IsIn(Depth depth) const { return depth == Depth::Quick ? isInQuick : isInFull; }
};

struct CheckList {
  std::string profile;
  std::vector<CheckEntry> checks;
};

/// Everything is read before anything runs: an unknown key, kind or comparison, a check without a bar and an id given
/// twice are errors (kCheckUnknownKey, kCheckListMalformed) that name their place. [any]
Result<CheckList> ParseCheckList(std::string_view json);

/// Fails with what reading fails with, or with kProfileUnknown, which lists the profiles there are.
Result<CheckList> LoadProfile(const Places& places, std::string_view profile);

}  // namespace muster::gate
