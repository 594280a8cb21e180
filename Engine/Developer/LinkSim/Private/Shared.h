// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Mutex.h"
#include "LinkSim/LinkSim.h"

#include <atomic>
#include <cstdint>

namespace muster::linksim {

/// What all instances of one LinkSim use. [any]
class LinkSim::Shared {
 public:
  Shared(link::TransportSource source, const LinkSimConfig& config, const IClock& theClock);

  [[nodiscard]] LinkSimConfig Config() const {
    const MutexLock lock(m_mutex);
    return m_config;
  }
  void SetConditions(const LinkConditions& outgoing, const LinkConditions& incoming) {
    const MutexLock lock(m_mutex);
    m_config.outgoing = outgoing;
    m_config.incoming = incoming;
  }

  const link::TransportSource inner;
  const IClock& clock;
  mu_transport_v0 table{};  ///< what instances are used through
  std::atomic<std::uint64_t> instances{0};
  std::atomic<std::uint64_t> offered{0}, lost{0}, duplicated{0}, reordered{0}, delivered{0}, reliable{0}, refused{0};

 private:
  mutable Mutex m_mutex;
  LinkSimConfig m_config MUSTER_GUARDED_BY(m_mutex);
};

}  // namespace muster::linksim
