// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "Connection.h"
#include "Cookie.h"
#include "PluginApi/Plugin.h"
#include "Socket.h"
#include "UsedIds.h"
#include "Wire.h"

namespace muster::udp {

/// muster.transport/0 over plain UDP datagrams. One instance is one socket, IPv4 or IPv6 or, bound to ::, both.
///
/// A stranger gets an answer no longer than what he sent, and nothing is kept of him until he has shown with a cookie
/// that he receives at his address. Every field of every datagram is checked before any of it is used.
///
/// Threads: all calls of one instance come from one thread at a time; instances share nothing.
class UdpTransport {
 public:
  /// Throws plugin::Failure for parameters outside the ranges of Transport.h, and when the kernel has no random numbers.
  UdpTransport(const plugin::Host& host, const mu_transport_params& params);
  UdpTransport(const UdpTransport&) = delete;
  UdpTransport& operator=(const UdpTransport&) = delete;

  static std::uint32_t UnreliableOverheadBytes() { return kDataHeadBytes; }

  mu_status Listen(const mu_address& bind, mu_address& bound);
  mu_status Connect(const mu_address& remote, mu_connection& out);
  mu_status Service(std::span<mu_transport_event> events, std::uint32_t& count);
  void Send(std::span<mu_transport_send> items);
  void Flush();
  void Disconnect(mu_connection connection, std::uint32_t detail);
  std::int32_t WaitHandle() { return m_socket.Handle(); }
  void Stats(mu_transport_stats& out);

 private:
  using Message = std::vector<std::uint8_t>;

  /// An event that waits for room, with the message that it owns.
  struct Pending {
    mu_transport_event event{};
    Message message;
  };
  /// The events of one service.
  struct EventWriter {
    std::span<mu_transport_event> events;
    std::uint32_t count = 0;
    [[nodiscard]] bool IsFull() const { return count == events.size(); }
  };

  void AdvanceTime();

  // Receiving (UdpReceive.cpp).
  void HandleDatagram(const ReceiveBatch::Datagram& datagram);
  bool PassesGate(const ReceiveBatch::Datagram& datagram);
  /// False: counted as a datagram that is none of ours.
  bool Understand(const ReceiveBatch::Datagram& datagram);
  bool HandleHello(const mu_address& from, const Hello& hello, Kind kind);
  void Answer(const mu_address& to, std::span<const std::uint8_t> bytes);
  void Admit(const mu_address& from, const Hello& hello);
  void RefuseStranger(const mu_address& to, std::uint64_t clientId, RefuseReason reason);
  /// Null when every place is taken, also by giving up a farewell that nobody answers.
  Connection* OpenForStranger();
  bool HandleOpening(Connection& connection, const Head& head, ByteReader& reader);
  bool HandleData(Connection& connection, const Head& head, ByteReader& reader);
  bool TakeFrames(Connection& connection, const Data& data);
  /// Hands on the messages in m_whole.
  void ReportWhole(const Connection& connection);
  bool HandleClose(Connection& connection, const Head& head, ByteReader& reader);

  // Events.
  mu_transport_event EventOf(const Connection& connection, std::uint32_t kind) const;
  void Report(const mu_transport_event& event, Message message = {});
  /// A copy, in memory that an earlier message has left behind if there is some.
  Message Keep(std::span<const std::uint8_t> bytes);
  void ReleaseMessages();
  void ReportMessage(const Connection& connection, std::uint32_t channel, Message message);
  void EmitPending(EventWriter& out);
  void End(Connection& connection, std::uint32_t code, std::uint32_t detail);

  // Sending (UdpSend.cpp).
  mu_status SendUnreliable(Connection& connection, const mu_bytes& message);
  mu_status SendReliable(Connection& connection, const mu_bytes& message);
  [[nodiscard]] std::size_t PieceBytes(const Connection& connection) const;
  void MarkDirty(Connection& connection);
  void WriteTalk(Connection& connection);
  void SendHello(Connection& connection);
  void SendWelcome(Connection& connection);
  void SendCode(Connection& connection, Kind kind, std::uint32_t code);
  void Commit(Connection& connection, std::size_t size);
  void SendQueued();

  // Limits that time enforces (UdpHousekeeping.cpp).
  void KeepHouse();
  void KeepOpening(Connection& connection);
  void KeepTalking(Connection& connection);
  void KeepClosing(Connection& connection);

  plugin::Host m_services;
  mu_transport_params m_params;
  SipKey m_key;
  CookieMint m_mint;
  ConnectionTable m_connections;
  UdpSocket m_socket;
  bool m_isListening = false;
  ReceiveBatch m_batch;
  SendBatch m_out;
  std::vector<mu_connection> m_dirty;
  std::deque<Pending> m_pending;
  std::vector<Message> m_handedOut;  ///< messages of the last service
  std::vector<Message> m_spare;      ///< their memory, for the next ones
  std::vector<Message> m_whole;      ///< scratch of TakeFrames
  UsedIds m_usedIds;
  std::array<std::uint8_t, ReceiveBatch::kBufferBytes> m_reply{};
  mu_transport_stats m_stats{};
  std::uint64_t m_timeoutNs = 0;
  std::uint64_t m_hostNs = 0;
  std::uint64_t m_nowNs = 0;  ///< like the host's clock, but a pause of this process counts for at most a second
  std::uint64_t m_keptHouseAtNs = 0;
};

}  // namespace muster::udp
