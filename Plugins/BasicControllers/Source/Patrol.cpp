// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Patrol.h"

#include "Evasion.h"
#include "Loiter.h"

namespace muster::basic {
namespace {

constexpr float kSearchOrbit = 1'500.0F;  ///< metres
constexpr float kTrail = 500.0F;          ///< metres behind whom it follows
constexpr float kLongestLead = 8.0F;      ///< seconds
constexpr float kHurry = 1.1F;            ///< of the cruise speed, while it follows
/// Patrols fly over the loiterers of their altitude, in layers of their own.
constexpr float kLowestLayer = 60.0F;
constexpr float kLayer = 45.0F;
constexpr std::uint32_t kLayers = 5;

/// Sixty-four bits that have nothing to do with those of the next leg or of another agent.
std::uint64_t Draw(const PatrolIdentity& identity, std::uint32_t leg) {
  std::uint64_t bits = identity.seed + identity.handle * 0xD6E8FEB86659FD93U + (std::uint64_t{leg} << 40U);
  for (int round = 0; round < 3; ++round) {
    bits ^= bits >> 31U;
    bits *= 0xA24BAED4963EE407U;
  }
  return bits ^ (bits >> 29U);
}

/// In -1..1, of 24 bits.
float Signed(std::uint64_t bits) {
  return static_cast<float>(bits & 0xFFFFFFU) * (2.0F / 16'777'215.0F) - 1.0F;
}

const Neighbour* NearestInSight(std::span<const Neighbour> inRange) {
  const Neighbour* nearest = nullptr;
  float least = kPatrolSight * kPatrolSight;
  for (const Neighbour& other : inRange) {
    if (const float distance = Dot(other.offset, other.offset); distance < least) {
      least = distance;
      nearest = &other;
    }
  }
  return nearest;
}

const Neighbour* FindSlot(std::span<const Neighbour> inRange, std::uint32_t slot) {
  for (const Neighbour& other : inRange) {
    if (other.slot == slot) {
      return &other;
    }
  }
  return nullptr;
}

/// Which state this think acts in. Says whom it follows, if anybody.
const Neighbour* Decide(const Agent& agent, Vector toWaypoint, float stepSeconds, std::span<const Neighbour> inRange,
                        PatrolMemory& memory) {
  const float fromHome = Length(Level(agent.fromHome));
  switch (memory.state) {
    case PatrolState::Transit:
    case PatrolState::Search:
      if (const Neighbour* const seen = NearestInSight(inRange); seen != nullptr && fromHome < kPatrolLeash) {
        memory.state = PatrolState::Investigate;
        memory.target = seen->slot;
        memory.secondsLeft = kPatrolInterest;
        return seen;
      }
      if (memory.state == PatrolState::Transit) {
        if (Length(toWaypoint) < kPatrolArrival) {
          memory.state = PatrolState::Search;
          memory.secondsLeft = kPatrolSearch;
        }
      } else if ((memory.secondsLeft -= stepSeconds) <= 0.0F) {
        memory.state = PatrolState::Transit;
        ++memory.leg;
      }
      return nullptr;
    case PatrolState::Investigate: {
      const Neighbour* const followed = FindSlot(inRange, memory.target);
      memory.secondsLeft -= stepSeconds;
      if (followed == nullptr || memory.secondsLeft <= 0.0F || fromHome > kPatrolLeash) {
        memory.state = PatrolState::Return;
        return nullptr;
      }
      return followed;
    }
    case PatrolState::Return:
      break;
  }
  if (fromHome < kPatrolArrival) {
    memory.state = PatrolState::Transit;
    ++memory.leg;
  }
  return nullptr;
}

Intent Follow(const Agent& agent, const Neighbour& target, Vector ahead, const Memory& memory) {
  const float lead = std::min(Length(target.offset) / std::max(agent.speed, 50.0F), kLongestLead);
  const Vector behind = Level(target.offset) - Direction(Level(target.velocity), ahead) * kTrail;
  Intent intent;
  intent.course = Direction(behind + Level(target.velocity) * lead, ahead);
  intent.speed = memory.cruiseSpeed * kHurry;
  return intent;
}

}  // namespace

Vector Waypoint(const PatrolIdentity& identity, std::uint32_t leg) {
  const std::uint64_t bits = Draw(identity, leg);
  return Vector{Signed(bits), 0.0F, Signed(bits >> 32U)} * kPatrolReach;
}

Intent Patrol(const Agent& agent, const PatrolIdentity& identity, float stepSeconds, std::span<const Neighbour> inRange,
              std::span<const Neighbour> nearest, PatrolMemory& memory) {
  const Vector ahead = Direction(Level(agent.velocity), {0.0F, 0.0F, -1.0F});
  const Vector toWaypoint = Waypoint(identity, memory.leg) - Level(agent.fromHome);
  const Neighbour* const followed = Decide(agent, toWaypoint, stepSeconds, inRange, memory);
  Intent intent;
  if (followed != nullptr) {
    intent = Follow(agent, *followed, ahead, memory.flight);
  } else if (memory.state == PatrolState::Search) {
    intent = Orbit(agent, Vector{} - toWaypoint, kSearchOrbit, memory.flight);
  } else {
    const bool isReturning = memory.state == PatrolState::Return;
    // Which waypoint may have changed in Decide.
    const Vector to = (isReturning ? Vector{} : Waypoint(identity, memory.leg)) - Level(agent.fromHome);
    intent.course = Direction(to, ahead);
    intent.speed = memory.flight.cruiseSpeed;
  }
  const auto layer = static_cast<float>(identity.slot % kLayers);
  intent.altitudeError = AltitudeError(agent, kLowestLayer + kLayer * layer);
  Evade(agent, identity.slot, nearest, intent);
  return intent;
}

}  // namespace muster::basic
