// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/TickPipeline.h"

#include <utility>

namespace muster::simulation {

TickPipeline::TickPipeline(telemetry::TickTimings& timings, const IClock& clock) : m_timings{timings}, m_clock{clock} {}

void TickPipeline::Add(std::unique_ptr<IStage> stage) {
  m_timings.Announce(stage->Phase());
  m_stages.push_back(std::move(stage));
}

void TickPipeline::RunTick(TickContext& context) {
  MonotonicTime before = m_clock.Now();
  m_timings.BeginTick(context.tick, before);
  for (const std::unique_ptr<IStage>& stage : m_stages) {
    stage->Run(context);
    const MonotonicTime after = m_clock.Now();
    m_timings.AddPhase(stage->Phase(), after - before);
    before = after;
  }
  m_timings.EndTick(before);
}

}  // namespace muster::simulation
