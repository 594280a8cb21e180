// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/MaintenanceStage.h"

namespace muster::simulation {

void MaintenanceStage::Run(TickContext& context) {
  m_simulation.CommitStructure(context.tick);
  m_spatial.Rebuild(m_simulation.Store(), m_simulation.Columns(), context.stepSeconds);
}

}  // namespace muster::simulation
