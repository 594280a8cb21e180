// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// First of a tick: what the network has to tell, then who gets a craft, then this tick's input into the world.
#pragma once

#include "Players.h"
#include "Sessions/SessionDirectory.h"
#include "Simulation/Simulation.h"
#include "Simulation/TickPipeline.h"

namespace muster::server {

class SessionsStage final : public simulation::IStage {
 public:
  /// Everything outlives the stage.
  SessionsStage(sessions::SessionDirectory& sessions, Players& players, simulation::Simulation& simulation)
      : m_sessions(sessions), m_players(players), m_simulation(simulation) {}

  telemetry::Phase Phase() const override { return telemetry::Phase::Maintenance; }
  void Run(simulation::TickContext& context) override;

 private:
  sessions::SessionDirectory& m_sessions;
  Players& m_players;
  simulation::Simulation& m_simulation;
};

}  // namespace muster::server
