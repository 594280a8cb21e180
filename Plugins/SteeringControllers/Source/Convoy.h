// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Convoy: a column. Everybody follows the one before it; the first goes in a wide circle around its home.
#pragma once

#include "Craft.h"

namespace muster::steering {

/// Whom an agent follows: among its neighbours of its own archetype the one of the highest slot below its own, so that
/// no two can follow each other, and a column of those spawned together is in the order of spawning. Null: it leads.
const Neighbour* FindLeader(const Craft& craft, const mu_world_view& world, std::span<const Neighbour> neighbours);

/// Metres to keep from a leader at this speed.
float ConvoyGap(const Scale& sizes, float speed);

Intent Convoy(const Craft& craft, const Neighbour* leader, std::span<const Neighbour> neighbours, const Memory& memory);

}  // namespace muster::steering
