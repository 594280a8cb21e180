// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The ballistic model: one step of a thing that was thrown, with gravity and drag, as a pure function.
//
//   BallisticState state{.position = {0, 800, 0}, .velocity = {0, 0, -600}};
//   state = Step(BallisticParams{}, state, kTickSeconds);      // health 0: it hit the ground
//
// Same bits everywhere, like the other models; axes and units are those of BodyState.h. The attitude stays what it was
// at launch. Promises for sound parameters and steps up to 1/30 s: the state stays finite, drag alone never reverses a
// velocity, y is never below 0, and what reaches the ground stays there and has no health.
//
// Threads: [any]
#pragma once

#include "Motion/BodyState.h"

namespace muster::motion {

struct BallisticParams {
  float massKg = 8.0F;
  float dragPerMeter = 0.0005F;  ///< density times drag area over twice the mass: drag over squared speed
  float maxSpeedMps = 1'200.0F;
};

using BallisticState = BodyState;

BallisticState Step(const BallisticParams& params, const BallisticState& state, float stepSeconds) noexcept;

/// What is wrong with these parameters, as a clause, or null.
const char* FindProblem(const BallisticParams& params) noexcept;

}  // namespace muster::motion
