// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The provider: "flock", "convoy" and "avoid". Keeps nothing but the host's services.
#pragma once

#include "PluginApi/PluginTables.h"

#include <cstdint>

namespace muster::steering {

class SteeringControllers {
 public:
  explicit SteeringControllers(const plugin::Host& host) : m_host{host} {}

  std::uint32_t ControllerCount() const { return 3; }
  mu_status ControllerInfo(std::uint32_t index, mu_controller_info& info) const;
  /// [worker]
  mu_status Think(const mu_think_batch& batch);

 private:
  plugin::Host m_host;
};

}  // namespace muster::steering
