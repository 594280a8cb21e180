// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Somebody near an agent.
#pragma once

#include "Geometry.h"

#include "PluginApi/AiController.h"

#include <cstdint>
#include <optional>

namespace muster::basic {

/// Relative to the agent.
struct Neighbour {
  std::uint32_t slot = 0;
  Vector offset{};  ///< metres, from the agent
  Vector velocity{};
};

/// Nothing for somebody of another class, without health, or whose state is not finite.
inline std::optional<Neighbour> ObserveNeighbour(const mu_world_view& world, std::uint32_t self, std::uint32_t slot,
                                                 std::uint8_t entityClass) {
  constexpr float kBeyondAnyWorld = 1e18F;
  constexpr float kBeyondAnySpeed = 1e8F;
  if (slot == self || world.entity_class[slot] != entityClass || !(world.health[slot] > 0.0F)) {
    return std::nullopt;
  }
  const Neighbour neighbour{slot,
                            {static_cast<float>(world.position_x[slot] - world.position_x[self]),
                             static_cast<float>(world.position_y[slot] - world.position_y[self]),
                             static_cast<float>(world.position_z[slot] - world.position_z[self])},
                            {world.velocity_x[slot], world.velocity_y[slot], world.velocity_z[slot]}};
  const bool isSound = Dot(neighbour.offset, neighbour.offset) < kBeyondAnyWorld &&
                       Dot(neighbour.velocity, neighbour.velocity) < kBeyondAnySpeed;
  return isSound ? std::optional{neighbour} : std::nullopt;
}

}  // namespace muster::basic
