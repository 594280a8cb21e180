// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Pursuit: follows the nearest other aircraft without touching anybody.
#pragma once

#include "FlightDirector.h"
#include "Surroundings.h"

#include <cstdint>
#include <span>

namespace muster::basic {

/// Metres: how far it looks for somebody.
inline constexpr float kSearchRadius = 30'000.0F;

/// `neighbours` are aircraft, nearest first; not empty.
Intent Pursue(const Agent& agent, std::uint32_t slot, std::span<const Neighbour> neighbours, const Memory& memory);

}  // namespace muster::basic
