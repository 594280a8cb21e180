// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "DisconnectText.h"
#include "Link/Address.h"
#include "Protocol/Wire.h"
#include "ServerLinkImpl.h"

#include <bit>
#include <optional>

namespace muster::link {

namespace {

std::span<const std::byte> BytesOf(const mu_bytes& bytes) noexcept {
  return {reinterpret_cast<const std::byte*>(bytes.data), bytes.size};
}

DisconnectReason ReasonOf(const ServerPeer& peer, const mu_transport_event& event) noexcept {
  if (peer.reason != DisconnectReason::None) {
    return peer.reason;
  }
  switch (event.code) {
    case MU_DISCONNECT_TIMEOUT:
      return DisconnectReason::Timeout;
    case MU_DISCONNECT_BACKLOG:
      return DisconnectReason::Backlog;
    case MU_DISCONNECT_REFUSED:
      return DisconnectReason::Unreachable;
    default:
      // Whatever number a client gives, it left.
      return DisconnectReason::Left;
  }
}

}  // namespace

void ServerLink::Impl::ReceiveAll(MonotonicTime now) {
  m_moreEvents = true;
  for (int call = 0; call < kCallsPerPass; ++call) {
    std::uint32_t count = 0;
    if (m_transport.Service(m_received, count) != MU_OK) {
      // Never the end of the loop: one bad datagram must not hold up the honest ones behind it.
      m_counters.serviceErrors.Add();
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const mu_transport_event& event = m_received[i];
      switch (event.kind) {
        case MU_TRANSPORT_EVENT_CONNECTED:
          OnConnected(event, now);
          break;
        case MU_TRANSPORT_EVENT_DISCONNECTED:
          OnDisconnected(event);
          break;
        case MU_TRANSPORT_EVENT_MESSAGE:
          OnMessage(event, now);
          break;
        default:
          break;
      }
    }
    if (count < m_received.size()) {
      m_moreEvents = false;
      return;
    }
  }
}

void ServerLink::Impl::OnConnected(const mu_transport_event& event, MonotonicTime now) {
  ServerPeer* peer = m_halfOpen < m_config.maxHalfOpen ? m_peers.Add(event.connection, event.address) : nullptr;
  if (peer == nullptr) {
    Drop(DropReason::HalfOpenLimit, event.address);
    m_transport.Disconnect(event.connection, static_cast<std::uint32_t>(DisconnectReason::Refused));
    return;
  }
  peer->deadline = now + m_config.handshakeTimeout;
  ++m_halfOpen;
}

void ServerLink::Impl::OnDisconnected(const mu_transport_event& event) {
  ServerPeer* peer = m_peers.Find(event.connection);
  if (peer == nullptr) {
    return;
  }
  LeaveHandshake(*peer);
  if (peer->state == ServerPeer::State::Open) {
    --m_open;
    m_gate.Forget(peer->address);
  }
  if (peer->told) {
    m_counters.disconnected.Add();
    LinkEvent told;
    told.kind = LinkEvent::Kind::Disconnected;
    told.peer = peer->id;
    told.address = peer->address;
    told.receivedAt = m_clock.Now();
    told.reason = ReasonOf(*peer, event);
    told.detail = event.detail;
    // Even a simulation that stands still must learn of it one day; the event carries no bytes.
    if (!m_events.Push(told, {})) {
      m_events.PushOverLimit(told);
    }
  }
  m_peers.Remove(*peer);
}

void ServerLink::Impl::OnMessage(const mu_transport_event& event, MonotonicTime now) {
  const std::span<const std::byte> envelope = BytesOf(event.message);
  ServerPeer* peer = m_peers.Find(event.connection);
  if (peer == nullptr || peer->state == ServerPeer::State::Closing) {
    Drop(DropReason::UnknownConnection, event.address);
    return;
  }
  const std::uint8_t kind = envelope.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(envelope[0]);
  if (kind == static_cast<std::uint8_t>(protocol::EnvelopeKind::Handshake)) {
    OnClear(*peer, envelope, event.channel);
    return;
  }
  if (kind != static_cast<std::uint8_t>(protocol::EnvelopeKind::Sealed) || envelope.size() > m_scratch.size()) {
    Drop(DropReason::EnvelopeMalformed, peer->address);
    return;
  }
  if (peer->state != ServerPeer::State::Open) {
    Drop(DropReason::SealedBeforeHandshake, peer->address);
    return;
  }
  if (event.channel == MU_CHANNEL_RELIABLE) {
    OnSealedReliable(*peer, envelope, now);
    return;
  }
  // What it costs to find out that a packet is forged is bounded, and only packets suffer when that is used up: a
  // forger in a peer's name can make its packets be lost, not its connection.
  if (!peer->openBudget.Take(now)) {
    Drop(DropReason::PeerBudget, peer->address);
    return;
  }
  OnSealedPacket(*peer, envelope, now);
}

void ServerLink::Impl::OnClear(ServerPeer& peer, std::span<const std::byte> envelope, std::uint32_t channel) {
  if (peer.state != ServerPeer::State::AwaitsHello || channel != MU_CHANNEL_RELIABLE) {
    Drop(DropReason::HandshakeUnexpected, peer.address);
    return;
  }
  if (envelope.size() > 1 + protocol::kClientHelloBytes) {
    Drop(DropReason::HandshakeMalformed, peer.address);
    Close(peer, DisconnectReason::HandshakeFailed);
    return;
  }
  peer.hello.assign(envelope.begin(), envelope.end());
  peer.state = ServerPeer::State::HelloWaits;
  ++m_hellosWaiting;
}

bool ServerLink::Impl::AllowGenuine(ServerPeer& peer, std::size_t bytes, MonotonicTime now) {
  if (peer.floodBudget.Take(now) && peer.byteBudget.Take(now, static_cast<double>(bytes))) {
    return true;
  }
  Drop(DropReason::MessageFlood, peer.address);
  if (!peer.floodPardon.Take(now)) {
    m_throttle.Log(m_log, LogLevel::Warning, static_cast<std::uint64_t>(DisconnectReason::Flood) << 32,
                   "{} sends more than {} messages or {} bytes a second and is closed", FormatAddress(peer.address),
                   m_config.packetsPerSecond * m_config.floodMultiplier, m_config.bytesPerSecond);
    Close(peer, DisconnectReason::Flood);
  }
  return false;
}

void ServerLink::Impl::OnSealedPacket(ServerPeer& peer, std::span<const std::byte> envelope, MonotonicTime now) {
  PeerChannel::Packet packet;
  const DropReason failure = peer.channel->OpenPacket(envelope, m_scratch, packet);
  if (failure != DropReason::None) {
    Drop(failure, peer.address);
    if (failure == DropReason::PacketMalformed) {
      BlameMalformed(peer, now);
    }
    return;
  }
  if (!AllowGenuine(peer, envelope.size(), now)) {
    return;
  }
  // Room first: a packet that the simulation will not see is not acknowledged, and its acks come again with the next.
  if (!m_events.HasRoom(0, packet.message.size())) {
    Drop(DropReason::EventQueueFull, peer.address);
    return;
  }
  const std::optional<protocol::AckReport> acks = peer.channel->TakeAcks(packet.header, now);
  if (!acks) {
    Drop(DropReason::AckImpossible, peer.address);
    BlameMalformed(peer, now);
    return;
  }
  peer.channel->Accept(packet.header.sequence, now);
  m_counters.packetsIn.Add();
  LinkEvent event;
  event.peer = peer.id;
  event.receivedAt = now;
  if (acks->newlyAcked != 0 || acks->newlyLost != 0) {
    m_counters.packetsAcked.Add(static_cast<std::uint64_t>(std::popcount(acks->newlyAcked)));
    m_counters.packetsLost.Add(acks->newlyLost);
    event.kind = LinkEvent::Kind::Acked;
    event.acks = *acks;
    event.hold = PeerChannel::HoldOf(packet.header);
    m_events.TryPush(event, {});
  }
  event.kind = LinkEvent::Kind::Packet;
  event.acks = {};
  event.hold.reset();
  event.sequence = packet.header.sequence;
  m_events.TryPush(event, packet.message);
}

void ServerLink::Impl::OnSealedReliable(ServerPeer& peer, std::span<const std::byte> envelope, MonotonicTime now) {
  PeerChannel::Reliable reliable;
  const DropReason failure = peer.channel->OpenReliable(envelope, m_scratch, reliable);
  if (failure != DropReason::None && failure != DropReason::MessageEmpty) {
    Drop(failure, peer.address);
    return;
  }
  if (reliable.gap) {
    Close(peer, DisconnectReason::ReliableGap);
    return;
  }
  if (failure == DropReason::MessageEmpty) {
    Drop(failure, peer.address);
    BlameMalformed(peer, now);
    return;
  }
  if (!AllowGenuine(peer, envelope.size(), now)) {
    // A stream with a hole cannot go on.
    Close(peer, DisconnectReason::Flood);
    return;
  }
  m_counters.messagesIn.Add();
  LinkEvent event;
  event.kind = LinkEvent::Kind::Message;
  event.peer = peer.id;
  event.receivedAt = now;
  GiveMust(peer, event, reliable.message);
}

void ServerLink::Impl::GiveMust(ServerPeer& peer, const LinkEvent& event, std::span<const std::byte> payload) {
  if (m_events.Push(event, payload)) {
    return;
  }
  Drop(DropReason::EventQueueFull, peer.address);
  if (event.kind == LinkEvent::Kind::Connected) {
    peer.told = false;
  }
  Close(peer, DisconnectReason::EventBacklog);
}

void ServerLink::Impl::Drop(DropReason reason, const mu_address& from) {
  m_counters.Drop(reason);
  if (m_log.IsEnabled(LogLevel::Debug)) {
    m_throttle.Log(m_log, LogLevel::Debug, static_cast<std::uint64_t>(reason), "dropped from {}: {}",
                   FormatAddress(from), ToString(reason));
  }
}

}  // namespace muster::link
