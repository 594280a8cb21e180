// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The columns that motion reads and writes, as bare pointers: a slot becomes a BodyState and back.
#pragma once

#include "Motion/BodyState.h"
#include "Simulation/Simulation.h"

#include "PluginApi/SnapshotCodec.h"

namespace muster::simulation {

class MotionColumns {
 public:
  explicit MotionColumns(Simulation& simulation)
      : m_position{Of(simulation, simulation.Columns().positionX), Of(simulation, simulation.Columns().positionY),
                   Of(simulation, simulation.Columns().positionZ)},
        m_velocity{Of(simulation, simulation.Columns().velocityX), Of(simulation, simulation.Columns().velocityY),
                   Of(simulation, simulation.Columns().velocityZ)},
        m_orientation{
            Of(simulation, simulation.Columns().orientationX), Of(simulation, simulation.Columns().orientationY),
            Of(simulation, simulation.Columns().orientationZ), Of(simulation, simulation.Columns().orientationW)},
        m_angular{Of(simulation, simulation.Columns().angularX), Of(simulation, simulation.Columns().angularY),
                  Of(simulation, simulation.Columns().angularZ)},
        m_health{Of(simulation, simulation.Columns().health)},
        m_status{Of(simulation, simulation.Columns().status)},
        m_control{Of(simulation, simulation.Columns().control)} {}

  [[nodiscard]] motion::BodyState Gather(std::uint32_t slot) const {
    motion::BodyState state;
    state.position = {m_position[0][slot], m_position[1][slot], m_position[2][slot]};
    state.velocity = {m_velocity[0][slot], m_velocity[1][slot], m_velocity[2][slot]};
    state.orientation = {m_orientation[0][slot], m_orientation[1][slot], m_orientation[2][slot],
                         m_orientation[3][slot]};
    state.angular = {m_angular[0][slot], m_angular[1][slot], m_angular[2][slot]};
    state.health = m_health[slot];
    return state;
  }

  void Scatter(std::uint32_t slot, const motion::BodyState& state) const {
    m_position[0][slot] = state.position.x;
    m_position[1][slot] = state.position.y;
    m_position[2][slot] = state.position.z;
    m_velocity[0][slot] = state.velocity.x;
    m_velocity[1][slot] = state.velocity.y;
    m_velocity[2][slot] = state.velocity.z;
    m_orientation[0][slot] = state.orientation.x;
    m_orientation[1][slot] = state.orientation.y;
    m_orientation[2][slot] = state.orientation.z;
    m_orientation[3][slot] = state.orientation.w;
    m_angular[0][slot] = state.angular.x;
    m_angular[1][slot] = state.angular.y;
    m_angular[2][slot] = state.angular.z;
    m_health[slot] = state.health;
    std::uint32_t status = m_status[slot] & ~(MU_STATUS_ON_GROUND | MU_STATUS_AFTERBURNER);
    status |= state.onGround ? MU_STATUS_ON_GROUND : 0U;
    status |= state.afterburning ? MU_STATUS_AFTERBURNER : 0U;
    m_status[slot] = status;
  }

  [[nodiscard]] motion::Control ControlOf(std::uint32_t slot) const {
    const mu_control& control = m_control[slot];
    return {control.throttle, control.elevator, control.aileron, control.rudder,
            (control.buttons & MU_BUTTON_AFTERBURNER) != 0};
  }

 private:
  template <class T>
  static T* Of(Simulation& simulation, world::ColumnId<T> id) {
    return simulation.Store().Column(id).data();
  }

  double* m_position[3];
  float* m_velocity[3];
  float* m_orientation[4];
  float* m_angular[3];
  float* m_health;
  std::uint32_t* m_status;
  const mu_control* m_control;
};

}  // namespace muster::simulation
