// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/ClientLink.h"

#include "ClientLinkImpl.h"
#include "Core/Assert.h"
#include "Link/Address.h"
#include "Link/ServerLink.h"
#include "Protocol/HandshakeMessages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace muster::link {

ClientLink::Impl::Impl(TransportSource transport, ClientLinkConfig config, const IClock& clock)
    : m_config(std::move(config)),
      m_clock(clock),
      m_source(std::move(transport)),
      m_events(std::max(m_config.eventRingBytes, std::size_t{m_config.maxMessageBytes} * 4),
               std::size_t{m_config.maxMessageBytes} * 64),
      m_sealed(std::max<std::size_t>(m_config.maxMessageBytes, kMaxDatagramBytes)),
      m_scratch(std::max<std::size_t>(m_config.maxMessageBytes, kMaxDatagramBytes)),
      m_received(kEventsPerCall) {}

std::size_t ClientLink::Impl::MaxPacketMessageBytes() const noexcept {
  return m_config.maxDatagramBytes - kPacketOverheadBytes - m_source.table->unreliable_overhead_bytes();
}

Result<void> ClientLink::Impl::Connect(const mu_address& server) {
  MUSTER_ASSERT(m_state == State::Idle, "one connection per link");
  if (!protocol::InitialiseSealing()) {
    return Error{kSealingUnavailable, "Messages cannot be sealed.", "The machine gives no random numbers.",
                 "Check that /dev/urandom can be read in this environment."};
  }
  mu_transport_params params{};
  params.struct_size = sizeof params;
  params.max_connections = 1;
  params.max_datagram_bytes = m_config.maxDatagramBytes;
  params.reliable_backlog_bytes = m_config.reliableBacklogBytes;
  params.max_message_bytes = m_config.maxMessageBytes;
  params.timeout_ms = static_cast<std::uint32_t>(m_config.silenceTimeout.count());
  protocol::FillRandom(std::as_writable_bytes(std::span(&params.seed, 1)));
  Result<TransportHandle> transport = TransportHandle::Create(m_source, params);
  if (!transport) {
    return std::move(transport).Failure();
  }
  m_transport = std::move(transport).Value();
  const Result<mu_connection> connection = m_transport.Connect(server);
  if (!connection) {
    return connection.Failure();
  }
  m_connection = *connection;
  m_serverAddress = server;
  m_server = FormatAddress(server);
  m_deadline = m_clock.Now() + m_config.connectTimeout;
  m_state = State::Connecting;
  return {};
}

void ClientLink::Impl::Service() {
  if (!m_transport) {
    return;
  }
  m_now = m_clock.Now();
  m_events.Flush();
  ReceiveAll();
  const bool isConnecting = m_state == State::Connecting || m_state == State::Handshaking;
  if (isConnecting && m_now >= m_deadline) {
    const double seconds = std::chrono::duration<double>(m_config.connectTimeout).count();
    m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(DisconnectReason::HandshakeTimeout));
    Fail(Error{kNoAnswer, fmt::format("No answer from {} within {:g} s.", m_server, seconds),
               m_state == State::Connecting ? "Nothing came back at all."
                                            : "The connection came up, but the server did not finish the handshake.",
               "Check the address and the port, that the server runs, and that UDP passes in both directions."},
         DisconnectReason::Timeout);
  }
  m_transport.Flush();
  m_counters.TakeTransport(m_transport.Stats());
  m_counters.peers.Set(m_state == State::Open ? 1 : 0);
}

bool ClientLink::Impl::PollEvent(LinkEvent& event) {
  if (m_eventShown) {
    m_events.Pop();
    m_eventShown = false;
  }
  m_events.Flush();
  std::span<const std::byte> payload;
  if (!m_events.Peek(event, payload)) {
    return false;
  }
  m_eventShown = true;
  event.message = {};
  event.codecName = {};
  if (event.kind == LinkEvent::Kind::Connected) {
    event.codecName = {reinterpret_cast<const char*>(payload.data()), payload.size()};
  } else {
    event.message = payload;
  }
  return true;
}

mu_status ClientLink::Impl::SendEnvelope(std::uint32_t channel, std::span<const std::byte> envelope) {
  mu_transport_send item{
      m_connection, channel, MU_OK, {reinterpret_cast<const std::uint8_t*>(envelope.data()), envelope.size()}};
  m_transport.Send(std::span(&item, 1));
  if (item.status != MU_OK) {
    m_counters.Drop(SendDropReasonOf(item.status));
  }
  return item.status;
}

bool ClientLink::Impl::SendPacket(std::uint32_t sequence, std::span<const std::byte> message) {
  if (m_state != State::Open || m_leaving) {
    m_counters.Drop(SendDropReason::NotConnected);
    return false;
  }
  if (message.size() > MaxPacketMessageBytes()) {
    m_counters.Drop(SendDropReason::WouldFragment);
    return false;
  }
  const MonotonicTime now = m_clock.Now();
  const std::size_t size = m_channel->SealPacket(sequence, message, now, m_sealed);
  MUSTER_ASSERT(size != 0, "packet sequences rise");
  if (size == 0 || SendEnvelope(MU_CHANNEL_UNRELIABLE, std::span(m_sealed).first(size)) != MU_OK) {
    return false;
  }
  m_channel->PacketLeft(sequence, now);
  m_counters.packetsOut.Add();
  return true;
}

bool ClientLink::Impl::SendReliable(std::span<const std::byte> message) {
  MUSTER_ASSERT(!message.empty(), "a message begins with its type");
  MUSTER_ASSERT(message.size() + protocol::kSealOverheadBytes <= m_config.maxMessageBytes,
                "a reliable message within maxMessageBytes");
  if (m_state != State::Open || m_leaving) {
    m_counters.Drop(SendDropReason::NotConnected);
    return false;
  }
  const std::size_t size = m_channel->SealReliable(message, m_sealed);
  const mu_status status = SendEnvelope(MU_CHANNEL_RELIABLE, std::span(m_sealed).first(size));
  if (status != MU_OK) {
    // The stream has a hole now; the server would see it and close.
    m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(DisconnectReason::Backlog));
    Fail(Error{kConnectionLost, fmt::format("The connection to {} was closed.", m_server),
               "The server does not take this client's reliable messages.",
               "Check the connection's bandwidth and loss, then connect again."},
         DisconnectReason::Backlog);
    return false;
  }
  m_counters.messagesOut.Add();
  return true;
}

void ClientLink::Impl::Disconnect(DisconnectReason reason) {
  if (m_state == State::Idle || m_state == State::Closed || m_leaving) {
    return;
  }
  m_leaving = true;
  m_leaveReason = reason;
  m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(reason));
  if (m_state == State::Connecting) {
    Close(reason, 0);
  }
}

void ClientLink::Impl::Give(const LinkEvent& event, std::span<const std::byte> payload) {
  if (!m_events.Push(event, payload)) {
    m_counters.Drop(DropReason::EventQueueFull);
    m_transport.Disconnect(m_connection, static_cast<std::uint32_t>(DisconnectReason::EventBacklog));
    Fail(Error{kConnectionLost, fmt::format("The connection to {} was closed.", m_server),
               "This client did not take the events of its own link.",
               "Poll the link's events at least once every frame."},
         DisconnectReason::EventBacklog);
  }
}

void ClientLink::Impl::Fail(Error failure, DisconnectReason reason, std::uint32_t detail) {
  if (m_state != State::Closed) {
    m_failure = std::move(failure);
    Close(reason, detail);
  }
}

void ClientLink::Impl::Close(DisconnectReason reason, std::uint32_t detail) {
  if (m_state == State::Closed) {
    return;
  }
  m_state = State::Closed;
  m_exchange.reset();
  if (m_told) {
    m_counters.disconnected.Add();
    LinkEvent event;
    event.kind = LinkEvent::Kind::Disconnected;
    event.peer = kServer;
    event.address = m_serverAddress;
    event.receivedAt = m_now;
    event.reason = reason;
    event.detail = detail;
    if (!m_events.Push(event, {})) {
      m_events.PushOverLimit(event);
    }
  }
}

ClientLink::ClientLink(TransportSource transport, ClientLinkConfig config, const IClock& clock)
    : m_impl(std::make_unique<Impl>(std::move(transport), std::move(config), clock)) {}

ClientLink::~ClientLink() = default;

Result<void> ClientLink::Connect(const mu_address& server) {
  return m_impl->Connect(server);
}

void ClientLink::Service() {
  m_impl->Service();
}

bool ClientLink::PollEvent(LinkEvent& event) {
  return m_impl->PollEvent(event);
}

bool ClientLink::SendPacket(std::uint32_t sequence, std::span<const std::byte> message) {
  return m_impl->SendPacket(sequence, message);
}

bool ClientLink::SendReliable(std::span<const std::byte> message) {
  return m_impl->SendReliable(message);
}

void ClientLink::Disconnect(DisconnectReason reason) {
  m_impl->Disconnect(reason);
}

ClientLink::State ClientLink::Phase() const noexcept {
  return m_impl->Phase();
}

const std::optional<Error>& ClientLink::Failure() const noexcept {
  return m_impl->Failure();
}

std::size_t ClientLink::MaxPacketMessageBytes() const noexcept {
  return m_impl->MaxPacketMessageBytes();
}

int ClientLink::WaitHandle() const {
  return m_impl->WaitHandle();
}

LinkStats ClientLink::Stats() const {
  return m_impl->Stats();
}

}  // namespace muster::link
