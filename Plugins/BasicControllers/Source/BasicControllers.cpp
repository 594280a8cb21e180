// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BasicControllers.h"

#include "Agent.h"
#include "FlightDirector.h"
#include "Loiter.h"
#include "Patrol.h"
#include "Pursuit.h"
#include "Surroundings.h"

#include <algorithm>
#include <cstring>

namespace muster::basic {
namespace {

constexpr std::uint32_t kLoiter = 0;
constexpr std::uint32_t kPursuit = 1;
constexpr std::uint32_t kPatrol = 2;
constexpr std::uint32_t kThinkStride = 3;
constexpr std::string_view kNoAnswer = "the host answered no spatial query";

template <class T>
T Recall(const mu_think_batch& batch, std::uint32_t index) {
  T memory;
  std::memcpy(&memory, batch.blackboards + std::size_t{index} * batch.blackboard_stride, sizeof(memory));
  return memory;
}

template <class T>
void Remember(const mu_think_batch& batch, std::uint32_t index, const T& memory) {
  std::memcpy(batch.blackboards + std::size_t{index} * batch.blackboard_stride, &memory, sizeof(memory));
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
    case kPatrol:
      info = {plugin::ToText("patrol"), sizeof(PatrolMemory), kPatrolSchema, kThinkStride, 0};
      return MU_OK;
    default:
      return m_host.Fail(MU_E_INVALID_ARGUMENT, "there are three controllers");
  }
}

mu_status BasicControllers::Think(const mu_think_batch& batch) {
  const std::size_t bytes = batch.controller == kPatrol ? sizeof(PatrolMemory) : sizeof(Memory);
  if (batch.blackboard_stride < bytes) {
    return m_host.Fail(MU_E_INVALID_ARGUMENT, "the blackboards are smaller than asked for");
  }
  switch (batch.controller) {
    case kLoiter:
      ThinkLoiter(batch);
      return MU_OK;
    case kPursuit:
      return ThinkPursuit(batch);
    case kPatrol:
      return ThinkPatrol(batch);
    default:
      return m_host.Fail(MU_E_INVALID_ARGUMENT, "there are three controllers");
  }
}

void BasicControllers::ThinkLoiter(const mu_think_batch& batch) {
  for (std::uint32_t i = 0; i < batch.count; ++i) {
    const Agent agent = Observe(batch, i);
    auto memory = Recall<Memory>(batch, i);
    Prepare(agent, batch.controls[i], memory);
    batch.controls[i] = Fly(agent, Loiter(agent, memory), batch.step_seconds, memory);
    Remember(batch, i, memory);
  }
}

mu_status BasicControllers::ThinkPursuit(const mu_think_batch& batch) const {
  for (std::uint32_t first = 0; first < batch.count; first += kQueryBatch) {
    NearestAircraft nearest;
    if (const mu_status status = nearest.Ask(m_host, batch, first, kSearchRadius); status != MU_OK) {
      return m_host.Fail(status, kNoAnswer);
    }
    for (std::uint32_t i = first; i < std::min(first + kQueryBatch, batch.count); ++i) {
      const Agent agent = Observe(batch, i);
      auto memory = Recall<Memory>(batch, i);
      Prepare(agent, batch.controls[i], memory);
      const Seen<kNeighbours> seen = nearest.Of(i);
      const Intent intent = seen.count == 0 ? Loiter(agent, memory) : Pursue(agent, batch.slots[i], seen.All(), memory);
      batch.controls[i] = Fly(agent, intent, batch.step_seconds, memory);
      Remember(batch, i, memory);
    }
  }
  return MU_OK;
}

mu_status BasicControllers::ThinkPatrol(const mu_think_batch& batch) const {
  for (std::uint32_t first = 0; first < batch.count; first += kQueryBatch) {
    AircraftInRange inRange;
    NearestAircraft nearest;
    mu_status status = inRange.Ask(m_host, batch, first, kPatrolLose);
    if (status == MU_OK) {
      status = nearest.Ask(m_host, batch, first, kPatrolSight);
    }
    if (status != MU_OK) {
      return m_host.Fail(status, kNoAnswer);
    }
    for (std::uint32_t i = first; i < std::min(first + kQueryBatch, batch.count); ++i) {
      const Agent agent = Observe(batch, i);
      auto memory = Recall<PatrolMemory>(batch, i);
      Prepare(agent, batch.controls[i], memory.flight);
      const Intent intent = Patrol(agent, {batch.seed, batch.handles[i], batch.slots[i]}, batch.step_seconds,
                                   inRange.Of(i).All(), nearest.Of(i).All(), memory);
      batch.controls[i] = Fly(agent, intent, batch.step_seconds, memory.flight);
      Remember(batch, i, memory);
    }
  }
  return MU_OK;
}

}  // namespace muster::basic
