// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "UdpTransport.h"

namespace muster::udp {

namespace {

/// Unreliable messages of one connection between two flushes; more of them are refused.
constexpr std::uint32_t kMaxUnreliableQueued = 1'024;

}  // namespace

void UdpTransport::Send(std::span<mu_transport_send> items) {
  for (mu_transport_send& item : items) {
    Connection* connection = m_connections.Find(item.connection);
    if (connection == nullptr || connection->state != State::Open) {
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

mu_status UdpTransport::SendUnreliable(Connection& connection, const mu_bytes& message) {
  if (message.size > connection.datagramBytes - kDataHeadBytes) {
    ++m_stats.refused_messages;
    return MU_E_WOULD_FRAGMENT;
  }
  if (connection.unreliableQueued >= kMaxUnreliableQueued) {
    ++m_stats.refused_messages;
    return MU_E_BACKLOG;
  }
  ++connection.unreliableQueued;
  const auto size = static_cast<std::size_t>(message.size);
  ByteWriter writer{m_out.Begin(kDataHeadBytes + size)};
  WriteHead(writer, {Kind::Data, kFlagMessage, connection.remoteId});
  writer.Put(connection.nextNumber++);
  writer.PutBytes({message.data, size});
  Commit(connection, writer.Size());
  // Its count of queued messages starts again at the flush.
  MarkDirty(connection);
  return MU_OK;
}

mu_status UdpTransport::SendReliable(Connection& connection, const mu_bytes& message) {
  if (message.size > m_params.max_message_bytes) {
    ++m_stats.refused_messages;
    return MU_E_INVALID_ARGUMENT;
  }
  // A single message always fits, whatever the limit.
  const std::uint64_t charge = ReliableSend::ChargeOf(message.size);
  const std::uint64_t limit = std::max<std::uint64_t>(m_params.reliable_backlog_bytes, charge);
  if (connection.send.BacklogBytes() + charge > limit) {
    ++m_stats.refused_messages;
    if (connection.backlogRefusedAtNs == 0) {
      connection.backlogRefusedAtNs = m_nowNs;
    }
    return MU_E_BACKLOG;
  }
  connection.send.Queue({message.data, static_cast<std::size_t>(message.size)}, PieceBytes(connection));
  MarkDirty(connection);
  return MU_OK;
}

std::size_t UdpTransport::PieceBytes(const Connection& connection) const {
  // So that a piece always fits beside the longest acknowledgement.
  return connection.datagramBytes - kDataHeadBytes - kMaxAckBytes - kFrameCountBytes - kFrameHeadBytes;
}

void UdpTransport::MarkDirty(Connection& connection) {
  if (!connection.isDirty) {
    connection.isDirty = true;
    m_dirty.push_back(connection.id);
  }
}

void UdpTransport::WriteTalk(Connection& connection) {
  while (connection.IsTalking() && (connection.owesAck || connection.send.HasDue())) {
    const std::span<std::uint8_t> room = m_out.Begin(connection.datagramBytes);
    std::uint8_t flags = 0;
    ByteWriter writer{room};
    writer.PutZeros(kHeadBytes);  // the flags are not known yet
    writer.Put(connection.nextNumber);
    if (connection.owesAck) {
      flags |= kFlagAck;
      WriteAck(writer, connection.receive.MakeAck());
      connection.owesAck = false;
    }
    if (connection.send.HasDue()) {
      const std::size_t countAt = writer.Size();
      writer.Put(std::uint8_t{0});
      const std::uint32_t frames = connection.send.WriteDue(writer, m_nowNs);
      writer.Patch(countAt, static_cast<std::uint8_t>(frames));
      flags |= kFlagFrames;
    }
    ByteWriter head{room};
    WriteHead(head, {Kind::Data, flags, connection.remoteId});
    ++connection.nextNumber;
    Commit(connection, writer.Size());
  }
}

void UdpTransport::SendHello(Connection& connection) {
  const bool isResponse = connection.state == State::Responding;
  const std::span<std::uint8_t> room = m_out.Begin(kRequestBytes);
  ByteWriter writer{room};
  Hello hello;
  hello.maxDatagramBytes = static_cast<std::uint16_t>(m_params.max_datagram_bytes);
  hello.clientId = connection.clientId;
  hello.cookie = isResponse ? connection.cookie : 0;
  WriteHello(writer, isResponse ? Kind::Response : Kind::Request, hello);
  Commit(connection, writer.Size());
  // 200, 400, 800, 800, ... ms
  constexpr std::uint64_t kRepeatNs = 200'000'000;
  connection.repeatAtNs = m_nowNs + (kRepeatNs << std::min(connection.tries, 2U));
  ++connection.tries;
}

void UdpTransport::SendWelcome(Connection& connection) {
  ByteWriter writer{m_out.Begin(kRequestBytes)};
  WriteWelcome(writer, connection.clientId,
               {connection.localId, static_cast<std::uint16_t>(m_params.max_datagram_bytes)});
  Commit(connection, writer.Size());
}

void UdpTransport::SendCode(Connection& connection, Kind kind, std::uint32_t code) {
  ByteWriter writer{m_out.Begin(kRequestBytes)};
  WriteCode(writer, kind, connection.remoteId, code);
  Commit(connection, writer.Size());
}

void UdpTransport::Commit(Connection& connection, std::size_t size) {
  m_out.Commit(connection.target, size);
  connection.sentAtNs = m_nowNs;
}

void UdpTransport::SendQueued() {
  if (m_out.Count() == 0) {
    return;
  }
  const SendBatch::Outcome outcome = m_out.Send(m_socket);
  m_stats.datagrams_out += outcome.datagrams;
  m_stats.bytes_out += outcome.bytes;
  m_stats.send_errors += outcome.errors;
}

}  // namespace muster::udp
