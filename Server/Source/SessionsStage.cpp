// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SessionsStage.h"

namespace muster::server {

void SessionsStage::Run(simulation::TickContext& context) {
  m_sessions.Pump(context.tick);
  m_players.Update(context.tick);
  m_sessions.ApplyInputs(context.tick, m_simulation.Store(), m_simulation.Columns());
}

}  // namespace muster::server
