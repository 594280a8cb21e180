// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Pursuit: follows the nearest other aircraft without touching anybody.
#pragma once

#include "FlightDirector.h"

#include <cstdint>
#include <span>

namespace muster::basic {

inline constexpr float kSearchRadius = 30'000.0F;  ///< metres
inline constexpr std::uint32_t kNeighbours = 4;

/// Somebody near, relative to the agent.
struct Neighbour {
  std::uint32_t slot = 0;
  Vector offset{};  ///< metres, from the agent
  Vector velocity{};
};

/// `neighbours` are aircraft, nearest first; not empty.
Intent Pursue(const Agent& agent, std::uint32_t slot, std::span<const Neighbour> neighbours, const Memory& memory);

}  // namespace muster::basic
