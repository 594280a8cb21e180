// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One agent of a batch as its controller sees it, and what it remembers.
#pragma once

#include "Geometry.h"

#include "PluginApi/AiController.h"

#include <cstdint>

namespace muster::basic {

struct Agent {
  Vector fromHome{};  ///< metres
  float altitude = 0.0F;
  Vector velocity{};
  Vector angular{};  ///< body axes
  Vector right{};    ///< body axes in the world
  Vector up{};
  float speed = 0.0F;
};

/// The blackboard. Raise kMemorySchema when the meaning of a byte changes.
struct Memory {
  float cruiseSpeed = 0.0F;  ///< 0: has not thought yet
  float elevatorTrim = 0.0F;
  float throttleTrim = 0.0F;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(Memory) == 16);
inline constexpr std::uint32_t kMemorySchema = 1;

inline Agent Observe(const mu_think_batch& batch, std::uint32_t index) {
  const mu_world_view& world = *batch.world;
  const std::uint32_t slot = batch.slots[index];
  const float x = world.orientation_x[slot];
  const float y = world.orientation_y[slot];
  const float z = world.orientation_z[slot];
  const float w = world.orientation_w[slot];
  Agent agent;
  agent.fromHome = {static_cast<float>(world.position_x[slot] - batch.home_x[index]),
                    static_cast<float>(world.position_y[slot] - batch.home_y[index]),
                    static_cast<float>(world.position_z[slot] - batch.home_z[index])};
  agent.altitude = static_cast<float>(world.position_y[slot]);
  agent.velocity = {world.velocity_x[slot], world.velocity_y[slot], world.velocity_z[slot]};
  agent.angular = {world.angular_x[slot], world.angular_y[slot], world.angular_z[slot]};
  agent.right = {1.0F - 2.0F * (y * y + z * z), 2.0F * (x * y + w * z), 2.0F * (x * z - w * y)};
  agent.up = {2.0F * (x * y - w * z), 1.0F - 2.0F * (x * x + z * z), 2.0F * (y * z + w * x)};
  agent.speed = Length(agent.velocity);
  return agent;
}

}  // namespace muster::basic
