// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ReplicationBridge.h"

namespace muster::server {

std::span<const replication::ClientInput> ReplicationBridge::Clients(Tick) {
  m_clients.clear();
  for (const auto& session : m_sessions.Sessions()) {
    if (session->state != sessions::SessionState::Active) {
      continue;
    }
    replication::ClientInput& client = m_clients.emplace_back();
    client.session = session->id;
    client.own = session->entity;
    client.acks = session->acks;
    client.needAbsolute = session->needAbsolute;
    client.inputTick = session->input.NewestApplied();
    client.inputMargin = session->input.MarginOverTarget();
    client.sequence = session->nextSequence++;
  }
  return m_clients;
}

void ReplicationBridge::OnOwnNetId(SessionId sessionId, NetId netId) {
  if (sessions::Session* const session = m_sessions.Find(sessionId)) {
    m_sessions.TellOwnEntity(*session, netId);
  }
}

void ReplicationBridge::Send(SessionId sessionId, std::uint32_t sequence, std::span<const std::byte> message) {
  sessions::Session* const session = m_sessions.Find(sessionId);
  if (session == nullptr) {
    return;
  }
  if (m_observer) {
    m_observer(sessionId, sequence, message);
  }
  m_link.SendPacket(session->peer, sequence, message);
}

}  // namespace muster::server
