// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Between Replication, which knows clients as plain data, and the sessions and the link that really have them.
#pragma once

#include "Link/ServerLink.h"
#include "Replication/ReplicationClients.h"
#include "Sessions/SessionDirectory.h"

#include <functional>
#include <vector>

namespace muster::server {

/// Sees every snapshot message before it is sealed, e.g. to compare runs. [sim]
using PacketObserver = std::function<void(SessionId, std::uint32_t sequence, std::span<const std::byte> message)>;

/// [sim]. A steady tick does not allocate.
class ReplicationBridge final : public replication::IReplicationClients, public replication::IPacketSink {
 public:
  /// Both outlive it.
  ReplicationBridge(sessions::SessionDirectory& sessions, link::ServerLink& link)
      : m_sessions(sessions), m_link(link) {}

  std::span<const replication::ClientInput> Clients(Tick tick) override;
  void OnOwnNetId(SessionId session, NetId netId) override;
  void Send(SessionId session, std::uint32_t sequence, std::span<const std::byte> message) override;

  void ObservePackets(PacketObserver observer) { m_observer = std::move(observer); }

 private:
  sessions::SessionDirectory& m_sessions;
  link::ServerLink& m_link;
  std::vector<replication::ClientInput> m_clients;
  PacketObserver m_observer;
};

}  // namespace muster::server
