// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who would come too close, and on which side to pass.
#pragma once

#include "Craft.h"

namespace muster::steering {

struct Threat {
  float urgency = 0.0F;  ///< 0..1
  float side = 1.0F;     ///< the way out: 1 to the right, -1 to the left
};

/// By the closest approach over the ground within `horizonSeconds`, where that is nearer than `clearanceMeters`. Who would be
/// passed on one side is passed wider on that side; two who meet head-on both turn right.
Threat Assess(const Craft& craft, const Neighbour& other, float clearanceMeters, float horizonSeconds);

}  // namespace muster::steering
