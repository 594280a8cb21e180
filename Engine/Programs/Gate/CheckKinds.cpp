// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CheckKinds.h"

#include <algorithm>
#include <array>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::array<std::pair<std::string_view, CheckMaker>, 14> kKinds{{{"run", &MakeRunCheck},
                                                                          {"swap", &MakeSwapCheck},
                                                                          {"tests", &MakeTestsCheck},
                                                                          {"metrics-fields", &MakeMetricsFieldsCheck},
                                                                          {"named-errors", &MakeNamedErrorsCheck},
                                                                          {"headless", &MakeHeadlessCheck},
                                                                          {"storm", &MakeStormCheck},
                                                                          {"killed-joining", &MakeKilledJoiningCheck},
                                                                          {"clock-step", &MakeClockStepCheck},
                                                                          {"stopped", &MakeStoppedCheck},
                                                                          {"second-server", &MakeSecondServerCheck},
                                                                          {"refused", &MakeRefusedCheck},
                                                                          {"ratios", &MakeRatiosCheck},
                                                                          {"fuzz", &MakeFuzzCheck}}};

}  // namespace

CheckMaker FindCheckKind(std::string_view kind) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& entry) { return entry.first == kind; });
  return found == kKinds.end() ? nullptr : found->second;
}

std::string CheckKindNames() {
  std::string names;
  for (const auto& [name, maker] : kKinds) {
    names += (names.empty() ? "" : ", ") + std::string{name};
  }
  return names;
}

}  // namespace muster::gate
