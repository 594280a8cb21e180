// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The ground's share of a step: called after velocity, position and angular velocity are integrated, before the
// orientation.
#pragma once

#include "Motion/FlightModel.h"

namespace muster::motion {

/// Puts a craft that touches the ground on its gear: damage by sink rate, friction by the load on the wheels, an
/// attitude that settles. Does nothing in the air but clear `onGround`.
void ResolveGround(const FlightParams& params, const Control& control, float stepSeconds, FlightState& state) noexcept;

}  // namespace muster::motion
