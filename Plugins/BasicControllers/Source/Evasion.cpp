// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Evasion.h"

#include "Loiter.h"

namespace muster::basic {
namespace {

constexpr float kLookAhead = 6.0F;      ///< seconds
constexpr float kLeastMiss = 90.0F;     ///< metres
constexpr float kEvasion = 120.0F;      ///< metres up or down
constexpr float kEvasionClimb = 30.0F;  ///< m/s

}  // namespace

void Evade(const Agent& agent, std::uint32_t slot, std::span<const Neighbour> neighbours, Intent& intent) {
  for (const Neighbour& other : neighbours) {
    const Vector approach = other.velocity - agent.velocity;
    const float speedSquared = Dot(approach, approach);
    const float time =
        speedSquared > 1.0F ? std::clamp(-Dot(other.offset, approach) / speedSquared, 0.0F, kLookAhead) : 0.0F;
    const Vector miss = other.offset + approach * time;
    if (Dot(miss, miss) < kLeastMiss * kLeastMiss) {
      const bool isHigher = std::fabs(miss.y) > 2.0F ? miss.y < 0.0F : slot > other.slot;
      intent.altitudeError = std::max(isHigher ? kEvasion : -kEvasion, kLeastAltitude - agent.altitude);
      intent.climbLimit = kEvasionClimb;
      return;
    }
  }
}

}  // namespace muster::basic
