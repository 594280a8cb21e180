// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Everything between the socket and ENet's parser.
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "DatagramShape.h"
#include "EnetTransport.h"

namespace muster::enet {

namespace {

/// Datagrams that are thrown away in one go; more of them wait for the next round.
constexpr std::uint32_t kDiscardsPerRound = 256;

}  // namespace

int ENET_CALLBACK EnetTransport::Intercept(ENetHost* host, ENetEvent*) {
  auto& self = *static_cast<EnetTransport*>(host->peers[0].data);
  ++self.m_stats.datagrams_in;
  self.m_stats.bytes_in += host->receivedDataLength;
  const bool admitted = self.AdmitDatagram({host->receivedData, host->receivedDataLength}, host->receivedAddress);
  // ENet reads the next datagram after this one.
  self.DiscardUnreadable();
  return admitted ? 0 : 1;
}

bool EnetTransport::AdmitDatagram(std::span<std::uint8_t> datagram, const ENetAddress& from) {
  if (!PassesGate(datagram, from)) {
    return false;
  }
  const DatagramShape shape = datagram.size() > m_params.max_datagram_bytes || !IsUnicast(from)
                                  ? DatagramShape::Malformed
                                  : ShapeOf(datagram, static_cast<std::uint32_t>(m_host->maximumPacketSize));
  const bool isConnect = shape == DatagramShape::Connect;
  if (shape == DatagramShape::Malformed || (!m_isListening && (isConnect || !IsFromPeer(from)))) {
    ++m_stats.receive_errors;
    return false;
  }
  if (isConnect) {
    if (!HasRoomFor(datagram, from)) {
      ++m_stats.refused_connections;
      return false;
    }
    ClampConnectMtu(datagram, m_params.max_datagram_bytes);
  }
  return true;
}

bool EnetTransport::PassesGate(std::span<const std::uint8_t> datagram, const ENetAddress& from) {
  if (m_params.gate.on_raw_datagram == nullptr) {
    return true;
  }
  const mu_address address = FromEnet(from);
  std::uint32_t replySize = 0;
  const std::uint32_t verdict =
      m_params.gate.on_raw_datagram(m_params.gate.context, &address, mu_bytes{datagram.data(), datagram.size()},
                                    m_reply.data(), static_cast<std::uint32_t>(m_reply.size()), &replySize);
  if (verdict == MU_GATE_PASS) {
    return true;
  }
  // Whoever the address belongs to gets no more than it was made to send.
  if (verdict == MU_GATE_REPLY && replySize != 0 && replySize <= datagram.size() && IsUnicast(from)) {
    ENetBuffer buffer{};
    buffer.data = m_reply.data();
    buffer.dataLength = replySize;
    if (enet_socket_send(m_host->socket, &from, &buffer, 1) == static_cast<int>(replySize)) {
      ++m_stats.gate_replied;
      ++m_stats.datagrams_out;
      m_stats.bytes_out += replySize;
    } else {
      ++m_stats.send_errors;
    }
    return false;
  }
  ++m_stats.gate_dropped;
  return false;
}

bool EnetTransport::HasRoomFor(std::span<const std::uint8_t> connectDatagram, const ENetAddress& from) const {
  const std::uint32_t connectId = ConnectIdOf(connectDatagram);
  bool hasFreeSlot = false;
  std::size_t sameIp = 0;
  for (std::size_t i = 0; i < m_host->peerCount; ++i) {
    const ENetPeer& peer = m_host->peers[i];
    if (peer.state == ENET_PEER_STATE_DISCONNECTED) {
      hasFreeSlot = true;
    } else if (peer.state != ENET_PEER_STATE_CONNECTING && peer.address.host == from.host) {
      if (peer.address.port == from.port && peer.connectID == connectId) {
        return true;  // a repetition of one that was let in; ENet ignores it
      }
      ++sameIp;
    }
  }
  return hasFreeSlot && sameIp < m_host->duplicatePeers;
}

bool EnetTransport::IsFromPeer(const ENetAddress& from) const {
  return std::any_of(m_host->peers, m_host->peers + m_host->peerCount, [&from](const ENetPeer& peer) {
    return peer.state != ENET_PEER_STATE_DISCONNECTED && peer.address.host == from.host &&
           peer.address.port == from.port;
  });
}

void EnetTransport::DiscardUnreadable() {
  // ENet's receive fails on a datagram larger than its buffer without telling who sent it, and takes an empty datagram
  // for an empty socket. Both are taken off the queue before ENet sees them. The price is one peek per datagram.
  for (std::uint32_t discarded = 0; discarded < kDiscardsPerRound; ++discarded) {
    const ssize_t size = recv(m_host->socket, nullptr, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
    if (size < 0 || (size > 0 && static_cast<std::size_t>(size) <= m_params.max_datagram_bytes)) {
      return;
    }
    sockaddr_in source{};
    socklen_t sourceSize = sizeof(source);
    const ssize_t received = recvfrom(m_host->socket, m_scratch.data(), m_scratch.size(), MSG_DONTWAIT | MSG_TRUNC,
                                      reinterpret_cast<sockaddr*>(&source), &sourceSize);
    if (received < 0) {
      return;
    }
    ++m_stats.datagrams_in;
    m_stats.bytes_in += static_cast<std::uint64_t>(received);
    ENetAddress from{};
    from.host = source.sin_addr.s_addr;
    from.port = ntohs(source.sin_port);
    const std::size_t read = std::min(static_cast<std::size_t>(received), m_scratch.size());
    if (PassesGate({m_scratch.data(), read}, from)) {
      ++m_stats.receive_errors;
    }
  }
}

}  // namespace muster::enet
