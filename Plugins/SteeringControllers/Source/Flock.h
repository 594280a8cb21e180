// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Flock: goes where its neighbours go, keeps near them and not too near (the three rules of Reynolds' "Flocks, Herds, and
// Schools", 1987).
#pragma once

#include "Craft.h"

namespace muster::steering {

/// Sums run over the neighbours in the order given.
Intent Flock(const Craft& craft, std::span<const Neighbour> neighbours, const Memory& memory);

}  // namespace muster::steering
