// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Flock.h"

#include "Evasion.h"
#include "Loiter.h"
#include "Threat.h"

namespace muster::steering {
namespace {

constexpr float kOwnCourse = 0.6F;
constexpr float kAlignment = 1.0F;
constexpr float kCohesion = 1.0F;
constexpr float kSeparation = 1.5F;
constexpr float kWayOut = 2.5F;
constexpr float kHoming = 1.5F;
/// Of the personal space: closer than this a meeting is to be avoided.
constexpr float kClearanceShare = 0.6F;
constexpr float kHorizonShare = 0.7F;
/// The middle of the neighbours draws fully from so many personal spaces away.
constexpr float kFullCohesion = 4.0F;
constexpr float kCatchUp = 0.15F;  ///< of the cruise speed
/// Vertical places of a flock, so that those who cross do so one over the other.
constexpr float kLayer = 40.0F;
constexpr std::uint32_t kLayers = 4;

struct Sums {
  Vector courses{};
  Vector offsets{};
  Vector pushes{};
  float speeds = 0.0F;
  float wayOut = 0.0F;  ///< positive: to the right
};

Sums Add(const Craft& craft, std::span<const Neighbour> neighbours) {
  const Scale& sizes = craft.Sizes();
  const float personalSpace = sizes.personalSpace;
  const Vector ahead = craft.ahead;
  Sums sums;
  for (const Neighbour& other : neighbours) {
    const Vector offset = Level(other.offset);
    const Vector velocity = Level(other.velocity);
    sums.courses = sums.courses + Direction(velocity, ahead);
    sums.offsets = sums.offsets + offset;
    sums.speeds += Length(velocity);
    if (const float distance = Length(offset); distance < personalSpace) {
      // From one who stands in the same spot: to the side.
      const Vector away = Direction(Vector{} - offset, RightOf(ahead));
      sums.pushes = sums.pushes + away * (1.0F - distance / personalSpace);
    }
    const Threat threat = Assess(craft, other, kClearanceShare * personalSpace, kHorizonShare * sizes.horizon);
    sums.wayOut += threat.urgency * threat.side;
  }
  return sums;
}

}  // namespace

Intent Flock(const Craft& craft, std::span<const Neighbour> neighbours, const Memory& memory) {
  const Scale& sizes = craft.Sizes();
  const float cruise = memory.motion.cruiseSpeed;
  Intent intent;
  intent.speed = cruise;
  Vector course = craft.ahead * kOwnCourse;
  if (!neighbours.empty()) {
    const Sums sums = Add(craft, neighbours);
    const float share = 1.0F / static_cast<float>(neighbours.size());
    const Vector middle = sums.offsets * share;
    const float pull = std::min(Length(middle) / (kFullCohesion * sizes.personalSpace), 1.0F);
    course = course + sums.courses * (share * kAlignment) + Direction(middle, {}) * (pull * kCohesion) +
             sums.pushes * kSeparation + RightOf(craft.ahead) * (kWayOut * sums.wayOut);
    const float behind = Dot(middle, craft.ahead) / (kFullCohesion * sizes.personalSpace);
    const float pace = 0.5F * (cruise + sums.speeds * share) + cruise * kCatchUp * std::clamp(behind, -1.0F, 1.0F);
    intent.speed = std::clamp(pace, 0.7F * cruise, 1.2F * cruise);
  }
  const Vector fromHome = Level(craft.agent.fromHome);
  const float stretch = Length(fromHome) / sizes.leash - 1.0F;
  if (stretch > 0.0F) {
    course = course - Direction(fromHome, {}) * (kHoming * std::min(1.0F + stretch, 2.0F));
  }
  intent.course = Direction(course, craft.ahead);
  if (!craft.isGround) {
    intent.altitudeError = AltitudeError(craft.agent, kLayer * static_cast<float>(craft.slot % kLayers));
    Evade(craft.agent, craft.slot, neighbours, intent);
  }
  return intent;
}

}  // namespace muster::steering
