// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SteeringControllers.h"

#include "Avoid.h"
#include "Convoy.h"
#include "Flock.h"
#include "GroundDirector.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace muster::steering {
namespace {

constexpr std::uint32_t kFlock = 0;
constexpr std::uint32_t kConvoy = 1;
constexpr std::array<std::string_view, 3> kNames{"flock", "convoy", "avoid"};
constexpr std::uint32_t kThinkStride = 3;
/// Agents asked for at once; bounds what a batch takes of the stack.
constexpr std::uint32_t kQueryBatch = 64;

/// The answers for a part of a batch.
struct Answers {
  std::array<mu_nearest_result, kQueryBatch> results;
  std::array<std::uint32_t, std::size_t{kQueryBatch} * kNeighbours> slots;
};

mu_status Ask(const plugin::Host& host, const mu_think_batch& batch, std::uint32_t first, std::uint32_t count,
              Answers& answers) {
  const mu_world_view& world = *batch.world;
  std::array<mu_nearest_query, kQueryBatch> queries;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = batch.slots[first + i];
    const bool isGround = world.entity_class[slot] == MU_CLASS_GROUND;
    queries[i] = {static_cast<float>(world.position_x[slot]),
                  static_cast<float>(world.position_y[slot]),
                  static_cast<float>(world.position_z[slot]),
                  (isGround ? kGround : kAir).searchRadius,
                  kNeighbours,
                  slot};
    answers.results[i] = {};
  }
  return host.QueryNearest(std::span{queries.data(), count}, answers.slots.data(), kNeighbours, answers.results.data());
}

Neighbourhood Look(const mu_world_view& world, std::uint32_t self, const Answers& answers, std::uint32_t place) {
  Neighbourhood neighbourhood;
  for (std::uint32_t i = 0; i < answers.results[place].count; ++i) {
    const std::uint32_t slot = answers.slots[std::size_t{place} * kNeighbours + i];
    if (const auto neighbour = basic::ObserveNeighbour(world, self, slot, world.entity_class[self])) {
      neighbourhood.list[neighbourhood.count++] = *neighbour;
    }
  }
  return neighbourhood;
}

Intent Decide(std::uint32_t controller, const Craft& craft, const mu_world_view& world,
              std::span<const Neighbour> neighbours, Memory& memory) {
  switch (controller) {
    case kFlock:
      return Flock(craft, neighbours, memory);
    case kConvoy:
      return Convoy(craft, FindLeader(craft, world, neighbours), neighbours, memory);
    default:
      return Avoid(craft, neighbours, memory);
  }
}

mu_control Steer(const mu_think_batch& batch, std::uint32_t index, std::span<const Neighbour> neighbours,
                 Memory& memory) {
  const Craft craft = ObserveCraft(batch, index);
  if (craft.isGround) {
    PrepareGround(craft, batch.controls[index], memory);
  } else {
    Prepare(craft.agent, batch.controls[index], memory.motion);
  }
  const Intent intent = Decide(batch.controller, craft, *batch.world, neighbours, memory);
  return craft.isGround ? Drive(craft, intent, batch.step_seconds, memory)
                        : Fly(craft.agent, intent, batch.step_seconds, memory.motion);
}

}  // namespace

mu_status SteeringControllers::ControllerInfo(std::uint32_t index, mu_controller_info& info) const {
  if (index >= kNames.size()) {
    return m_host.Fail(MU_E_INVALID_ARGUMENT, "there are three controllers");
  }
  info = {plugin::ToText(kNames[index]), sizeof(Memory), kMemorySchema, kThinkStride, 0};
  return MU_OK;
}

mu_status SteeringControllers::Think(const mu_think_batch& batch) {
  if (batch.controller >= kNames.size() || batch.blackboard_stride < sizeof(Memory)) {
    return m_host.Fail(MU_E_INVALID_ARGUMENT, "no such controller, or blackboards smaller than asked for");
  }
  for (std::uint32_t first = 0; first < batch.count; first += kQueryBatch) {
    const std::uint32_t count = std::min(kQueryBatch, batch.count - first);
    Answers answers;
    if (const mu_status status = Ask(m_host, batch, first, count, answers); status != MU_OK) {
      return m_host.Fail(status, "the host answered no spatial query");
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t index = first + i;
      std::uint8_t* const blackboard = batch.blackboards + std::size_t{index} * batch.blackboard_stride;
      Memory memory;
      std::memcpy(&memory, blackboard, sizeof(memory));
      const Neighbourhood near = Look(*batch.world, batch.slots[index], answers, i);
      batch.controls[index] = Steer(batch, index, near.All(), memory);
      std::memcpy(blackboard, &memory, sizeof(memory));
    }
  }
  return MU_OK;
}

}  // namespace muster::steering
