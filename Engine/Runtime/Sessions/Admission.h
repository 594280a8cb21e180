// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who may come in, before anything is known of him but his address: how many in all, how many from one address, how
// many in a while from one address.
//
// Threads: [sim].
#pragma once

#include "Core/Clock.h"
#include "PluginApi/Transport.h"
#include "Protocol/RefusalCodes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace muster::sessions {

struct AdmissionConfig {
  std::uint32_t maxPeers = 32;      ///< 1..4,000
  std::uint32_t maxPerAddress = 0;  ///< 0: no limit
  std::uint32_t connectCount = 5;   ///< joins from one address in `connectWindow`; 0: no limit
  std::chrono::seconds connectWindow{10};
};

class Admission {
 public:
  Admission(const AdmissionConfig& config, const IClock& clock);

  /// Counts a newcomer in, or says why not. Every admitted one is given back with Release.
  std::optional<protocol::Refusal> Admit(const mu_address& address);
  void Release(const mu_address& address);

  /// New limits for those who come from now on; nobody who is in is sent away.
  void Reconfigure(const AdmissionConfig& config) { m_config = config; }

  [[nodiscard]] std::size_t Count() const { return m_present.size(); }

 private:
  /// Joins remembered at most, over all addresses. When it is full the oldest is forgotten, so that a flood from many
  /// addresses costs bounded memory and at worst lets one address join a little too often.
  static constexpr std::size_t kMaxRemembered = 4'096;

  using Ip = std::array<std::uint8_t, 16>;
  struct Join {
    Ip ip{};
    MonotonicTime at{};
  };

  AdmissionConfig m_config;
  const IClock& m_clock;
  std::vector<Ip> m_present;
  std::vector<Join> m_recent;  ///< oldest first
};

}  // namespace muster::sessions
