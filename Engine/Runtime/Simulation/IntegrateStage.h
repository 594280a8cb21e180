// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `integrate`: one step of every entity's motion model over the columns, in chunks of whole words of slots.
#pragma once

#include "Simulation/Simulation.h"
#include "Simulation/TickPipeline.h"

namespace muster::simulation {

class IntegrateStage final : public IStage {
 public:
  /// `simulation` outlives the stage.
  explicit IntegrateStage(Simulation& simulation) : m_simulation{simulation} {}

  telemetry::Phase Phase() const override { return telemetry::Phase::Integrate; }
  void Run(TickContext& context) override;

 private:
  Simulation& m_simulation;
};

}  // namespace muster::simulation
