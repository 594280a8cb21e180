// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Patrol: from waypoint to waypoint around home, with a look at whoever comes within sight. A state machine:
//
//   Transit      to the next waypoint            there -> Search              somebody in sight -> Investigate
//   Search       circles the waypoint            for long enough -> Transit   somebody in sight -> Investigate
//   Investigate  follows whom it saw             out of reach, long enough or far from home -> Return
//   Return       home, without a look at anybody at home -> Transit
#pragma once

#include "FlightDirector.h"
#include "Surroundings.h"

#include <cstdint>
#include <span>

namespace muster::basic {

enum class PatrolState : std::uint32_t { Transit, Search, Investigate, Return };

/// The blackboard. Raise kPatrolSchema when the meaning of a byte changes.
struct PatrolMemory {
  Memory flight{};
  PatrolState state = PatrolState::Transit;
  std::uint32_t leg = 0;     ///< waypoints left behind
  float secondsLeft = 0.0F;  ///< of Search and Investigate
  std::uint32_t target = 0;  ///< the slot that Investigate follows
};
static_assert(sizeof(PatrolMemory) == 32);
inline constexpr std::uint32_t kPatrolSchema = 1;

inline constexpr float kPatrolReach = 6'000.0F;   ///< metres: waypoints lie within a square of twice this around home
inline constexpr float kPatrolArrival = 800.0F;   ///< metres
inline constexpr float kPatrolSight = 4'000.0F;   ///< metres: closer than this somebody is seen
inline constexpr float kPatrolLose = 6'000.0F;    ///< metres: farther than this he is lost
inline constexpr float kPatrolLeash = 14'000.0F;  ///< metres from home
inline constexpr float kPatrolSearch = 25.0F;     ///< seconds
inline constexpr float kPatrolInterest = 40.0F;   ///< seconds

/// Who patrols: waypoints follow from it and from the world's seed.
struct PatrolIdentity {
  std::uint64_t seed = 0;
  std::uint64_t handle = 0;
  std::uint32_t slot = 0;
};

/// Level, from home.
Vector Waypoint(const PatrolIdentity& identity, std::uint32_t leg);

/// `inRange`: within kPatrolLose by slot; `nearest`: nearest first. Aircraft both.
Intent Patrol(const Agent& agent, const PatrolIdentity& identity, float stepSeconds, std::span<const Neighbour> inRange,
              std::span<const Neighbour> nearest, PatrolMemory& memory);

}  // namespace muster::basic
