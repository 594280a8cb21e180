// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One agent and those around it, in the air or on the ground, as the steering behaviours see them.
#pragma once

#include "Agent.h"
#include "FlightDirector.h"
#include "Neighbour.h"

#include <array>
#include <cstdint>
#include <span>

namespace muster::steering {

using basic::Agent;
using basic::Intent;
using basic::Neighbour;
using basic::Vector;

inline constexpr std::uint32_t kNeighbours = 12;

/// The blackboard of all three behaviours. Raise kMemorySchema when the meaning of a byte changes.
struct Memory {
  basic::Memory motion{};
  float courseX = 0.0F;  ///< of "avoid": the course it holds, level and of length one; both 0: none yet
  float courseZ = 0.0F;
};
static_assert(sizeof(Memory) == 24);
inline constexpr std::uint32_t kMemorySchema = 1;

/// Distances and speeds that differ between what flies and what drives. Metres, seconds, metres per second.
struct Scale {
  float searchRadius;  ///< of the nearest neighbours
  float leash;         ///< farther from home than this it is drawn back
  float orbitRadius;   ///< of the leader of a column
  float personalSpace;
  float gap;      ///< between two of a column that stand still
  float headway;  ///< seconds of travel added to it
  float clearance;
  float horizon;  ///< seconds that "avoid" looks ahead
};
inline constexpr Scale kAir{6'000.0F, 20'000.0F, 6'000.0F, 350.0F, 150.0F, 1.2F, 400.0F, 20.0F};
inline constexpr Scale kGround{200.0F, 2'000.0F, 300.0F, 15.0F, 10.0F, 1.2F, 12.0F, 6.0F};

/// One agent of a batch.
struct Craft {
  Agent agent{};
  Vector ahead{};  ///< level, length one: where it goes, or looks while it stands
  std::uint32_t slot = 0;
  bool isGround = false;

  [[nodiscard]] const Scale& Sizes() const { return isGround ? kGround : kAir; }
};

inline Craft ObserveCraft(const mu_think_batch& batch, std::uint32_t index) {
  Craft craft;
  craft.agent = basic::Observe(batch, index);
  craft.slot = batch.slots[index];
  craft.isGround = batch.world->entity_class[craft.slot] == MU_CLASS_GROUND;
  const Agent& agent = craft.agent;
  const Vector nose{agent.up.y * agent.right.z - agent.up.z * agent.right.y, 0.0F,
                    agent.up.x * agent.right.y - agent.up.y * agent.right.x};
  const Vector heading = Direction(nose, {0.0F, 0.0F, -1.0F});
  // A vehicle goes where it looks, also while it backs away from a bump; a craft in the air where it flies.
  craft.ahead = craft.isGround ? heading : Direction(Level(agent.velocity), heading);
  return craft;
}

/// Those of an agent's own class, nearest first.
struct Neighbourhood {
  std::array<Neighbour, kNeighbours> list;
  std::uint32_t count = 0;

  [[nodiscard]] std::span<const Neighbour> All() const { return {list.data(), count}; }
};

}  // namespace muster::steering
