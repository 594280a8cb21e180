// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The phases of a tick, under the names that metrics, console and dashboards use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::telemetry {

enum class Phase : std::uint8_t { Maintenance, Sensing, Ai, Integrate, Collision, Weapons, Serialize };

inline constexpr std::size_t kPhaseCount = 7;

/// In the order they run.
inline constexpr std::array<Phase, kPhaseCount> kPhases{Phase::Maintenance, Phase::Sensing,   Phase::Ai,
                                                        Phase::Integrate,   Phase::Collision, Phase::Weapons,
                                                        Phase::Serialize};

/// "maintenance", "sensing", ...: the metrics file appends "_ms".
std::string_view PhaseName(Phase phase);

}  // namespace muster::telemetry
