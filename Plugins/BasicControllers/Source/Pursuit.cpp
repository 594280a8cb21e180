// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Pursuit.h"

#include "Evasion.h"
#include "Loiter.h"

namespace muster::basic {
namespace {

constexpr float kTrail = 300.0F;  ///< metres behind the target
constexpr float kLayer = 35.0F;   ///< metres between the layers that pursuers of one target fly in
/// Pursuers of each other would add up their layers for ever, so layers close with the distance from home's altitude.
constexpr float kLayeredBand = 1'000.0F;  ///< metres
constexpr float kLongestLead = 8.0F;      ///< seconds

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
  Evade(agent, slot, neighbours, intent);
  return intent;
}

}  // namespace muster::basic
