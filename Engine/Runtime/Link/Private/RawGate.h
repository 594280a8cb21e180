// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What every datagram passes before the transport looks at it. Keeps a fixed amount of memory, whoever sends what.
//
// An endpoint (address and port) of a finished handshake has a budget of its own. Everything else shares the budget of
// its address: an IPv4 address, an IPv6 /64, or one in-process endpoint.
#pragma once

#include "Core/Clock.h"
#include "LinkCounters.h"
#include "PluginApi/Transport.h"
#include "TokenBucket.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::link {

struct RawGateLimits {
  std::uint32_t maxDatagramBytes = 1200;
  double addressPerSecond = 40;     ///< also the burst
  double endpointPerSecond = 720;   ///< also the burst
  std::size_t maxEndpoints = 4096;  ///< how many finished handshakes there may be
  std::size_t addressSlots = 4096;  ///< addresses followed at once; a power of two
};

/// [net]
class RawGate {
 public:
  RawGate(const RawGateLimits& limits, std::uint64_t hashSeed, const IClock& clock, LinkCounters& counters);

  /// For mu_transport_params; points here.
  [[nodiscard]] mu_raw_gate Hook() noexcept;

  /// An endpoint finished its handshake; no-op when it is known.
  void Admit(const mu_address& endpoint);
  /// Its connection is gone.
  void Forget(const mu_address& endpoint) noexcept;

  /// None: pass.
  DropReason Judge(const mu_address& from, std::size_t datagramBytes) noexcept;

 private:
  struct Key {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::uint32_t port = 0;
    bool used = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Entry {
    Key key{};
    TokenBucket bucket{};
  };

  static constexpr std::size_t kProbes = 8;

  static Key AddressKey(const mu_address& from) noexcept;
  static Key EndpointKey(const mu_address& from) noexcept;
  [[nodiscard]] std::size_t HashOf(const Key& key) const noexcept;
  TokenBucket& AddressBucket(const Key& key, MonotonicTime now) noexcept;
  Entry* FindEndpoint(const Key& key) noexcept;

  const RawGateLimits m_limits;
  const std::uint64_t m_seed;
  const IClock& m_clock;
  LinkCounters& m_counters;
  std::vector<Entry> m_addresses;
  std::vector<Entry> m_endpoints;  ///< at most half full, linear probing
  std::size_t m_endpointCount = 0;
  TokenBucket m_overflow;  ///< for addresses beyond those followed
};

}  // namespace muster::link
