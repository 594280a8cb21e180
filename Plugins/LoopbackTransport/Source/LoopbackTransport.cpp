// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Life of an instance and sending. Receiving is in LoopbackReceive.cpp.
#include "LoopbackTransport.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace muster::loopback {

namespace {

constexpr std::uint64_t kNanosPerMilli = 1'000'000;
constexpr std::uint64_t kKnockEveryNs = 500 * kNanosPerMilli;
/// A message costs the backlog at least this, so that empty messages cannot fill the memory for free.
constexpr std::uint64_t kSmallestCharge = 64;

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
  RequireRange("max_datagram_bytes", params.max_datagram_bytes, 576, 1400);
  RequireRange("max_message_bytes", params.max_message_bytes, 1, std::uint64_t{16} << 20);
  RequireRange("reliable_backlog_bytes", params.reliable_backlog_bytes, params.max_message_bytes, UINT32_MAX);
  RequireRange("timeout_ms", params.timeout_ms, 100, 3'600'000);
  return params;
}

}  // namespace

LoopbackTransport::LoopbackTransport(const plugin::Host& host, const mu_transport_params& params)
    : m_services{host},
      m_params{Checked(params)},
      m_network{LoopbackNetwork::Instance()},
      m_timeoutNs{params.timeout_ms * kNanosPerMilli},
      m_nowNs{host.NowNs()} {}

LoopbackTransport::~LoopbackTransport() {
  for (auto& [id, connection] : m_connections) {
    m_network.LeavePipe(connection.pipe, connection.side, false);
  }
  if (m_port != 0) {
    m_network.ReleasePort(m_port);
  }
}

mu_status LoopbackTransport::Listen(const mu_address& bind, mu_address& bound) {
  if (m_port != 0) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "This transport is active already.");
  }
  m_port = m_network.TakePort(bind.port, true);
  if (m_port == 0) {
    return m_services.Fail(MU_E_ADDRESS_IN_USE,
                           fmt::format("Loopback port {} is already in use in this process.", bind.port));
  }
  bound = bind;
  bound.port = m_port;
  return MU_OK;
}

mu_status LoopbackTransport::Connect(const mu_address& remote, mu_connection& out) {
  if (remote.port == 0) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "The loopback transport connects to a port.");
  }
  if (m_connections.size() >= m_params.max_connections) {
    return m_services.Fail(MU_E_FAILED, fmt::format("All {} connections are taken.", m_params.max_connections));
  }
  if (m_port == 0) {
    m_port = m_network.TakePort(0, false);
    if (m_port == 0) {
      return m_services.Fail(MU_E_FAILED, "No loopback port is left in this process.");
    }
  }
  m_nowNs = m_services.NowNs();
  Connection& connection = Add(m_network.OpenPipe(m_nowNs), Side::Client, remote.port);
  connection.deadlineNs = m_nowNs + m_timeoutNs;
  Knock(connection);
  out = connection.id;
  return MU_OK;
}

void LoopbackTransport::Knock(Connection& connection) {
  connection.knockAtNs = m_nowNs + kKnockEveryNs;
  Frame frame{static_cast<std::uint8_t>(FrameKind::Connect)};
  ++m_stats.datagrams_out;
  m_stats.bytes_out += frame.size();
  m_network.Knock(connection.remotePort, Arrival{connection.pipe, m_port, std::move(frame)}, true);
}

LoopbackTransport::Connection& LoopbackTransport::Add(PipeKey pipe, Side side, std::uint16_t remotePort) {
  Connection& connection = m_connections[++m_lastId];
  connection.id = m_lastId;
  connection.pipe = pipe;
  connection.side = side;
  connection.remotePort = remotePort;
  return connection;
}

LoopbackTransport::Connection* LoopbackTransport::Find(mu_connection id) {
  const auto found = m_connections.find(id);
  return found == m_connections.end() ? nullptr : &found->second;
}

void LoopbackTransport::Send(std::span<mu_transport_send> items) {
  for (mu_transport_send& item : items) {
    Connection* connection = Find(item.connection);
    const bool isOpen = connection != nullptr && connection->isUp && !connection->isClosing && !connection->hasEnded;
    item.status = isOpen ? SendOne(*connection, item) : MU_E_NOT_CONNECTED;
  }
}

mu_status LoopbackTransport::SendOne(Connection& connection, const mu_transport_send& item) {
  if (item.channel == MU_CHANNEL_UNRELIABLE) {
    if (item.message.size + UnreliableOverheadBytes() > m_params.max_datagram_bytes) {
      ++m_stats.refused_messages;
      return MU_E_WOULD_FRAGMENT;
    }
    Queue(connection, FrameKind::Unreliable, item.message);
    return MU_OK;
  }
  if (item.channel != MU_CHANNEL_RELIABLE || item.message.size > m_params.max_message_bytes) {
    ++m_stats.refused_messages;
    return MU_E_INVALID_ARGUMENT;
  }
  const std::uint64_t backlog =
      connection.queuedReliableBytes + m_network.ReliableBytesTo(connection.pipe, Other(connection.side));
  const std::uint64_t charge = std::max<std::uint64_t>(item.message.size, kSmallestCharge);
  if (backlog + charge > std::max<std::uint64_t>(m_params.reliable_backlog_bytes, charge)) {
    ++m_stats.refused_messages;
    if (connection.backlogRefusedAtNs == 0) {
      connection.backlogRefusedAtNs = m_nowNs;
    }
    return MU_E_BACKLOG;
  }
  Queue(connection, FrameKind::Reliable, item.message);
  return MU_OK;
}

void LoopbackTransport::Queue(Connection& connection, FrameKind kind, mu_bytes payload) {
  Frame frame;
  frame.reserve(1 + static_cast<std::size_t>(payload.size));
  frame.push_back(static_cast<std::uint8_t>(kind));
  frame.insert(frame.end(), payload.data, payload.data + payload.size);
  if (kind != FrameKind::Unreliable) {
    connection.queuedReliableBytes += frame.size();
  }
  m_outbox.push_back(Queued{connection.pipe, Other(connection.side), std::move(frame)});
}

void LoopbackTransport::QueueClose(Connection& connection, std::uint32_t detail) {
  const std::uint8_t bytes[4] = {static_cast<std::uint8_t>(detail), static_cast<std::uint8_t>(detail >> 8),
                                 static_cast<std::uint8_t>(detail >> 16), static_cast<std::uint8_t>(detail >> 24)};
  Queue(connection, FrameKind::Close, mu_bytes{bytes, sizeof(bytes)});
}

void LoopbackTransport::Flush() {
  for (Queued& queued : m_outbox) {
    ++m_stats.datagrams_out;
    m_stats.bytes_out += queued.frame.size();
    if (!m_network.Post(queued.pipe, queued.to, std::move(queued.frame))) {
      ++m_stats.send_errors;
    }
  }
  m_outbox.clear();
  for (auto& [id, connection] : m_connections) {
    connection.queuedReliableBytes = 0;
  }
}

void LoopbackTransport::Disconnect(mu_connection id, std::uint32_t detail) {
  Connection* connection = Find(id);
  if (connection == nullptr || connection->isClosing || connection->hasEnded) {
    return;
  }
  m_nowNs = m_services.NowNs();
  connection->isClosing = true;
  connection->deadlineNs = m_nowNs + m_timeoutNs;
  if (connection->isUp) {
    QueueClose(*connection, detail);
    Flush();
  }
}

void LoopbackTransport::Stats(mu_transport_stats& out) {
  const std::uint32_t size = out.struct_size;
  out = m_stats;
  out.struct_size = size;
  out.connections = static_cast<std::uint32_t>(m_connections.size());
}

}  // namespace muster::loopback
