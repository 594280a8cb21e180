// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/AiStage.h"

#include "Jobs/WorkerPool.h"
#include "Motion/FlightModel.h"
#include "World/LiveRuns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace muster::simulation {
namespace {

constexpr std::uint32_t kChunkSlots = 128;
/// Measured: an agent a tick, the ticks between its thinks included.
constexpr std::chrono::nanoseconds kThinkCost{100};

float FiniteWithin(float value, float low, float high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : 0.0F;
}

mu_control Clamped(const mu_control& control) {
  return {FiniteWithin(control.throttle, 0.0F, 1.0F), FiniteWithin(control.elevator, -1.0F, 1.0F),
          FiniteWithin(control.aileron, -1.0F, 1.0F), FiniteWithin(control.rudder, -1.0F, 1.0F), control.buttons};
}

}  // namespace

/// What all chunks of one tick share.
struct AiStage::Round {
  std::uint64_t tick = 0;
  float stepSeconds = 0.0F;
  mu_world_view view{};
  std::span<const std::uint64_t> live{};
  std::span<const std::uint16_t> controllerOf{};
  std::size_t controllers = 0;
  std::array<ControllerDirectory::Controller, kMaxControllers> table{};
};

AiStage::AiStage(Simulation& simulation, ControllerDirectory& controllers, plugins::SpatialService& spatialGate,
                 plugins::IHostSpatial& spatialQueries)
    : m_simulation{simulation},
      m_controllers{controllers},
      m_spatialGate{spatialGate},
      m_spatialQueries{spatialQueries} {}

void AiStage::Run(TickContext& context) {
  const world::EntityStore& store = m_simulation.Store();
  Round round;
  round.tick = context.tick.Value();
  round.stepSeconds = context.stepSeconds;
  round.view = m_simulation.View();
  round.live = store.LiveBits();
  round.controllerOf = store.Column(m_simulation.Columns().controller);
  round.controllers = m_controllers.Count();
  for (std::size_t i = 0; i < round.controllers; ++i) {
    round.table[i] = m_controllers.Describe(ControllerId{static_cast<std::uint16_t>(i + 1)});
  }
  {
    const plugins::SpatialService::Scope scope = m_spatialGate.Enter(m_spatialQueries);
    const jobs::WorkEstimate estimate{kThinkCost * store.LiveCount()};
    context.workers.ParallelFor(round.live.size() * 64, kChunkSlots, estimate,
                                [&](std::size_t, std::size_t begin, std::size_t end) {
                                  ThinkChunk(round, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
                                });
  }
  m_controllers.CommitFailures();
}

void AiStage::ThinkChunk(const Round& round, std::uint32_t firstSlot, std::uint32_t endSlot) {
  // Agents of the chunk whose turn it is, in slot order, and how many of each controller.
  std::array<std::uint32_t, kChunkSlots> due;
  std::array<std::uint16_t, kMaxControllers> dueOf{};
  std::uint32_t dueCount = 0;
  const std::span<const std::uint64_t> words = round.live.subspan(firstSlot / 64, (endSlot - firstSlot) / 64);
  world::ForEachLive(
      words,
      [&](std::uint32_t slot) {
        const std::uint16_t controller = round.controllerOf[slot];
        if (controller == 0 || controller > round.controllers ||
            (round.tick + slot) % round.table[controller - 1U].thinkStride != 0) {
          return;
        }
        due[dueCount++] = slot;
        ++dueOf[controller - 1U];
      },
      firstSlot);
  if (dueCount == 0) {
    return;
  }
  std::array<std::uint32_t, kChunkSlots> batch;
  for (std::size_t i = 0; i < round.controllers; ++i) {
    if (dueOf[i] == 0) {
      continue;
    }
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < dueCount; ++k) {
      if (round.controllerOf[due[k]] == i + 1) {
        batch[count++] = due[k];
      }
    }
    ThinkBatch(round, ControllerId{static_cast<std::uint16_t>(i + 1)}, batch.data(), count);
  }
}

void AiStage::ThinkBatch(const Round& round, ControllerId id, const std::uint32_t* slots, std::uint32_t count) {
  world::EntityStore& store = m_simulation.Store();
  const EntityColumns& columns = m_simulation.Columns();
  const ControllerDirectory::Controller& controller = round.table[id.Value() - 1U];
  const std::size_t stride = controller.blackboardStride;
  std::array<std::uint64_t, kChunkSlots> handles;
  std::array<double, kChunkSlots> homeX;
  std::array<double, kChunkSlots> homeY;
  std::array<double, kChunkSlots> homeZ;
  std::array<mu_control, kChunkSlots> controls;
  alignas(8) std::array<std::uint8_t, kChunkSlots * kMaxBlackboardBytes> blackboards;
  const std::span<mu_control> control = store.Column(columns.control);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = slots[i];
    handles[i] = store.HandleAt(slot).Value();
    homeX[i] = store.Column(columns.homeX)[slot];
    homeY[i] = store.Column(columns.homeY)[slot];
    homeZ[i] = store.Column(columns.homeZ)[slot];
    controls[i] = control[slot];
    if (stride != 0) {
      std::memcpy(blackboards.data() + i * stride, controller.blackboards + slot * stride, stride);
    }
  }

  mu_think_batch batch{};
  batch.struct_size = static_cast<std::uint32_t>(sizeof(batch));
  batch.count = count;
  batch.blackboard_stride = controller.blackboardStride;
  batch.slots = slots;
  batch.handles = handles.data();
  batch.home_x = homeX.data();
  batch.home_y = homeY.data();
  batch.home_z = homeZ.data();
  batch.blackboards = blackboards.data();
  batch.controls = controls.data();
  batch.tick = round.tick;
  batch.seed = m_simulation.Seed();
  batch.step_seconds = round.stepSeconds * static_cast<float>(controller.thinkStride);
  batch.world = &round.view;
  m_controllers.Think(id, batch);

  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = slots[i];
    control[slot] = Clamped(controls[i]);
    if (stride != 0) {
      std::memcpy(controller.blackboards + slot * stride, blackboards.data() + i * stride, stride);
    }
  }
}

}  // namespace muster::simulation
