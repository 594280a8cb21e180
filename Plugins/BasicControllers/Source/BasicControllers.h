// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The provider: "loiter", "pursuit" and "patrol". Keeps nothing but the host's services.
#pragma once

#include "PluginApi/PluginTables.h"

#include <cstdint>

namespace muster::basic {

class BasicControllers {
 public:
  explicit BasicControllers(const plugin::Host& host) : m_host{host} {}

  std::uint32_t ControllerCount() const { return 3; }
  mu_status ControllerInfo(std::uint32_t index, mu_controller_info& info) const;
  /// [worker]
  mu_status Think(const mu_think_batch& batch);

 private:
  static void ThinkLoiter(const mu_think_batch& batch);
  mu_status ThinkPursuit(const mu_think_batch& batch) const;
  mu_status ThinkPatrol(const mu_think_batch& batch) const;

  plugin::Host m_host;
};

}  // namespace muster::basic
