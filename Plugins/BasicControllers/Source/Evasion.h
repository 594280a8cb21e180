// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Over or under whoever comes too near.
#pragma once

#include "FlightDirector.h"
#include "Neighbour.h"

#include <cstdint>
#include <span>

namespace muster::basic {

/// Changes the altitude that `intent` wants where the closest approach to one of the neighbours would be a near miss;
/// the first of them decides. Of two who meet the higher one climbs, so both agree; at the same height the one with the
/// higher slot.
void Evade(const Agent& agent, std::uint32_t slot, std::span<const Neighbour> neighbours, Intent& intent);

}  // namespace muster::basic
