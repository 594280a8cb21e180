// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `maintenance`: the one point of the tick where structure changes. The dead go, queued births and deaths are
// committed, and the spatial index is rebuilt over what is there then.
#pragma once

#include "Simulation/Simulation.h"
#include "Simulation/SpatialService.h"
#include "Simulation/TickPipeline.h"

namespace muster::simulation {

class MaintenanceStage final : public IStage {
 public:
  /// Both outlive the stage.
  MaintenanceStage(Simulation& simulation, SpatialService& spatial) : m_simulation{simulation}, m_spatial{spatial} {}

  telemetry::Phase Phase() const override { return telemetry::Phase::Maintenance; }
  void Run(TickContext& context) override;

 private:
  Simulation& m_simulation;
  SpatialService& m_spatial;
};

}  // namespace muster::simulation
