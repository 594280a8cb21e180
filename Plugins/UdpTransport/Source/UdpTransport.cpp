// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Life of an instance, and what one pass of the network thread does.
#include "UdpTransport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace muster::udp {

namespace {

constexpr std::uint64_t kNanosPerMilli = 1'000'000;
constexpr int kServerBufferBytes = 4 << 20;
constexpr int kClientBufferBytes = 1 << 20;
constexpr std::size_t kServerBatch = 64;
/// Thousands of clients may live in one process.
constexpr std::size_t kClientBatch = 8;
/// Messages of a pass whose memory is kept for the next pass.
constexpr std::size_t kSpareMessages = 256;
/// Datagrams that one pass takes, so that a flood cannot keep the network thread. The socket stays readable meanwhile.
constexpr std::uint32_t kDatagramsPerService = 8'192;
/// What one pause between two passes counts for at most: a process that was stopped for a while has not been
/// listening, so its peers were not silent.
constexpr std::uint64_t kMaxPauseNs = 1'000 * kNanosPerMilli;

void RequireRange(const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high) {
    throw plugin::Failure{MU_E_INVALID_ARGUMENT, fmt::format("{} is {}, it must be {} to {}.", name, value, low, high)};
  }
}

mu_transport_params Checked(const mu_transport_params& params) {
  if (params.struct_size < sizeof(mu_transport_params)) {
    throw plugin::Failure{MU_E_INVALID_ARGUMENT, "mu_transport_params is smaller than this plugin knows it."};
  }
  RequireRange("max_connections", params.max_connections, 1, 4096);
  RequireRange("max_datagram_bytes", params.max_datagram_bytes, kMinDatagramBytes, kMaxDatagramBytes);
  RequireRange("max_message_bytes", params.max_message_bytes, 1, std::uint64_t{16} << 20);
  RequireRange("reliable_backlog_bytes", params.reliable_backlog_bytes, params.max_message_bytes, UINT32_MAX);
  RequireRange("timeout_ms", params.timeout_ms, 100, 3'600'000);
  return params;
}

}  // namespace

UdpTransport::UdpTransport(const plugin::Host& host, const mu_transport_params& params)
    : m_services{host},
      m_params{Checked(params)},
      m_key{MakeSipKey(params.seed)},
      m_mint{MakeSipKey(params.seed)},
      m_connections{m_params.max_connections, m_key},
      // A server makes a larger one when it listens.
      m_batch{kClientBatch},
      m_usedIds{m_key},
      m_timeoutNs{m_params.timeout_ms * kNanosPerMilli} {
  AdvanceTime();
}

mu_status UdpTransport::Listen(const mu_address& bind, mu_address& bound) {
  if (m_socket.IsOpen()) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "This transport is active already.");
  }
  const int failure = m_socket.Open(bind, true, kServerBufferBytes);
  if (failure == EADDRINUSE) {
    return m_services.Fail(
        MU_E_ADDRESS_IN_USE,
        fmt::format("UDP port {} is already in use; another server may be running on it.", bind.port));
  }
  if (failure == EAFNOSUPPORT) {
    return m_services.Fail(MU_E_NOT_SUPPORTED,
                           fmt::format("This machine has no IPv6; {} cannot be listened on.", ToString(bind)));
  }
  if (failure != 0) {
    return m_services.Fail(
        MU_E_FAILED, fmt::format("No UDP socket could be opened on {}: {}.", ToString(bind), std::strerror(failure)));
  }
  m_batch = ReceiveBatch{kServerBatch};
  m_isListening = true;
  bound = m_socket.Bound();
  return MU_OK;
}

mu_status UdpTransport::Connect(const mu_address& remote, mu_connection& out) {
  if (!IsUnicast(remote)) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "The UDP transport connects to a unicast address with a port.");
  }
  if (!m_socket.IsOpen()) {
    if (const int failure = m_socket.Open(remote, false, kClientBufferBytes); failure != 0) {
      return m_services.Fail(
          failure == EAFNOSUPPORT ? MU_E_NOT_SUPPORTED : MU_E_FAILED,
          fmt::format("No UDP socket could be opened for {}: {}.", ToString(remote), std::strerror(failure)));
    }
  }
  // A socket that listens on :: reaches IPv4 as well, but then its addresses are of the other form.
  if (!m_socket.CanReach(remote)) {
    return m_services.Fail(MU_E_NOT_SUPPORTED,
                           fmt::format("This transport's socket is not of the family of {}.", ToString(remote)));
  }
  AdvanceTime();
  Connection* connection = m_connections.Open(m_params.max_message_bytes);
  if (connection == nullptr) {
    return m_services.Fail(MU_E_FAILED, fmt::format("All {} connections are taken.", m_params.max_connections));
  }
  connection->clientId = connection->localId;
  connection->address = remote;
  connection->target = m_socket.ToSocket(remote);
  connection->datagramBytes = m_params.max_datagram_bytes;
  connection->heardAtNs = m_nowNs;
  connection->deadlineNs = m_nowNs + m_timeoutNs;
  SendHello(*connection);
  SendQueued();
  out = connection->id;
  return MU_OK;
}

mu_status UdpTransport::Service(std::span<mu_transport_event> events, std::uint32_t& count) {
  ReleaseMessages();
  if (!m_socket.IsOpen()) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "This transport neither listens nor connects yet.");
  }
  AdvanceTime();
  EventWriter out{events};
  EmitPending(out);
  for (std::uint32_t taken = 0; taken < kDatagramsPerService && !out.IsFull(); ++taken) {
    if (m_batch.IsEmpty() && !m_batch.Fill(m_socket)) {
      break;
    }
    HandleDatagram(m_batch.Take());
    EmitPending(out);
  }
  KeepHouse();
  Flush();
  EmitPending(out);
  count = out.count;
  return MU_OK;
}

void UdpTransport::Flush() {
  AdvanceTime();
  for (const mu_connection id : m_dirty) {
    if (Connection* connection = m_connections.Find(id)) {
      connection->isDirty = false;
      WriteTalk(*connection);
      connection->unreliableQueued = 0;
    }
  }
  m_dirty.clear();
  SendQueued();
}

void UdpTransport::Disconnect(mu_connection id, std::uint32_t detail) {
  Connection* connection = m_connections.Find(id);
  if (connection == nullptr || connection->state == State::Closing) {
    return;
  }
  AdvanceTime();
  if (connection->IsOpening()) {
    End(*connection, MU_DISCONNECT_LOCAL, detail);
    return;
  }
  if (connection->backlogRefusedAtNs != 0) {
    // What is queued would never arrive.
    SendCode(*connection, Kind::Close, detail);
    End(*connection, MU_DISCONNECT_BACKLOG, detail);
    return;
  }
  connection->state = State::Closing;
  connection->closeCode = detail;
  connection->deadlineNs = m_nowNs + m_timeoutNs;
  connection->repeatAtNs = m_nowNs;
  connection->tries = 0;
  Flush();
  KeepClosing(*connection);
  SendQueued();
}

void UdpTransport::Stats(mu_transport_stats& out) {
  const std::uint32_t size = out.struct_size;
  out = m_stats;
  out.struct_size = size;
  out.connections = m_connections.Count();
}

void UdpTransport::AdvanceTime() {
  const std::uint64_t hostNs = m_services.NowNs();
  if (m_hostNs == 0) {
    // Zero means "never" for some of the times.
    m_nowNs = 1;
  } else if (hostNs > m_hostNs) {
    m_nowNs += std::min(hostNs - m_hostNs, kMaxPauseNs);
  }
  m_hostNs = hostNs;
}

mu_transport_event UdpTransport::EventOf(const Connection& connection, std::uint32_t kind) const {
  mu_transport_event event{};
  event.kind = kind;
  event.connection = connection.id;
  event.address = connection.address;
  return event;
}

void UdpTransport::Report(const mu_transport_event& event, Message message) {
  m_pending.push_back({event, std::move(message)});
}

UdpTransport::Message UdpTransport::Keep(std::span<const std::uint8_t> bytes) {
  Message message;
  if (!m_spare.empty()) {
    message = std::move(m_spare.back());
    m_spare.pop_back();
  }
  message.assign(bytes.begin(), bytes.end());
  return message;
}

void UdpTransport::ReleaseMessages() {
  for (Message& message : m_handedOut) {
    // Reliable messages may be large; their memory goes back.
    if (m_spare.size() < kSpareMessages && message.capacity() <= kMaxDatagramBytes) {
      m_spare.push_back(std::move(message));
    }
  }
  m_handedOut.clear();
}

void UdpTransport::ReportMessage(const Connection& connection, std::uint32_t channel, Message message) {
  mu_transport_event event = EventOf(connection, MU_TRANSPORT_EVENT_MESSAGE);
  event.channel = channel;
  Report(event, std::move(message));
}

void UdpTransport::EmitPending(EventWriter& out) {
  while (!m_pending.empty() && !out.IsFull()) {
    Pending& pending = m_pending.front();
    mu_transport_event& event = out.events[out.count++];
    event = pending.event;
    if (event.kind == MU_TRANSPORT_EVENT_MESSAGE) {
      const Message& kept = m_handedOut.emplace_back(std::move(pending.message));
      event.message = mu_bytes{kept.data(), kept.size()};
    }
    m_pending.pop_front();
  }
}

void UdpTransport::End(Connection& connection, std::uint32_t code, std::uint32_t detail) {
  mu_transport_event event = EventOf(connection, MU_TRANSPORT_EVENT_DISCONNECTED);
  event.code = code;
  event.detail = detail;
  m_stats.reliable_resent += connection.send.TakeResent();
  m_connections.Close(connection);
  Report(event);
}

}  // namespace muster::udp
