// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Loiter: a clockwise orbit of home at home's altitude. Orbits of other points serve other behaviours.
#pragma once

#include "FlightDirector.h"

namespace muster::basic {

inline constexpr float kOrbitRadius = 3'000.0F;  ///< metres
/// Never lower than this, wherever home is.
inline constexpr float kLeastAltitude = 150.0F;

/// A function of the agent alone, and it turns with the agent: craft that start on courses an angle apart fly the same
/// orbit that angle apart.
Intent Loiter(const Agent& agent, const Memory& memory);

/// Clockwise around the point that the agent is `fromCentre` away from, at `radiusMeters` or, for craft too fast for
/// that, wider. Altitude is left alone.
Intent Orbit(const Agent& agent, Vector fromCentre, float radiusMeters, const Memory& memory);

/// Altitude to gain to be `aboveHome` over home, and never near the ground.
float AltitudeError(const Agent& agent, float aboveHome);

}  // namespace muster::basic
