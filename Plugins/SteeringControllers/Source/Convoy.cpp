// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Convoy.h"

#include "Evasion.h"
#include "Loiter.h"

namespace muster::steering {
namespace {

/// m/s for each metre too far away. Craft gain and lose speed slowly, so they have to begin early.
constexpr float kSpeedPerGapInTheAir = 0.04F;
constexpr float kSpeedPerGapOnTheGround = 0.2F;
/// Cosine of the angle within which it flies the circle that leads to its leader; beyond, it turns as hard as it can.
constexpr float kAhead = 0.5F;
constexpr float kShortestChord = 100.0F;  ///< metres
constexpr float kSlowestInTheAir = 0.7F;  ///< of the cruise speed
constexpr float kFastestInTheAir = 1.25F;
/// Faster than its leader by no more than a share of that one's speed and a little.
constexpr float kFaster = 0.3F;
constexpr float kFasterAnyway = 2.0F;  ///< m/s

/// Follows a leader through his turns: the bank of the circle that touches its own course and goes through him. Steering
/// for him alone would lag behind in every turn and drift to its outside.
void Chase(const Craft& craft, Vector offset, Intent& intent) {
  const Vector to = Direction(offset, craft.ahead);
  intent.course = to;
  if (Dot(craft.ahead, to) > kAhead) {
    const float sine = craft.ahead.x * to.z - craft.ahead.z * to.x;
    const float chord = std::max(Length(offset), kShortestChord);
    intent.course = craft.ahead;
    intent.turnBank = basic::Angle(2.0F * sine * craft.agent.speed * craft.agent.speed, basic::kGravity * chord);
  }
}

}  // namespace

const Neighbour* FindLeader(const Craft& craft, const mu_world_view& world, std::span<const Neighbour> neighbours) {
  const Neighbour* leader = nullptr;
  for (const Neighbour& other : neighbours) {
    if (other.slot < craft.slot && world.archetype[other.slot] == world.archetype[craft.slot] &&
        (leader == nullptr || other.slot > leader->slot)) {
      leader = &other;
    }
  }
  return leader;
}

float ConvoyGap(const Scale& sizes, float speed) {
  return sizes.gap + sizes.headway * speed;
}

Intent Convoy(const Craft& craft, const Neighbour* leader, std::span<const Neighbour> neighbours,
              const Memory& memory) {
  const Scale& sizes = craft.Sizes();
  const Agent& agent = craft.agent;
  Intent intent;
  if (leader == nullptr) {
    intent = Orbit(agent, agent.fromHome, sizes.orbitRadius, memory.motion);
  } else {
    const Vector offset = Level(leader->offset);
    const Vector velocity = Level(leader->velocity);
    const float pace = Length(velocity);
    const float gap = ConvoyGap(sizes, pace);
    const Vector course = Direction(velocity, craft.ahead);
    const float along = Dot(offset, course);
    // Who has overtaken his leader must not hurry on.
    const float tooFar = (along > 0.0F ? Length(offset) : along) - gap;
    if (craft.isGround) {
      // A vehicle turns as sharply as it likes: it steers for where its leader is now.
      intent.course = Direction(offset, craft.ahead);
    } else {
      Chase(craft, offset, intent);
    }
    const float cruise = memory.motion.cruiseSpeed;
    const float hurry = pace + kFaster * pace + kFasterAnyway;
    intent.speed = craft.isGround ? std::clamp(pace + kSpeedPerGapOnTheGround * tooFar, 0.0F, hurry)
                                  : std::clamp(pace + kSpeedPerGapInTheAir * tooFar, kSlowestInTheAir * cruise,
                                               kFastestInTheAir * cruise);
  }
  if (!craft.isGround) {
    intent.altitudeError = AltitudeError(agent, 0.0F);
    Evade(agent, craft.slot, neighbours, intent);
  }
  return intent;
}

}  // namespace muster::steering
