// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Course and speed of something that drives become throttle and rudder. The flight director's sibling.
#pragma once

#include "Craft.h"

namespace muster::steering {

/// Remembers the speed a vehicle was found at; one that stands is to drive at a walking pace and more.
void PrepareGround(const Craft& craft, const mu_control& last, Memory& memory);

/// A course behind it is turned to the right or to the left, whichever is nearer. A speed of 0 stops it.
mu_control Drive(const Craft& craft, const Intent& intent, float stepSeconds, Memory& memory);

}  // namespace muster::steering
