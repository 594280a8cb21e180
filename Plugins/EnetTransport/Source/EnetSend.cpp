// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <arpa/inet.h>

#include <algorithm>
#include <cerrno>

#include "EnetTransport.h"

namespace muster::enet {

namespace {

/// A message costs the queue at least this, so that empty messages cannot fill the memory for free.
constexpr std::uint64_t kSmallestCharge = 64;

std::uint64_t ChargeOf(std::size_t messageBytes) {
  return std::max<std::uint64_t>(messageBytes, kSmallestCharge);
}

}  // namespace

void EnetTransport::Send(std::span<mu_transport_send> items) {
  for (mu_transport_send& item : items) {
    Connection* connection = m_connections.Find(item.connection);
    if (connection == nullptr || !connection->isUp || connection->isClosing) {
      item.status = MU_E_NOT_CONNECTED;
    } else if (item.channel == MU_CHANNEL_UNRELIABLE) {
      item.status = SendUnreliable(*connection, item.message);
    } else if (item.channel == MU_CHANNEL_RELIABLE) {
      item.status = SendReliable(*connection, item.message);
    } else {
      item.status = MU_E_INVALID_ARGUMENT;
    }
  }
}

mu_status EnetTransport::SendUnreliable(Connection& connection, const mu_bytes& message) {
  ENetPeer& peer = *connection.peer;
  if (message.size > std::min(peer.mtu, m_params.max_datagram_bytes) - kUnreliableRoomBytes) {
    ++m_stats.refused_messages;
    return MU_E_WOULD_FRAGMENT;
  }
  // enet_peer_send would turn what is larger than a fragment into reliable fragments, and a fragment leaves 16 bytes of
  // each datagram unused. The command is queued as it is instead: it can only leave whole.
  // Unsequenced, because a late message is still worth its acks and records; order is the host's.
  ENetPacket* packet =
      enet_packet_create(message.data, static_cast<std::size_t>(message.size), ENET_PACKET_FLAG_UNSEQUENCED);
  if (packet == nullptr) {
    return MU_E_OUT_OF_MEMORY;
  }
  ENetProtocol command{};
  command.header.command = static_cast<enet_uint8>(int{ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED} |
                                                   int{ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED});
  command.header.channelID = MU_CHANNEL_UNRELIABLE;
  command.sendUnsequenced.dataLength = htons(static_cast<std::uint16_t>(message.size));
  if (enet_peer_queue_outgoing_command(&peer, &command, packet, 0, static_cast<enet_uint16>(message.size)) == nullptr) {
    enet_packet_destroy(packet);
    return MU_E_OUT_OF_MEMORY;
  }
  return MU_OK;
}

mu_status EnetTransport::SendReliable(Connection& connection, const mu_bytes& message) {
  if (message.size > m_params.max_message_bytes) {
    ++m_stats.refused_messages;
    return MU_E_INVALID_ARGUMENT;
  }
  const std::uint64_t charge = ChargeOf(static_cast<std::size_t>(message.size));
  if (connection.backlogBytes + charge > std::max<std::uint64_t>(m_params.reliable_backlog_bytes, charge)) {
    ++m_stats.refused_messages;
    if (connection.backlogRefusedAtMs == 0) {
      connection.backlogRefusedAtMs = m_patienceMs;
    }
    return MU_E_BACKLOG;
  }
  ENetPacket* packet =
      enet_packet_create(message.data, static_cast<std::size_t>(message.size), ENET_PACKET_FLAG_RELIABLE);
  if (packet == nullptr) {
    return MU_E_OUT_OF_MEMORY;
  }
  if (enet_peer_send(connection.peer, MU_CHANNEL_RELIABLE, packet) != 0) {
    enet_packet_destroy(packet);
    return MU_E_NOT_CONNECTED;
  }
  packet->userData = &connection;
  packet->freeCallback = &OnReliableFreed;
  connection.backlogBytes += charge;
  return MU_OK;
}

void ENET_CALLBACK EnetTransport::OnReliableFreed(ENetPacket* packet) {
  // ENet frees a message when its last piece was acknowledged, and with the rest of its queues when the peer is reset;
  // both come before the slot is given to another connection.
  auto& connection = *static_cast<Connection*>(packet->userData);
  connection.backlogBytes -= std::min(connection.backlogBytes, ChargeOf(packet->dataLength));
}

void EnetTransport::Flush() {
  if (m_host == nullptr) {
    return;
  }
  AdvanceTime();
  // A failing send ends ENet's pass before the peers behind it had their turn.
  for (std::uint32_t tries = 0; tries <= m_params.max_connections; ++tries) {
    errno = 0;
    enet_host_flush(m_host.get());
    if (errno == 0 || errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    }
    ++m_stats.send_errors;
  }
  CountSent();
}

void EnetTransport::CountSent() {
  // ENet's own counters have 32 bits and say that they want to be reset.
  m_stats.datagrams_out += m_host->totalSentPackets;
  m_stats.bytes_out += m_host->totalSentData;
  m_host->totalSentPackets = 0;
  m_host->totalSentData = 0;
}

void EnetTransport::Disconnect(mu_connection id, std::uint32_t detail) {
  Connection* connection = m_connections.Find(id);
  if (connection == nullptr || connection->isClosing) {
    return;
  }
  if (!connection->isUp) {
    EndNow(*connection, MU_DISCONNECT_LOCAL, detail);
    return;
  }
  if (connection->backlogRefusedAtMs != 0) {
    // What is queued would never arrive.
    EndNow(*connection, MU_DISCONNECT_BACKLOG, detail);
    return;
  }
  // Unreliable messages that are queued go first: ENet forgets them when it closes.
  Flush();
  connection->isClosing = true;
  connection->deadlineMs = m_patienceMs + m_params.timeout_ms;
  enet_peer_disconnect_later(connection->peer, detail);
}

}  // namespace muster::enet
