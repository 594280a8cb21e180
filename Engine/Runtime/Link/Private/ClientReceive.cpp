// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ClientLinkImpl.h"
#include "DisconnectText.h"
#include "Protocol/HandshakeMessages.h"
#include "Protocol/RefusalCodes.h"
#include "Protocol/Wire.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace muster::link {

using protocol::DecodeStatus;

void ClientLink::Impl::ReceiveAll() {
  for (int call = 0; call < kCallsPerPass; ++call) {
    std::uint32_t count = 0;
    if (m_transport.Service(m_received, count) != MU_OK) {
      m_counters.serviceErrors.Add();
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      OnEvent(m_received[i]);
    }
    if (count < m_received.size()) {
      return;
    }
  }
}

void ClientLink::Impl::OnEvent(const mu_transport_event& event) {
  if (event.connection != m_connection || m_state == State::Closed) {
    if (event.kind == MU_TRANSPORT_EVENT_MESSAGE) {
      m_counters.Drop(DropReason::UnknownConnection);
    }
    return;
  }
  switch (event.kind) {
    case MU_TRANSPORT_EVENT_CONNECTED:
      OnConnected();
      break;
    case MU_TRANSPORT_EVENT_DISCONNECTED:
      OnDisconnected(event);
      break;
    case MU_TRANSPORT_EVENT_MESSAGE:
      OnMessage(event);
      break;
    default:
      break;
  }
}

void ClientLink::Impl::OnConnected() {
  if (m_state != State::Connecting) {
    return;
  }
  m_exchange.emplace();
  protocol::ClientHello hello;
  hello.protocolVersion = m_config.protocolVersion;
  hello.identity = m_config.identity;
  hello.publicKey = m_exchange->Public();
  protocol::FillRandom(hello.nonce);
  protocol::Encode(hello, m_hello);
  m_state = State::Handshaking;
  SendEnvelope(MU_CHANNEL_RELIABLE, m_hello);
}

Error ClientLink::Impl::LostError(const mu_transport_event& event) const {
  if (event.code == MU_DISCONNECT_REFUSED) {
    return Error{kConnectionRefused, fmt::format("{} takes no connection.", m_server),
                 "Nobody listens there, or every place is taken.",
                 "Check the address and the port, and that the server runs; try again later if it is full."};
  }
  if (event.code == MU_DISCONNECT_TIMEOUT) {
    if (m_state == State::Connecting) {
      return Error{kNoAnswer, fmt::format("No answer from {}.", m_server), "Nothing came back at all.",
                   "Check the address and the port, that the server runs, and that UDP passes in both directions."};
    }
    return Error{kConnectionLost, fmt::format("The connection to {} was lost.", m_server),
                 "Nothing was heard from the server for too long.", "Check the network, then connect again."};
  }
  const DisconnectReason reason = ReasonOfDetail(event.detail);
  if (const ErrorCode code = RefusalCodeOf(reason); code.number != 0) {
    return protocol::ToError({code.number, {}});
  }
  return Error{kConnectionClosed, fmt::format("{} closed the connection.", m_server),
               fmt::format("It gave this reason: {}.", ToString(reason)),
               "Connect again, or ask the server's operator."};
}

void ClientLink::Impl::OnDisconnected(const mu_transport_event& event) {
  if (m_leaving) {
    Close(m_leaveReason, event.detail);
    return;
  }
  DisconnectReason reason = ReasonOfDetail(event.detail);
  if (event.code == MU_DISCONNECT_TIMEOUT) {
    reason = DisconnectReason::Timeout;
  } else if (event.code == MU_DISCONNECT_REFUSED) {
    reason = DisconnectReason::Unreachable;
  } else if (event.code == MU_DISCONNECT_BACKLOG) {
    reason = DisconnectReason::Backlog;
  }
  Fail(LostError(event), reason, event.detail);
}

void ClientLink::Impl::OnMessage(const mu_transport_event& event) {
  const std::span<const std::byte> envelope{reinterpret_cast<const std::byte*>(event.message.data), event.message.size};
  const std::uint8_t kind = envelope.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(envelope[0]);
  if (kind == static_cast<std::uint8_t>(protocol::EnvelopeKind::Handshake)) {
    if (m_state == State::Handshaking && event.channel == MU_CHANNEL_RELIABLE) {
      OnClear(envelope);
    } else {
      m_counters.Drop(DropReason::HandshakeUnexpected);
    }
    return;
  }
  if (kind != static_cast<std::uint8_t>(protocol::EnvelopeKind::Sealed) || envelope.size() > m_scratch.size()) {
    m_counters.Drop(DropReason::EnvelopeMalformed);
    return;
  }
  if (m_state != State::Open) {
    m_counters.Drop(DropReason::SealedBeforeHandshake);
    return;
  }
  if (event.channel == MU_CHANNEL_RELIABLE) {
    OnSealedReliable(envelope);
  } else {
    OnSealedPacket(envelope);
  }
}

void ClientLink::Impl::OnClear(std::span<const std::byte> envelope) {
  protocol::HandshakeType type{};
  if (protocol::PeekHandshake(envelope, type) != DecodeStatus::Ok) {
    m_counters.Drop(DropReason::HandshakeMalformed);
    return;
  }
  if (type == protocol::HandshakeType::Refusal) {
    protocol::Refusal refusal;
    if (protocol::Decode(envelope, refusal) != DecodeStatus::Ok) {
      m_counters.Drop(DropReason::HandshakeMalformed);
      return;
    }
    m_counters.refused.Add();
    m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(DisconnectReason::Refused));
    Fail(protocol::ToError(refusal), DisconnectReason::Refused, refusal.code);
    return;
  }
  if (type == protocol::HandshakeType::ServerHello) {
    OnServerHello(envelope);
    return;
  }
  m_counters.Drop(DropReason::HandshakeUnexpected);
}

void ClientLink::Impl::OnServerHello(std::span<const std::byte> envelope) {
  protocol::ServerHello hello;
  const DecodeStatus status = protocol::Decode(envelope, hello);
  std::optional<protocol::SessionKeys> keys;
  if (status == DecodeStatus::Ok) {
    keys = m_exchange->ClientKeys(hello.publicKey, protocol::Transcript(m_hello, envelope));
  }
  if (!keys) {
    m_counters.Drop(DropReason::HandshakeMalformed);
    m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(DisconnectReason::HandshakeFailed));
    Fail(status == DecodeStatus::OtherVersion
             ? protocol::ToError(protocol::RefuseVersion(hello.protocolVersion, m_config.protocolVersion))
             : Error{kServerUnintelligible, fmt::format("The answer of {} could not be read.", m_server),
                     "It is no Muster server, or something on the way changes its packets.",
                     "Check the address and the port."},
         DisconnectReason::HandshakeFailed);
    return;
  }
  m_channel = std::make_unique<PeerChannel>(*keys, protocol::Direction::ToServer);
  m_exchange.reset();
  m_state = State::Open;
  m_told = true;
  m_counters.connected.Add();
  LinkEvent event;
  event.kind = LinkEvent::Kind::Connected;
  event.peer = kServer;
  event.address = m_serverAddress;
  event.receivedAt = m_now;
  const std::string& codec = m_config.identity.codecName;
  Give(event, std::as_bytes(std::span(codec.data(), codec.size())));
}

void ClientLink::Impl::OnSealedPacket(std::span<const std::byte> envelope) {
  PeerChannel::Packet packet;
  const DropReason failure = m_channel->OpenPacket(envelope, m_scratch, packet);
  if (failure != DropReason::None) {
    m_counters.Drop(failure);
    return;
  }
  // Room first: what is not handed on is not acknowledged.
  if (!m_events.HasRoom(0, packet.message.size())) {
    m_counters.Drop(DropReason::EventQueueFull);
    return;
  }
  const std::optional<protocol::AckReport> acks = m_channel->TakeAcks(packet.header, m_now);
  if (!acks) {
    m_counters.Drop(DropReason::AckImpossible);
    return;
  }
  m_channel->Accept(packet.header.sequence, m_now);
  m_counters.packetsIn.Add();
  LinkEvent event;
  event.peer = kServer;
  event.receivedAt = m_now;
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

void ClientLink::Impl::OnSealedReliable(std::span<const std::byte> envelope) {
  PeerChannel::Reliable reliable;
  const DropReason failure = m_channel->OpenReliable(envelope, m_scratch, reliable);
  if (failure != DropReason::None) {
    m_counters.Drop(failure);
    return;
  }
  if (reliable.gap) {
    m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(DisconnectReason::ReliableGap));
    Fail(Error{kConnectionLost, fmt::format("The connection to {} was closed.", m_server),
               "A message that must not be lost is missing: something on the way interferes.", "Connect again."},
         DisconnectReason::ReliableGap);
    return;
  }
  m_counters.messagesIn.Add();
  LinkEvent event;
  event.kind = LinkEvent::Kind::Message;
  event.peer = kServer;
  event.receivedAt = m_now;
  Give(event, reliable.message);
}

}  // namespace muster::link
