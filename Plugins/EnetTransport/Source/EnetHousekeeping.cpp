// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Limits that time enforces: silence, openings that never complete, queues that do not drain.
#include "EnetTransport.h"

#include <algorithm>

namespace muster::enet {

namespace {

constexpr std::uint64_t kHousekeepingEveryMs = 5;
/// How long a stranger may hold a slot between his first datagram and his second. ENet's own answer is 31 s.
constexpr std::uint64_t kHalfOpenMs = 2'000;
/// How long a peer may stay over its reliable backlog before its connection ends.
constexpr std::uint64_t kBacklogGraceMs = 1'000;
/// A repeated old acknowledgement tells ENet of a round trip of up to 65 s. A ping that is lost after that would be sent again
/// only when the peer's time is over, so nobody's round trip counts as longer than this, nor its deviation as more than half.
constexpr enet_uint32 kLongestRoundTripMs = 1'000;

}  // namespace

void EnetTransport::KeepHouse() {
  if (m_nowMs < m_keptHouseAtMs + kHousekeepingEveryMs) {
    return;
  }
  m_keptHouseAtMs = m_nowMs;
  for (std::size_t i = 0; i < m_host->peerCount; ++i) {
    ENetPeer& peer = m_host->peers[i];
    if (Connection* connection = m_connections.Of(peer)) {
      KeepConnection(*connection);
    } else {
      KeepHalfOpen(peer);
    }
  }
}

void EnetTransport::KeepConnection(Connection& connection) {
  ENetPeer& peer = *connection.peer;
  peer.roundTripTime = std::min(peer.roundTripTime, kLongestRoundTripMs);
  peer.roundTripTimeVariance = std::min(peer.roundTripTimeVariance, kLongestRoundTripMs / 2);
  // What was sent in the same pass as such an acknowledgement arrived bears its patience already.
  for (ENetListIterator at = enet_list_begin(&peer.sentReliableCommands);
       at != enet_list_end(&peer.sentReliableCommands); at = enet_list_next(at)) {
    auto& command = *reinterpret_cast<ENetOutgoingCommand*>(at);
    command.roundTripTimeout = std::min(command.roundTripTimeout, 4 * kLongestRoundTripMs);
  }
  const enet_uint32 lost = peer.packetsLost;
  // ENet starts its counter again every ten seconds.
  m_stats.reliable_resent += lost >= connection.resentSeen ? lost - connection.resentSeen : lost;
  connection.resentSeen = lost;
  if (peer.lastReceiveTime != connection.lastAcknowledged) {
    connection.lastAcknowledged = peer.lastReceiveTime;
    connection.heardAtMs = m_patienceMs;
    connection.heardAtRealMs = m_nowMs;
  }
  if (!connection.isUp) {
    if (m_patienceMs >= connection.deadlineMs) {
      EndNow(connection, MU_DISCONNECT_REFUSED, 0);
    }
    return;
  }
  // ENet pings whoever is quiet twice a second, so a live peer acknowledges something that often.
  if (m_patienceMs - connection.heardAtMs >= m_params.timeout_ms) {
    EndNow(connection, connection.isClosing ? MU_DISCONNECT_LOCAL : MU_DISCONNECT_TIMEOUT, 0);
    return;
  }
  if (connection.isClosing) {
    if (m_patienceMs >= connection.deadlineMs) {
      EndNow(connection, MU_DISCONNECT_LOCAL, 0);
    }
    return;
  }
  if (connection.backlogRefusedAtMs != 0) {
    if (connection.backlogBytes <= m_params.reliable_backlog_bytes / 2) {
      connection.backlogRefusedAtMs = 0;
    } else if (m_patienceMs - connection.backlogRefusedAtMs >= kBacklogGraceMs) {
      EndNow(connection, MU_DISCONNECT_BACKLOG, 0);
      return;
    }
  }
  // At its limit ENet would silently deliver nothing more. An honest peer stays far below.
  if (peer.totalWaitingData > m_host->maximumWaitingData / 4 * 3) {
    m_services.Log(MU_LOG_WARNING, "A peer's incoming queue does not drain; its connection is closed.");
    EndNow(connection, MU_DISCONNECT_BACKLOG, 0);
  }
}

void EnetTransport::KeepHalfOpen(ENetPeer& peer) {
  std::uint64_t& since = m_halfOpenSinceMs[peer.incomingPeerID];
  if (peer.state != ENET_PEER_STATE_ACKNOWLEDGING_CONNECT) {
    since = 0;
    return;
  }
  if (since == 0) {
    since = m_patienceMs;
  } else if (m_patienceMs - since >= kHalfOpenMs) {
    since = 0;
    ++m_stats.refused_connections;
    enet_peer_reset(&peer);
  }
}

void EnetTransport::EndNow(Connection& connection, std::uint32_t code, std::uint32_t detail) {
  mu_transport_event event{};
  event.kind = MU_TRANSPORT_EVENT_DISCONNECTED;
  event.connection = connection.id;
  event.address = connection.address;
  event.code = code;
  event.detail = detail;
  // Says farewell in one datagram that nobody waits for, and forgets the peer with all its queues.
  enet_peer_disconnect_now(connection.peer, detail);
  m_connections.Close(connection);
  m_pending.push_back(event);
}

}  // namespace muster::enet
