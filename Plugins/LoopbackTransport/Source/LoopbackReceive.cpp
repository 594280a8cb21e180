// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <utility>

#include "LoopbackTransport.h"

namespace muster::loopback {

namespace {

constexpr std::uint64_t kNanosPerMilli = 1'000'000;
/// When a reliable frame that the gate dropped is offered to it again, as a network's resend would be.
constexpr std::uint64_t kRedeliverAfterNs = 100 * kNanosPerMilli;
constexpr std::uint64_t kBacklogGraceNs = 1'000 * kNanosPerMilli;
constexpr std::size_t kMaxReplyBytes = 2'048;

/// Everybody is this machine: ::ffff:127.0.0.1.
mu_address AddressOf(std::uint16_t port) {
  mu_address address{};
  address.ip[10] = 0xff;
  address.ip[11] = 0xff;
  address.ip[12] = 127;
  address.ip[15] = 1;
  address.port = port;
  return address;
}

std::uint32_t DetailOf(const Frame& close) {
  std::uint32_t detail = 0;
  for (std::size_t i = 0; i < 4 && i + 1 < close.size(); ++i) {
    detail |= static_cast<std::uint32_t>(close[i + 1]) << (8 * i);
  }
  return detail;
}

}  // namespace

mu_status LoopbackTransport::Service(std::span<mu_transport_event> events, std::uint32_t& count) {
  count = 0;
  if (m_port == 0) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "This transport neither listens nor connects yet.");
  }
  m_handedOut.clear();
  m_nowNs = m_services.NowNs();
  Flush();
  EventWriter out{events, 0};
  ReceiveArrivals(out);
  for (auto& [id, connection] : m_connections) {
    ServiceConnection(connection, out);
  }
  std::erase_if(m_connections, [](const auto& entry) { return entry.second.hasEnded; });
  Flush();
  count = out.count;
  return MU_OK;
}

LoopbackTransport::Verdict LoopbackTransport::AskGate(std::uint16_t fromPort, const Frame& frame) {
  if (m_params.gate.on_raw_datagram == nullptr) {
    return Verdict::Pass;
  }
  m_reply.resize(kMaxReplyBytes);
  const mu_address from = AddressOf(fromPort);
  std::uint32_t replySize = 0;
  const std::uint32_t verdict =
      m_params.gate.on_raw_datagram(m_params.gate.context, &from, mu_bytes{frame.data(), frame.size()}, m_reply.data(),
                                    static_cast<std::uint32_t>(m_reply.size()), &replySize);
  if (verdict == MU_GATE_PASS) {
    return Verdict::Pass;
  }
  if (verdict == MU_GATE_REPLY && replySize != 0 && replySize <= frame.size()) {
    ++m_stats.gate_replied;
    ++m_stats.datagrams_out;
    m_stats.bytes_out += replySize;
    m_network.Knock(fromPort, Arrival{0, m_port, Frame(m_reply.begin(), m_reply.begin() + replySize)}, false);
  } else {
    ++m_stats.gate_dropped;
  }
  return Verdict::Stop;
}

void LoopbackTransport::Count(const Frame& frame) {
  ++m_stats.datagrams_in;
  m_stats.bytes_in += frame.size();
}

void LoopbackTransport::ReceiveArrivals(EventWriter& out) {
  std::deque<Arrival> fresh = m_network.TakeArrivals(m_port);
  m_arrivals.insert(m_arrivals.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
  while (!m_arrivals.empty() && !out.IsFull()) {
    const Arrival arrival = std::move(m_arrivals.front());
    m_arrivals.pop_front();
    Count(arrival.frame);
    if (AskGate(arrival.fromPort, arrival.frame) != Verdict::Pass) {
      continue;
    }
    if (arrival.pipe == 0) {
      ++m_stats.receive_errors;  // a gate's answer that no gate wanted
    } else {
      Accept(arrival, out);
    }
  }
}

void LoopbackTransport::Accept(const Arrival& arrival, EventWriter& out) {
  const bool isRepeated = std::any_of(m_connections.begin(), m_connections.end(), [&arrival](const auto& entry) {
    return entry.second.pipe == arrival.pipe && entry.second.side == Side::Server;
  });
  if (isRepeated) {
    return;
  }
  const auto incoming =
      static_cast<std::size_t>(std::count_if(m_connections.begin(), m_connections.end(), [](const auto& entry) {
        return entry.second.side == Side::Server && !entry.second.hasEnded;
      }));
  const bool isOverIpLimit = m_params.max_connections_per_ip != 0 && incoming >= m_params.max_connections_per_ip;
  if (m_connections.size() >= m_params.max_connections || isOverIpLimit) {
    ++m_stats.refused_connections;
    return;
  }
  if (!m_network.JoinPipe(arrival.pipe, m_nowNs)) {
    return;
  }
  Connection& connection = Add(arrival.pipe, Side::Server, arrival.fromPort);
  Queue(connection, FrameKind::Accept, mu_bytes{nullptr, 0});
  EmitConnected(connection, out);
}

void LoopbackTransport::ServiceConnection(Connection& connection, EventWriter& out) {
  const PipeTurn turn =
      m_network.TakeTurn(connection.pipe, connection.side, m_nowNs, connection.reliable, connection.unreliable);
  if (connection.isClosing && !connection.isUp) {
    // Nobody answered yet, and nobody is told.
    if (!out.IsFull()) {
      End(connection, MU_DISCONNECT_LOCAL, 0, out);
    }
    return;
  }
  // What was sent before the farewell comes before it.
  DeliverUnreliable(connection, out);
  DeliverReliable(connection, out);
  if (!connection.hasEnded && !out.IsFull()) {
    CheckLimits(connection, turn, out);
  }
}

void LoopbackTransport::DeliverUnreliable(Connection& connection, EventWriter& out) {
  while (connection.isUp && !connection.unreliable.empty() && !out.IsFull()) {
    Frame frame = std::move(connection.unreliable.front());
    connection.unreliable.pop_front();
    Count(frame);
    if (AskGate(connection.remotePort, frame) == Verdict::Pass && !connection.isClosing) {
      EmitMessage(connection, std::move(frame), MU_CHANNEL_UNRELIABLE, out);
    }
  }
}

void LoopbackTransport::DeliverReliable(Connection& connection, EventWriter& out) {
  std::uint64_t consumed = 0;
  while (!connection.hasEnded && !connection.reliable.empty() && !out.IsFull()) {
    if (m_nowNs < connection.redeliverAtNs) {
      break;
    }
    Count(connection.reliable.front());
    if (AskGate(connection.remotePort, connection.reliable.front()) != Verdict::Pass) {
      connection.redeliverAtNs = m_nowNs + kRedeliverAfterNs;
      break;
    }
    Frame frame = std::move(connection.reliable.front());
    connection.reliable.pop_front();
    consumed += frame.size();
    DeliverFrame(connection, std::move(frame), out);
  }
  m_network.ReportConsumed(connection.pipe, connection.side, consumed);
}

void LoopbackTransport::DeliverFrame(Connection& connection, Frame frame, EventWriter& out) {
  switch (static_cast<FrameKind>(frame.front())) {
    case FrameKind::Accept:
      EmitConnected(connection, out);
      return;
    case FrameKind::Close:
      End(connection, connection.isClosing ? MU_DISCONNECT_LOCAL : MU_DISCONNECT_BY_PEER, DetailOf(frame), out);
      return;
    case FrameKind::Reliable:
      if (!connection.isClosing) {
        EmitMessage(connection, std::move(frame), MU_CHANNEL_RELIABLE, out);
      }
      return;
    case FrameKind::Connect:
    case FrameKind::Unreliable:
      break;  // never queued here
  }
  ++m_stats.receive_errors;
}

void LoopbackTransport::CheckLimits(Connection& connection, const PipeTurn& turn, EventWriter& out) {
  const bool isPastDeadline = m_nowNs >= connection.deadlineNs;
  if (!connection.isUp) {
    if (isPastDeadline) {
      End(connection, MU_DISCONNECT_REFUSED, 0, out);
    } else if (m_nowNs >= connection.knockAtNs) {
      Knock(connection);
    }
    return;
  }
  const bool isSilent = m_nowNs >= turn.otherServicedAtNs + m_timeoutNs;
  if (connection.isClosing) {
    if (connection.backlogRefusedAtNs != 0) {
      End(connection, MU_DISCONNECT_BACKLOG, 0, out);
    } else if (turn.otherEnded || isSilent || isPastDeadline) {
      End(connection, MU_DISCONNECT_LOCAL, 0, out);
    }
    return;
  }
  if (isSilent) {
    End(connection, MU_DISCONNECT_TIMEOUT, 0, out);
    return;
  }
  if (connection.backlogRefusedAtNs == 0) {
    return;
  }
  if (m_network.ReliableBytesTo(connection.pipe, Other(connection.side)) <= m_params.reliable_backlog_bytes / 2) {
    connection.backlogRefusedAtNs = 0;
  } else if (m_nowNs >= connection.backlogRefusedAtNs + kBacklogGraceNs) {
    QueueClose(connection, 0);
    End(connection, MU_DISCONNECT_BACKLOG, 0, out);
  }
}

void LoopbackTransport::EmitConnected(Connection& connection, EventWriter& out) {
  connection.isUp = true;
  mu_transport_event event{};
  event.kind = MU_TRANSPORT_EVENT_CONNECTED;
  event.connection = connection.id;
  event.address = AddressOf(connection.remotePort);
  out.Write(event);
}

void LoopbackTransport::EmitMessage(const Connection& connection, Frame frame, std::uint32_t channel,
                                    EventWriter& out) {
  m_handedOut.push_back(std::move(frame));
  const Frame& kept = m_handedOut.back();
  mu_transport_event event{};
  event.kind = MU_TRANSPORT_EVENT_MESSAGE;
  event.channel = channel;
  event.connection = connection.id;
  event.address = AddressOf(connection.remotePort);
  event.message = mu_bytes{kept.data() + 1, kept.size() - 1};
  out.Write(event);
}

void LoopbackTransport::End(Connection& connection, std::uint32_t code, std::uint32_t detail, EventWriter& out) {
  mu_transport_event event{};
  event.kind = MU_TRANSPORT_EVENT_DISCONNECTED;
  event.connection = connection.id;
  event.address = AddressOf(connection.remotePort);
  event.code = code;
  event.detail = detail;
  out.Write(event);
  connection.hasEnded = true;
  // What is queued for the other side, a farewell perhaps, must be in the pipe before this side leaves it.
  Flush();
  m_network.LeavePipe(connection.pipe, connection.side, true);
}

}  // namespace muster::loopback
