// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Pursuit.h"

#include "Loiter.h"

namespace muster::basic {
namespace {

constexpr float kTrail = 300.0F;  ///< metres behind the target
constexpr float kLayer = 35.0F;   ///< metres between the layers that pursuers of one target fly in
/// Pursuers of each other would add up their layers for ever, so layers close with the distance from home's altitude.
constexpr float kLayeredBand = 1'000.0F;  ///< metres
constexpr float kLongestLead = 8.0F;      ///< seconds
constexpr float kLookAhead = 6.0F;        ///< seconds
constexpr float kLeastMiss = 90.0F;       ///< metres
constexpr float kEvasion = 120.0F;        ///< metres up or down
constexpr float kEvasionClimb = 30.0F;    ///< m/s

/// Positive: evade upwards, negative: downwards, 0: nobody comes near. Of two who meet the higher one climbs, so both
/// agree; at the same height the one with the higher slot.
float Evasion(const Agent& agent, std::uint32_t slot, std::span<const Neighbour> neighbours) {
  for (const Neighbour& other : neighbours) {
    const Vector approach = other.velocity - agent.velocity;
    const float speedSquared = Dot(approach, approach);
    const float time =
        speedSquared > 1.0F ? std::clamp(-Dot(other.offset, approach) / speedSquared, 0.0F, kLookAhead) : 0.0F;
    const Vector miss = other.offset + approach * time;
    if (Dot(miss, miss) < kLeastMiss * kLeastMiss) {
      const bool isHigher = std::fabs(miss.y) > 2.0F ? miss.y < 0.0F : slot > other.slot;
      return isHigher ? kEvasion : -kEvasion;
    }
  }
  return 0.0F;
}

}  // namespace

Intent Pursue(const Agent& agent, std::uint32_t slot, std::span<const Neighbour> neighbours, const Memory& memory) {
  const Neighbour& target = neighbours.front();
  const Vector ahead = Direction(Level(agent.velocity), {0.0F, 0.0F, -1.0F});
  const Vector targetCourse = Direction(Level(target.velocity), ahead);
  const float lead = std::min(Length(target.offset) / std::max(agent.speed, 50.0F), kLongestLead);
  const Vector behind = Level(target.offset) - targetCourse * kTrail;
  Intent intent;
  intent.course = Direction(behind + Level(target.velocity) * lead, ahead);
  const float aboveHome = std::fabs(agent.fromHome.y + target.offset.y);
  const float layering = std::max(0.0F, 1.0F - aboveHome / kLayeredBand);
  const float layer = kLayer * (static_cast<float>(slot % 5U) - 2.0F) * layering;
  const float wanted = std::max(agent.altitude + target.offset.y + layer, kLeastAltitude);
  intent.altitudeError = wanted - agent.altitude;
  // Far away at its own pace and a little more; close by at the target's.
  const float gap = Dot(behind, targetCourse);
  intent.speed =
      std::clamp(Length(target.velocity) + 0.05F * gap, 0.7F * memory.cruiseSpeed, 1.15F * memory.cruiseSpeed);
  if (const float evasion = Evasion(agent, slot, neighbours); evasion != 0.0F) {
    intent.altitudeError = std::max(evasion, kLeastAltitude - agent.altitude);
    intent.climbLimit = kEvasionClimb;
  }
  return intent;
}

}  // namespace muster::basic
