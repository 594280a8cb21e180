// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Where to and how high becomes stick and throttle.
#pragma once

#include "Agent.h"

namespace muster::basic {

/// What a behaviour wants.
struct Intent {
  Vector course{};             ///< level, length one
  float turnBank = 0.0F;       ///< radians, right positive: the bank of the turn it is in anyway
  float altitudeError = 0.0F;  ///< metres, positive: higher
  float climbLimit = 12.0F;    ///< m/s
  float speed = 0.0F;          ///< m/s
};

/// Remembers the speed an agent was found at; called before anything else of a think.
void Prepare(const Agent& agent, const mu_control& last, Memory& memory);

/// `stepSeconds`: since the agent's last think.
mu_control Fly(const Agent& agent, const Intent& intent, float stepSeconds, Memory& memory);

}  // namespace muster::basic
