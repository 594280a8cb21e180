// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"
#include "Core/Ids.h"
#include "Link/LinkEvent.h"
#include "PeerChannel.h"
#include "PluginApi/Transport.h"
#include "TokenBucket.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace muster::link {

/// One connection as the server's network thread sees it.
struct ServerPeer {
  enum class State : std::uint8_t {
    Free,
    AwaitsHello,
    HelloWaits,  ///< the hello is kept until there is time for its key exchange
    Open,
    Closing  ///< the transport was told; its last event is still to come
  };

  State state = State::Free;
  bool told = false;                                 ///< the simulation got its Connected
  DisconnectReason reason = DisconnectReason::None;  ///< why it is closing
  PeerId id{};
  mu_connection connection = 0;
  mu_address address{};
  MonotonicTime deadline{};  ///< of the handshake
  std::vector<std::byte> hello{};
  std::unique_ptr<PeerChannel> channel{};
  TokenBucket openBudget{};   ///< packets that are opened at all
  TokenBucket byteBudget{};   ///< bytes of genuine messages
  TokenBucket floodBudget{};  ///< genuine messages
  TokenBucket floodPardon{};  ///< how much flood is only dropped
  TokenBucket malformedPardon{};
};

/// All connections, by slot; ids are not used again for 2^20 connections of a slot. [net]
class ServerPeers {
 public:
  static constexpr std::size_t kMaxSlots = 4096;

  explicit ServerPeers(std::size_t slots);

  /// Null when every slot is taken.
  ServerPeer* Add(mu_connection connection, const mu_address& address);
  void Remove(ServerPeer& peer);
  [[nodiscard]] ServerPeer* Find(PeerId id) noexcept;
  [[nodiscard]] ServerPeer* Find(mu_connection connection) noexcept;
  /// Every slot, free ones included.
  [[nodiscard]] std::vector<ServerPeer>& Slots() noexcept { return m_slots; }

 private:
  static constexpr std::uint32_t kSlotBits = 12;

  std::vector<ServerPeer> m_slots;
  std::vector<std::uint32_t> m_generations;
  std::vector<std::uint32_t> m_free;
  std::unordered_map<mu_connection, std::uint32_t> m_byConnection;
};

}  // namespace muster::link
