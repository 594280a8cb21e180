// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"
#include "Link/TransportHandle.h"
#include "LinkCounters.h"
#include "ServerPeers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::link {

/// Seals what is to be sent into one block of memory and hands it to the transport many at a time. [net]
class SendBatch {
 public:
  explicit SendBatch(std::size_t maxMessageBytes);

  void AddPacket(ServerPeer& peer, std::uint32_t sequence, std::span<const std::byte> message, MonotonicTime now,
                 TransportHandle& transport, LinkCounters& counters);
  void AddReliable(ServerPeer& peer, std::span<const std::byte> message, MonotonicTime now, TransportHandle& transport,
                   LinkCounters& counters);
  /// A handshake envelope, as it is.
  void AddClear(ServerPeer& peer, std::span<const std::byte> envelope, MonotonicTime now, TransportHandle& transport,
                LinkCounters& counters);

  /// Hands over what was added. Peers that do not take their reliable messages are listed in Refused until
  /// ClearRefused.
  void Submit(MonotonicTime now, TransportHandle& transport, LinkCounters& counters);
  [[nodiscard]] std::span<const PeerId> Refused() const noexcept { return m_refused; }
  void ClearRefused() noexcept { m_refused.clear(); }

 private:
  struct Item {
    ServerPeer* peer = nullptr;
    std::uint32_t sequence = 0;  ///< 0: not a packet
  };
  static constexpr std::size_t kItems = 64;

  std::span<std::byte> Reserve(std::size_t bytes, MonotonicTime now, TransportHandle& transport,
                               LinkCounters& counters);
  void Append(ServerPeer& peer, std::uint32_t channel, std::uint32_t sequence, std::span<const std::byte> envelope);

  std::vector<std::byte> m_arena;
  std::size_t m_arenaUsed = 0;
  std::array<mu_transport_send, kItems> m_sends{};
  std::array<Item, kItems> m_items{};
  std::size_t m_count = 0;
  std::vector<PeerId> m_refused;
};

}  // namespace muster::link
