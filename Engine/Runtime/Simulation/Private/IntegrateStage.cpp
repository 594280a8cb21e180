// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/IntegrateStage.h"

#include "Jobs/WorkerPool.h"
#include "MotionColumns.h"
#include "World/LiveRuns.h"

namespace muster::simulation {
namespace {

constexpr std::size_t kChunkSlots = 256;
/// Measured: one step of the flight model, the costliest one, with its columns.
constexpr std::chrono::nanoseconds kStepCost{120};

motion::BodyState Moved(const Archetype& archetype, const motion::BodyState& state, const motion::Control& control,
                        float stepSeconds) {
  switch (archetype.motion) {
    case MotionModel::FixedWing:
      return motion::Step(archetype.flight, state, control, stepSeconds);
    case MotionModel::Ground:
      return motion::Step(archetype.ground, state, control, stepSeconds);
    case MotionModel::Ballistic:
      return motion::Step(archetype.ballistic, state, stepSeconds);
    case MotionModel::Stationary:
      break;
  }
  return state;
}

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
              if (archetype.motion != MotionModel::Stationary) {
                columns.Scatter(slot,
                                Moved(archetype, columns.Gather(slot), columns.ControlOf(slot), context.stepSeconds));
              }
            },
            static_cast<std::uint32_t>(begin));
      });
}

}  // namespace muster::simulation
