// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `ai`: every agent whose turn it is thinks, in chunks of slots, with whatever code stands behind its controller.
//
// An agent in slot s thinks in the ticks t with (t + s) divisible by its controller's stride. Chunks are cut by slot,
// so a batch holds the same agents for any number of workers. What comes back is clamped; what is not finite is zero.
#pragma once

#include "PluginHost/HostSpatial.h"
#include "Simulation/ControllerDirectory.h"
#include "Simulation/Simulation.h"
#include "Simulation/TickPipeline.h"

namespace muster::simulation {

class AiStage final : public IStage {
 public:
  /// Everything outlives the stage. `spatialGate` is PluginHost::Spatial(); `spatialQueries` answers behind it.
  AiStage(Simulation& simulation, ControllerDirectory& controllers, plugins::SpatialService& spatialGate,
          plugins::IHostSpatial& spatialQueries);

  telemetry::Phase Phase() const override { return telemetry::Phase::Ai; }
  void Run(TickContext& context) override;

 private:
  struct Round;
  void ThinkChunk(const Round& round, std::uint32_t firstSlot, std::uint32_t endSlot);
  void ThinkBatch(const Round& round, ControllerId id, const std::uint32_t* slots, std::uint32_t count);

  Simulation& m_simulation;
  ControllerDirectory& m_controllers;
  plugins::SpatialService& m_spatialGate;
  plugins::IHostSpatial& m_spatialQueries;
};

}  // namespace muster::simulation
