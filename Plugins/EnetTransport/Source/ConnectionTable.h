// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <enet/enet.h>

#include <cstdint>
#include <vector>

#include "PluginApi/Transport.h"

namespace muster::enet {

/// What this plugin knows about one connection beside ENet's own peer.
struct Connection {
  mu_connection id = 0;  ///< zero: the slot is free
  ENetPeer* peer = nullptr;
  mu_address address{};
  bool isUp = false;                     ///< CONNECTED was reported
  bool isClosing = false;                ///< this side asked for the end
  std::uint64_t backlogBytes = 0;        ///< reliable, not yet acknowledged
  std::uint64_t backlogRefusedAtMs = 0;  ///< since when messages are refused for their backlog; zero: they are not
  std::uint64_t heardAtMs = 0;           ///< when the peer last acknowledged something, by the patient clock
  std::uint64_t heardAtRealMs = 0;       ///< the same by the host's clock
  std::uint64_t deadlineMs = 0;          ///< of opening and of closing
  enet_uint32 lastAcknowledged = 0;      ///< ENet's time stamp behind `heardAtMs`
  enet_uint32 resentSeen = 0;            ///< ENet's counter at the last look
};

/// Connections by slot, which is the index of ENet's peer. Ids hold the slot and a 48-bit serial number, so none comes
/// back within 2^48 connections. The slots never move: packets in flight point at them.
class ConnectionTable {
 public:
  explicit ConnectionTable(std::uint32_t capacity) : m_slots(capacity) {}

  /// The slot of `peer` must be free.
  Connection& Open(ENetPeer& peer, std::uint64_t nowMs) {
    Connection& connection = m_slots[peer.incomingPeerID];
    connection = Connection{};
    connection.id = (++m_serial << kSlotBits) | peer.incomingPeerID;
    connection.peer = &peer;
    connection.heardAtMs = nowMs;
    ++m_count;
    return connection;
  }

  void Close(Connection& connection) {
    connection = Connection{};
    --m_count;
  }

  /// Null for an id that ended or never was.
  [[nodiscard]] Connection* Find(mu_connection id) {
    const std::uint64_t slot = id & ((std::uint64_t{1} << kSlotBits) - 1);
    return id != 0 && slot < m_slots.size() && m_slots[slot].id == id ? &m_slots[slot] : nullptr;
  }

  /// Null for a peer that has none: half open, or ended by this side already.
  [[nodiscard]] Connection* Of(const ENetPeer& peer) {
    Connection& connection = m_slots[peer.incomingPeerID];
    return connection.id != 0 ? &connection : nullptr;
  }

  [[nodiscard]] std::vector<Connection>& Slots() { return m_slots; }
  [[nodiscard]] std::uint32_t Count() const { return m_count; }

 private:
  static constexpr std::uint32_t kSlotBits = 16;

  std::vector<Connection> m_slots;
  std::uint64_t m_serial = 0;
  std::uint32_t m_count = 0;
};

}  // namespace muster::enet
