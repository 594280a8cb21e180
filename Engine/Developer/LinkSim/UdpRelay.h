// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A bad network between real sockets: clients send to the relay as if it were the server, the relay sends on to the
// server from one socket of its own for each client address, so that the server tells them apart.
//
//   auto relay = UdpRelay::Open({.server = address, .toServer = bad, .toClient = bad, .seed = 7}, clock);
//   UdpRelayThread thread(**relay, clock);          // or (*relay)->Pump() whenever it suits, on virtual time
//   client.Connect((*relay)->Address());
//
// It works on datagrams and knows no protocol: acknowledgements and handshakes suffer like everything else, which
// LinkSim in front of a transport cannot do. Every client and direction has a stream of decisions of its own, by the
// order in which the clients came and their datagrams.
//
// Bounds: `maxClients` addresses, the queue's bytes; what comes beyond is dropped and counted.
// Threads: Pump and WaitHandle by one thread at a time; SetConditions, Stats and Address by any.
#pragma once

#include "Core/Clock.h"
#include "Core/Result.h"
#include "LinkSim/LinkConditions.h"
#include "PluginApi/Transport.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace muster::linksim {

inline constexpr ErrorCode kRelayUnavailable{3120, "RelayUnavailable"};

struct UdpRelayConfig {
  mu_address server{};
  LinkConditions toServer{};
  LinkConditions toClient{};
  std::uint64_t seed = 1;
  /// The conditions hold between these times after Open, elsewhere the line is good. Absent: always.
  struct Window {
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds duration{0};
  };
  std::optional<Window> window{};
  std::size_t maxClients = 4'096;
  /// What waits for its time, each datagram counted with kHeldOverheadBytes beside its own.
  std::size_t maxQueuedBytes = std::size_t{64} << 20;
  static constexpr std::size_t kHeldOverheadBytes = 128;
};

/// Datagrams, but for the first one. Everything that came is lost, refused or, sooner or later, delivered.
struct UdpRelayStats {
  std::uint64_t clients = 0;
  std::uint64_t fromClients = 0;
  std::uint64_t fromServer = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;   ///< held back; whether something overtook them is up to the traffic
  std::uint64_t overRate = 0;    ///< lost because the line was full
  std::uint64_t overflowed = 0;  ///< lost because the relay's own queue was full
  std::uint64_t strangers = 0;   ///< from an address beyond maxClients
  std::uint64_t delivered = 0;   ///< duplicates included
  std::uint64_t unsendable = 0;  ///< refused by the kernel
};

class UdpRelay {
 public:
  /// Listens on any port of the loopback address of the server's family. Fails with kRelayUnavailable. [any]
  static Result<std::unique_ptr<UdpRelay>> Open(const UdpRelayConfig& config, const IClock& clock);
  UdpRelay(const UdpRelay&) = delete;
  UdpRelay& operator=(const UdpRelay&) = delete;
  ~UdpRelay();

  /// Where clients connect.
  [[nodiscard]] mu_address Address() const noexcept;
  /// For what arrives from now on. What is under way keeps its fate.
  void SetConditions(const LinkConditions& toServer, const LinkConditions& toClient);
  [[nodiscard]] UdpRelayStats Stats() const;

  /// Takes what has arrived, a bounded part of it, and sends what is due. Returns when the next datagram is due, if one
  /// waits.
  std::optional<MonotonicTime> Pump();
  /// A descriptor that becomes readable when something arrives.
  [[nodiscard]] int WaitHandle() const noexcept;

 private:
  class Impl;
  explicit UdpRelay(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

/// Pumps a relay until it is destroyed. The clock is the machine's: the thread sleeps in the kernel.
class UdpRelayThread {
 public:
  UdpRelayThread(UdpRelay& relay, const SteadyClock& clock);
  UdpRelayThread(const UdpRelayThread&) = delete;
  UdpRelayThread& operator=(const UdpRelayThread&) = delete;
  ~UdpRelayThread();

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace muster::linksim
