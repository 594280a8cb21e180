// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/IntegrateStage.h"

#include "Jobs/WorkerPool.h"
#include "MotionColumns.h"
#include "World/LiveRuns.h"

namespace muster::simulation {
namespace {

constexpr std::size_t kChunkSlots = 256;
/// Measured: one step of the flight model with its columns.
constexpr std::chrono::nanoseconds kStepCost{120};

}  // namespace

void IntegrateStage::Run(TickContext& context) {
  const MotionColumns columns{m_simulation};
  const world::EntityStore& store = m_simulation.Store();
  const std::span<const std::uint16_t> archetypeOf = store.Column(m_simulation.Columns().archetype);
  const std::vector<Archetype>& archetypes = m_simulation.Archetypes().All();
  const std::span<const std::uint64_t> live = store.LiveBits();
  const jobs::WorkEstimate estimate{kStepCost * store.LiveCount()};
  context.workers.ParallelFor(
      live.size() * 64, kChunkSlots, estimate, [&](std::size_t, std::size_t begin, std::size_t end) {
        world::ForEachLive(
            live.subspan(begin / 64, (end - begin) / 64),
            [&](std::uint32_t slot) {
              const Archetype& archetype = archetypes[archetypeOf[slot] - 1U];
              if (archetype.motion == MotionModel::FixedWing) {
                columns.Scatter(slot, motion::Step(archetype.flight, columns.Gather(slot), columns.ControlOf(slot),
                                                   context.stepSeconds));
              }
            },
            static_cast<std::uint32_t>(begin));
      });
}

}  // namespace muster::simulation
