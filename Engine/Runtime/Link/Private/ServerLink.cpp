// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/ServerLink.h"

#include "Core/Assert.h"
#include "Link/Address.h"
#include "Protocol/Sealing.h"
#include "ServerLinkImpl.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace muster::link {

namespace {

std::size_t SlotsOf(const ServerLinkConfig& config) noexcept {
  // Beside the open and the half-open there are those that were refused and are still saying goodbye.
  return std::min<std::size_t>(ServerPeers::kMaxSlots,
                               std::size_t{config.maxPeers} + std::size_t{config.maxHalfOpen} * 2);
}

RawGateLimits GateLimitsOf(const ServerLinkConfig& config) noexcept {
  RawGateLimits limits;
  limits.maxDatagramBytes = config.maxDatagramBytes;
  limits.addressPerSecond = config.preHandshakeDatagramsPerSecond;
  // Beside its packets a peer sends acknowledgements of reliable messages and pings.
  limits.endpointPerSecond = 4.0 * config.packetsPerSecond * config.floodMultiplier;
  limits.maxEndpoints = SlotsOf(config);
  return limits;
}

std::uint64_t SecureSeed() noexcept {
  std::uint64_t seed = 0;
  if (protocol::InitialiseSealing()) {
    protocol::FillRandom(std::as_writable_bytes(std::span(&seed, 1)));
  }
  return seed;
}

}  // namespace

WakeSignal::WakeSignal() : m_descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

WakeSignal::~WakeSignal() {
  if (m_descriptor >= 0) {
    close(m_descriptor);
  }
}

void WakeSignal::Raise() noexcept {
  if (!m_raised.exchange(true, std::memory_order_acq_rel) && m_descriptor >= 0) {
    const std::uint64_t one = 1;
    // Cannot block: the count is far from its limit.
    [[maybe_unused]] const ssize_t written = write(m_descriptor, &one, sizeof one);
  }
}

void WakeSignal::Take() noexcept {
  // The count is read before the flag is taken down: a Raise in between leaves a count, which only wakes once too
  // often.
  if (m_descriptor >= 0) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = read(m_descriptor, &count, sizeof count);
  }
  m_raised.exchange(false, std::memory_order_acq_rel);
}

ServerLink::Impl::Impl(TransportSource transport, ServerLinkConfig config, const IClock& clock, const Logger& log)
    : m_config(std::move(config)),
      m_clock(clock),
      m_log(log),
      m_events(std::max(m_config.eventRingBytes, std::size_t{m_config.maxMessageBytes} * 4), m_config.overflowBytes),
      m_commands(std::max(m_config.commandRingBytes, std::size_t{m_config.maxMessageBytes} * 4),
                 m_config.overflowBytes),
      m_source(std::move(transport)),
      m_packetOverheadBytes(m_source.table->unreliable_overhead_bytes() + kPacketOverheadBytes),
      m_gate(GateLimitsOf(m_config), SecureSeed(), clock, m_counters),
      m_peers(SlotsOf(m_config)),
      m_handshake(m_config.identity, m_config.maxPeers),
      m_batch(m_config.maxMessageBytes),
      m_throttle(clock),
      m_received(kEventsPerCall),
      m_scratch(m_config.maxMessageBytes) {
  MUSTER_ASSERT(m_config.maxPeers >= 1 && m_config.maxPeers <= 4000, "1 to 4000 peers");
  MUSTER_ASSERT(m_config.maxHalfOpen >= 1 && m_config.maxHalfOpen <= 96, "1 to 96 half-open connections");
  MUSTER_ASSERT(m_config.maxDatagramBytes >= 576 && m_config.maxDatagramBytes <= kMaxDatagramBytes,
                "a datagram of 576 to 1400 bytes");
}

Result<mu_address> ServerLink::Impl::Listen(const mu_address& bind) {
  if (!protocol::InitialiseSealing()) {
    return Error{kSealingUnavailable, "Messages cannot be sealed.", "The machine gives no random numbers.",
                 "Check that /dev/urandom can be read in this environment."};
  }
  mu_transport_params params{};
  params.struct_size = sizeof params;
  params.max_connections = static_cast<std::uint32_t>(SlotsOf(m_config));
  params.max_connections_per_ip = m_config.maxConnectionsPerIp;
  params.max_datagram_bytes = m_config.maxDatagramBytes;
  params.reliable_backlog_bytes = m_config.reliableBacklogBytes;
  params.max_message_bytes = m_config.maxMessageBytes;
  params.timeout_ms = static_cast<std::uint32_t>(m_config.silenceTimeout.count());
  params.seed = SecureSeed();
  params.gate = m_gate.Hook();
  Result<TransportHandle> transport = TransportHandle::Create(m_source, params);
  if (!transport) {
    return std::move(transport).Failure();
  }
  m_transport = std::move(transport).Value();
  Result<mu_address> bound = m_transport.Listen(bind);
  if (!bound) {
    m_transport = {};
    return bound;
  }
  if (IsLoopback(*bound)) {
    m_log.Info("listening on {}: this machine only. Players' identities are not proven.", FormatAddress(*bound));
  } else {
    m_log.Warning(
        "listening on {}: reachable from other machines, and players' identities are NOT proven: anybody may "
        "join under any name. Bind to 127.0.0.1 unless the network is trusted.",
        FormatAddress(*bound));
  }
  return bound;
}

bool ServerLink::Impl::PollEvent(LinkEvent& event) {
  if (m_eventShown) {
    m_events.Pop();
    m_eventShown = false;
  }
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

void ServerLink::Impl::SendPacket(PeerId peer, std::uint32_t sequence, std::span<const std::byte> message) {
  m_commands.Flush();
  LinkCommand command;
  command.kind = LinkCommand::Kind::SendPacket;
  command.peer = peer;
  command.sequence = sequence;
  if (!m_commands.TryPush(command, message)) {
    m_counters.Drop(SendDropReason::QueueFull);
  }
}

void ServerLink::Impl::SendMust(const LinkCommand& command, std::span<const std::byte> message) {
  m_commands.Flush();
  if (m_commands.Push(command, message)) {
    return;
  }
  // The network thread has stood still for so long that megabytes wait: this stream has a hole now, so it ends. The
  // command itself carries no bytes, and is let in over the limit.
  m_counters.Drop(SendDropReason::QueueFull);
  LinkCommand close;
  close.kind = LinkCommand::Kind::Disconnect;
  close.peer = command.peer;
  close.reason = command.kind == LinkCommand::Kind::Disconnect ? command.reason : DisconnectReason::Backlog;
  m_commands.PushOverLimit(close);
}

void ServerLink::Impl::Wake() {
  m_commands.Flush();
  m_wake.Raise();
}

ServerLink::ServerLink(TransportSource transport, ServerLinkConfig config, const IClock& clock, const Logger& log)
    : m_impl(std::make_unique<Impl>(std::move(transport), std::move(config), clock, log)) {}

ServerLink::~ServerLink() = default;

Result<mu_address> ServerLink::Listen(const mu_address& bind) {
  return m_impl->Listen(bind);
}

bool ServerLink::PollEvent(LinkEvent& event) {
  return m_impl->PollEvent(event);
}

void ServerLink::SendPacket(PeerId peer, std::uint32_t sequence, std::span<const std::byte> message) {
  m_impl->SendPacket(peer, sequence, message);
}

void ServerLink::SendReliable(PeerId peer, std::span<const std::byte> message) {
  MUSTER_ASSERT(!message.empty(), "a message begins with its type");
  MUSTER_ASSERT(message.size() + protocol::kSealOverheadBytes <= m_impl->Config().maxMessageBytes,
                "a reliable message within maxMessageBytes");
  LinkCommand command;
  command.kind = LinkCommand::Kind::SendReliable;
  command.peer = peer;
  m_impl->SendMust(command, message);
}

void ServerLink::Disconnect(PeerId peer, DisconnectReason reason) {
  LinkCommand command;
  command.kind = LinkCommand::Kind::Disconnect;
  command.peer = peer;
  command.reason = reason;
  m_impl->SendMust(command, {});
}

void ServerLink::ReportMalformed(PeerId peer) {
  LinkCommand command;
  command.kind = LinkCommand::Kind::ReportMalformed;
  command.peer = peer;
  m_impl->SendMust(command, {});
}

void ServerLink::Wake() {
  m_impl->Wake();
}

std::size_t ServerLink::PacketOverheadBytes() const noexcept {
  return m_impl->PacketOverheadBytes();
}

std::size_t ServerLink::MaxPacketMessageBytes() const noexcept {
  return m_impl->Config().maxDatagramBytes - m_impl->PacketOverheadBytes();
}

void ServerLink::Service() {
  m_impl->Service();
}

int ServerLink::TransportWaitHandle() const {
  return m_impl->TransportWaitHandle();
}

int ServerLink::WakeHandle() const noexcept {
  return m_impl->WakeHandle();
}

bool ServerLink::HasWork() const noexcept {
  return m_impl->HasWork();
}

LinkStats ServerLink::Stats() const {
  return m_impl->Stats();
}

}  // namespace muster::link
