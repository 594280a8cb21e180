// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BasicControllers.h"

#include "Agent.h"
#include "FlightDirector.h"
#include "Loiter.h"
#include "Pursuit.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace muster::basic {
namespace {

constexpr std::uint32_t kLoiter = 0;
constexpr std::uint32_t kPursuit = 1;
constexpr std::uint32_t kThinkStride = 3;
/// Queries asked at once; bounds what a batch takes of the stack.
constexpr std::uint32_t kQueryBatch = 64;

Memory Recall(const mu_think_batch& batch, std::uint32_t index) {
  Memory memory;
  std::memcpy(&memory, batch.blackboards + std::size_t{index} * batch.blackboard_stride, sizeof(memory));
  return memory;
}

void Remember(const mu_think_batch& batch, std::uint32_t index, const Memory& memory) {
  std::memcpy(batch.blackboards + std::size_t{index} * batch.blackboard_stride, &memory, sizeof(memory));
}

/// The aircraft among the slots found, nearest first; returns how many.
std::uint32_t Look(const mu_world_view& world, std::uint32_t self, const std::uint32_t* found, std::uint32_t count,
                   std::array<Neighbour, kNeighbours>& neighbours) {
  std::uint32_t seen = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = found[i];
    if (world.entity_class[slot] == MU_CLASS_AIRCRAFT) {
      neighbours[seen++] = {slot,
                            {static_cast<float>(world.position_x[slot] - world.position_x[self]),
                             static_cast<float>(world.position_y[slot] - world.position_y[self]),
                             static_cast<float>(world.position_z[slot] - world.position_z[self])},
                            {world.velocity_x[slot], world.velocity_y[slot], world.velocity_z[slot]}};
    }
  }
  return seen;
}

mu_nearest_query QueryAround(const mu_world_view& world, std::uint32_t slot) {
  return {static_cast<float>(world.position_x[slot]),
          static_cast<float>(world.position_y[slot]),
          static_cast<float>(world.position_z[slot]),
          kSearchRadius,
          kNeighbours,
          slot};
}

}  // namespace

mu_status BasicControllers::ControllerInfo(std::uint32_t index, mu_controller_info& info) const {
  switch (index) {
    case kLoiter:
      info = {plugin::ToText("loiter"), sizeof(Memory), kMemorySchema, kThinkStride, 0};
      return MU_OK;
    case kPursuit:
      info = {plugin::ToText("pursuit"), sizeof(Memory), kMemorySchema, kThinkStride, 0};
      return MU_OK;
    default:
      return m_host.Fail(MU_E_INVALID_ARGUMENT, "there are two controllers");
  }
}

mu_status BasicControllers::Think(const mu_think_batch& batch) {
  if (batch.blackboard_stride < sizeof(Memory)) {
    return m_host.Fail(MU_E_INVALID_ARGUMENT, "the blackboards are smaller than asked for");
  }
  if (batch.controller == kLoiter) {
    ThinkLoiter(batch);
    return MU_OK;
  }
  return ThinkPursuit(batch);
}

void BasicControllers::ThinkLoiter(const mu_think_batch& batch) {
  for (std::uint32_t i = 0; i < batch.count; ++i) {
    const Agent agent = Observe(batch, i);
    Memory memory = Recall(batch, i);
    Prepare(agent, batch.controls[i], memory);
    batch.controls[i] = Fly(agent, Loiter(agent, memory), batch.step_seconds, memory);
    Remember(batch, i, memory);
  }
}

mu_status BasicControllers::ThinkPursuit(const mu_think_batch& batch) const {
  std::array<mu_nearest_query, kQueryBatch> queries;
  std::array<mu_nearest_result, kQueryBatch> results;
  std::array<std::uint32_t, std::size_t{kQueryBatch} * kNeighbours> found;
  for (std::uint32_t first = 0; first < batch.count; first += kQueryBatch) {
    const std::uint32_t count = std::min(kQueryBatch, batch.count - first);
    for (std::uint32_t i = 0; i < count; ++i) {
      queries[i] = QueryAround(*batch.world, batch.slots[first + i]);
      results[i] = {};
    }
    const mu_status status =
        m_host.QueryNearest(std::span{queries.data(), count}, found.data(), kNeighbours, results.data());
    if (status != MU_OK) {
      return m_host.Fail(status, "the host answered no spatial query");
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t index = first + i;
      const Agent agent = Observe(batch, index);
      Memory memory = Recall(batch, index);
      Prepare(agent, batch.controls[index], memory);
      std::array<Neighbour, kNeighbours> neighbours;
      const std::uint32_t seen = Look(*batch.world, batch.slots[index], found.data() + std::size_t{i} * kNeighbours,
                                      results[i].count, neighbours);
      const Intent intent = seen == 0 ? Loiter(agent, memory)
                                      : Pursue(agent, batch.slots[index], std::span{neighbours.data(), seen}, memory);
      batch.controls[index] = Fly(agent, intent, batch.step_seconds, memory);
      Remember(batch, index, memory);
    }
  }
  return MU_OK;
}

}  // namespace muster::basic
