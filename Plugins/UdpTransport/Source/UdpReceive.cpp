// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What becomes of a datagram.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "UdpTransport.h"

namespace muster::udp {

void UdpTransport::HandleDatagram(const ReceiveBatch::Datagram& datagram) {
  ++m_stats.datagrams_in;
  m_stats.bytes_in += datagram.size;
  if (PassesGate(datagram) && !Understand(datagram)) {
    ++m_stats.receive_errors;
  }
}

bool UdpTransport::PassesGate(const ReceiveBatch::Datagram& datagram) {
  if (m_params.gate.on_raw_datagram == nullptr) {
    return true;
  }
  std::uint32_t replySize = 0;
  const std::uint32_t verdict = m_params.gate.on_raw_datagram(
      m_params.gate.context, &datagram.from, mu_bytes{datagram.bytes.data(), datagram.bytes.size()}, m_reply.data(),
      static_cast<std::uint32_t>(m_reply.size()), &replySize);
  if (verdict == MU_GATE_PASS) {
    return true;
  }
  // Whoever the address belongs to gets no more than it was made to send.
  if (verdict == MU_GATE_REPLY && replySize != 0 && replySize <= datagram.size && replySize <= m_reply.size() &&
      IsUnicast(datagram.from)) {
    if (m_socket.SendNow(m_socket.ToSocket(datagram.from), std::span{m_reply}.first(replySize))) {
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

bool UdpTransport::Understand(const ReceiveBatch::Datagram& datagram) {
  if (datagram.size > m_params.max_datagram_bytes || !IsUnicast(datagram.from)) {
    return false;
  }
  ByteReader reader{datagram.bytes};
  const std::optional<Head> head = ReadHead(reader);
  if (!head) {
    return false;
  }
  if (head->id == 0) {
    const std::optional<Hello> hello = m_isListening ? ReadHello(reader, head->kind) : std::nullopt;
    return hello && HandleHello(datagram.from, *hello, head->kind);
  }
  Connection* connection = m_connections.FindLocal(head->id);
  if (connection == nullptr || !IsSameEndpoint(connection->address, datagram.from)) {
    return false;
  }
  switch (head->kind) {
    case Kind::Challenge:
    case Kind::Accept:
    case Kind::Refuse:
      return HandleOpening(*connection, *head, reader);
    case Kind::Data:
      return HandleData(*connection, *head, reader);
    case Kind::Close:
    case Kind::CloseAck:
      return HandleClose(*connection, *head, reader);
    case Kind::Request:
    case Kind::Response:
      break;  // have no id
  }
  return false;
}

bool UdpTransport::HandleHello(const mu_address& from, const Hello& hello, Kind kind) {
  if (hello.version != kWireVersion) {
    RefuseStranger(from, hello.clientId, RefuseReason::OtherVersion);
    return true;
  }
  if (kind == Kind::Request) {
    std::array<std::uint8_t, kRequestBytes> bytes{};
    ByteWriter writer{bytes};
    WriteChallenge(writer, hello.clientId, m_mint.Make(from, hello.clientId, m_nowNs));
    Answer(from, std::span{bytes}.first(writer.Size()));
    return true;
  }
  if (!m_mint.IsGood(hello.cookie, from, hello.clientId, m_nowNs)) {
    return false;
  }
  Admit(from, hello);
  return true;
}

void UdpTransport::Answer(const mu_address& to, std::span<const std::uint8_t> bytes) {
  const std::span<std::uint8_t> room = m_out.Begin(bytes.size());
  std::copy(bytes.begin(), bytes.end(), room.begin());
  m_out.Commit(m_socket.ToSocket(to), bytes.size());
}

void UdpTransport::RefuseStranger(const mu_address& to, std::uint64_t clientId, RefuseReason reason) {
  ++m_stats.refused_connections;
  std::array<std::uint8_t, kRequestBytes> bytes{};
  ByteWriter writer{bytes};
  WriteCode(writer, Kind::Refuse, clientId, static_cast<std::uint32_t>(reason));
  Answer(to, std::span{bytes}.first(writer.Size()));
}

Connection* UdpTransport::OpenForStranger() {
  if (Connection* connection = m_connections.Open(m_params.max_message_bytes)) {
    return connection;
  }
  // Somebody who does not answer this side's farewell keeps nobody else out.
  Connection* leaving = nullptr;
  m_connections.ForEach([&](Connection& connection) {
    if (connection.state == State::Closing && connection.tries > 0) {
      leaving = &connection;
    }
  });
  if (leaving == nullptr) {
    return nullptr;
  }
  End(*leaving, MU_DISCONNECT_LOCAL, leaving->closeCode);
  return m_connections.Open(m_params.max_message_bytes);
}

void UdpTransport::Admit(const mu_address& from, const Hello& hello) {
  m_usedIds.Forget(m_nowNs);
  if (const mu_connection opened = m_usedIds.Find(hello.clientId); opened != 0) {
    Connection* connection = m_connections.Find(opened);
    if (connection != nullptr && IsSameEndpoint(connection->address, from)) {
      SendWelcome(*connection);  // the first one was lost
    }
    return;  // else a straggler of a connection that is over
  }
  std::uint32_t ofThisHost = 0;
  Connection* known = nullptr;
  m_connections.ForEach([&](Connection& connection) {
    if (connection.remoteId == hello.clientId && IsSameEndpoint(connection.address, from)) {
      known = &connection;
    }
    // Those that this side opened are not the stranger's.
    ofThisHost += connection.clientId == connection.remoteId && IsSameHost(connection.address, from) ? 1U : 0U;
  });
  if (known != nullptr) {
    SendWelcome(*known);
    return;
  }
  if (m_params.max_connections_per_ip != 0 && ofThisHost >= m_params.max_connections_per_ip) {
    RefuseStranger(from, hello.clientId, RefuseReason::TooManyOfAddress);
    return;
  }
  Connection* connection = m_usedIds.IsFull() ? nullptr : OpenForStranger();
  if (connection == nullptr) {
    RefuseStranger(from, hello.clientId, RefuseReason::Full);
    return;
  }
  m_usedIds.Remember(hello.clientId, connection->id, m_nowNs);
  connection->state = State::Open;
  connection->clientId = hello.clientId;
  connection->remoteId = hello.clientId;
  connection->address = from;
  connection->target = m_socket.ToSocket(from);
  connection->datagramBytes = std::min<std::size_t>(m_params.max_datagram_bytes, hello.maxDatagramBytes);
  connection->heardAtNs = m_nowNs;
  SendWelcome(*connection);
  Report(EventOf(*connection, MU_TRANSPORT_EVENT_CONNECTED));
}

bool UdpTransport::HandleOpening(Connection& connection, const Head& head, ByteReader& reader) {
  if (head.kind == Kind::Challenge) {
    const std::optional<std::uint64_t> cookie = ReadChallenge(reader);
    if (!cookie) {
      return false;
    }
    if (connection.state == State::Requesting) {
      connection.state = State::Responding;
      connection.cookie = *cookie;
      connection.cookieTriedNs = m_nowNs;
      connection.tries = 0;
      SendHello(connection);
    }
    return true;
  }
  if (head.kind == Kind::Refuse) {
    const std::optional<std::uint32_t> reason = ReadCode(reader);
    if (!reason || !connection.IsOpening()) {
      return false;
    }
    if (*reason == static_cast<std::uint32_t>(RefuseReason::OtherVersion)) {
      m_services.Log(MU_LOG_WARNING,
                     fmt::format("The server speaks another version of muster.transport.udp than {}.", kWireVersion));
    }
    End(connection, MU_DISCONNECT_REFUSED, 0);
    return true;
  }
  const std::optional<Welcome> welcome = ReadWelcome(reader);
  if (!welcome || connection.state == State::Requesting) {
    return false;
  }
  if (connection.state == State::Responding) {
    connection.state = State::Open;
    connection.remoteId = welcome->serverId;
    connection.datagramBytes = std::min<std::size_t>(m_params.max_datagram_bytes, welcome->maxDatagramBytes);
    connection.heardAtNs = m_nowNs;
    Report(EventOf(connection, MU_TRANSPORT_EVENT_CONNECTED));
  }
  return true;
}

bool UdpTransport::HandleData(Connection& connection, const Head& head, ByteReader& reader) {
  const std::optional<Data> data = ReadData(reader, head.flags);
  if (!data) {
    return false;
  }
  if (!connection.IsTalking()) {
    return true;  // overtook the answer that opens the connection; what is reliable comes again
  }
  if (!connection.arrived.Take(data->number)) {
    return true;  // came twice, or too late to know
  }
  if (data->ack && !connection.send.Acknowledge(*data->ack, m_nowNs)) {
    return false;
  }
  connection.heardAtNs = m_nowNs;
  if (data->ack) {
    MarkDirty(connection);  // what waited for room may go
  }
  if (data->frameCount > 0 && !TakeFrames(connection, *data)) {
    return false;
  }
  if (data->hasMessage && connection.state == State::Open) {
    ReportMessage(connection, MU_CHANNEL_UNRELIABLE, Keep(data->message));
  }
  return true;
}

bool UdpTransport::TakeFrames(Connection& connection, const Data& data) {
  connection.owesAck = true;
  MarkDirty(connection);
  bool isSound = true;
  std::span<const std::uint8_t> frames = data.frames;
  m_whole.clear();
  for (std::uint32_t i = 0; i < data.frameCount; ++i) {
    const ReliableReceive::Outcome outcome = connection.receive.Take(NextFrame(frames), m_whole);
    if (outcome == ReliableReceive::Outcome::Impossible) {
      m_services.Log(MU_LOG_WARNING,
                     fmt::format("{} sent a reliable message that cannot be or is larger than {} bytes; "
                                 "its connection is closed.",
                                 ToString(connection.address), m_params.max_message_bytes));
      ReportWhole(connection);  // what came before it came in order
      SendCode(connection, Kind::Close, 0);
      End(connection, MU_DISCONNECT_LOCAL, 0);
      return false;
    }
    isSound = isSound && outcome == ReliableReceive::Outcome::Taken;
  }
  ReportWhole(connection);
  return isSound;
}

void UdpTransport::ReportWhole(const Connection& connection) {
  if (connection.state == State::Open) {
    for (Message& message : m_whole) {
      ReportMessage(connection, MU_CHANNEL_RELIABLE, std::move(message));
    }
  }
}

bool UdpTransport::HandleClose(Connection& connection, const Head& head, ByteReader& reader) {
  if (head.kind == Kind::CloseAck) {
    const bool isExpected = reader.Rest().empty() && connection.state == State::Closing && connection.tries > 0;
    if (isExpected) {
      End(connection, MU_DISCONNECT_LOCAL, connection.closeCode);
    }
    return isExpected;
  }
  const std::optional<std::uint32_t> detail = ReadCode(reader);
  if (!detail) {
    return false;
  }
  if (connection.IsOpening()) {
    // The server changed its mind before its answer came; only it knows the id.
    End(connection, MU_DISCONNECT_REFUSED, *detail);
    return true;
  }
  const std::span<std::uint8_t> room = m_out.Begin(kHeadBytes);
  ByteWriter writer{room};
  WriteHead(writer, {Kind::CloseAck, 0, connection.remoteId});
  Commit(connection, writer.Size());
  End(connection, connection.state == State::Closing ? MU_DISCONNECT_LOCAL : MU_DISCONNECT_BY_PEER, *detail);
  return true;
}

}  // namespace muster::udp
