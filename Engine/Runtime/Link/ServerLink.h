// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server's end of all connections: everything between the transport's socket and plaintext messages on a ring.
//
//   ServerLink link(transportTable, config, clock, log);
//   Result<mu_address> bound = link.Listen(address);      // [main], before the network thread starts
//   NetworkThread network(link, log);                     // or call Service() yourself, on virtual time
//
//   LinkEvent event;                                      // [sim], every tick
//   while (link.PollEvent(event)) { ... }
//   link.SendPacket(peer, sequence, message);
//   link.Wake();                                          // after the tick's last send
//
// Two threads meet here and only over rings: one [sim] thread polls and sends, one [net] thread services. A steady
// tick allocates nothing on either. Nothing here looks into sealed messages.
//
// Drops are counted by reason (LinkStats). Garbage that fails its seal is never blamed on a peer, because anybody can
// send it in a peer's name; what a peer's own key sealed is.
#pragma once

#include "Core/Clock.h"
#include "Core/Ids.h"
#include "Core/Log.h"
#include "Core/Result.h"
#include "Link/LinkEvent.h"
#include "Link/LinkStats.h"
#include "Link/TransportHandle.h"
#include "Protocol/WireIdentity.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace muster::link {

inline constexpr ErrorCode kSealingUnavailable{3104, "SealingUnavailable"};

struct ServerLinkConfig {
  protocol::WireIdentity identity{};

  std::uint32_t maxPeers = 32;             ///< 1..4000 connections with a finished handshake
  std::uint32_t maxHalfOpen = 64;          ///< 1..96 connections in the middle of it
  std::uint32_t maxConnectionsPerIp = 0;   ///< 0: no limit
  std::uint32_t maxDatagramBytes = 1200;   ///< 576..1400, all headers included
  std::uint32_t maxMessageBytes = 65'536;  ///< largest reliable message, seal included
  std::uint32_t reliableBacklogBytes = 262'144;
  std::chrono::milliseconds silenceTimeout{10'000};
  std::chrono::milliseconds handshakeTimeout{5'000};

  /// Packets an honest client sends in a second; the flood limit is this times `floodMultiplier`.
  std::uint32_t packetsPerSecond = 60;
  std::uint32_t floodMultiplier = 3;
  /// Bytes of messages a peer may send in a second.
  std::uint32_t bytesPerSecond = 131'072;
  /// Genuine messages that do not decode before a peer is closed; one is forgiven every second.
  std::uint32_t malformedLimit = 10;

  /// Datagrams per second (and at once) that one address may send for connections without a finished handshake. A join
  /// takes about eight. Swarms on one machine need more than the default.
  std::uint32_t preHandshakeDatagramsPerSecond = 40;
  /// Key exchanges in one service pass; about 0.2 ms each.
  std::uint32_t keyExchangesPerPass = 4;

  std::size_t eventRingBytes = std::size_t{4} << 20;
  std::size_t commandRingBytes = std::size_t{8} << 20;
  /// Reliable messages and events that did not fit their ring wait in memory up to this many bytes each way.
  std::size_t overflowBytes = std::size_t{16} << 20;
};

class ServerLink {
 public:
  /// `clock` and the log's sink outlive the link. Opens nothing yet.
  ServerLink(TransportSource transport, ServerLinkConfig config, const IClock& clock, const Logger& log);
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;
  /// Closes sockets at once, tells nobody; the network thread has ended before.
  ~ServerLink();

  /// The address really bound. Says in the log that nobody's identity is proven yet, louder if other machines can reach
  /// it. Fails with kAddressInUse, kTransportFailed, kSealingUnavailable. [main], before the first Service.
  Result<mu_address> Listen(const mu_address& bind);

  // The simulation's side -------------------------------------------------------------------------------------------

  /// The next event; false when there is none. Spans in `event` live until the next call. [sim]
  bool PollEvent(LinkEvent& event);

  /// Sends a message as packet `sequence` (1, 2, 3, ... per peer, given by the caller). Lost like any packet if it does
  /// not fit a queue or a datagram, and counted. [sim]
  void SendPacket(PeerId peer, std::uint32_t sequence, std::span<const std::byte> message);

  /// Sends a message once and in order, as long as the connection lasts; up to maxMessageBytes less the seal. [sim]
  void SendReliable(PeerId peer, std::span<const std::byte> message);

  /// Closes after what was sent reliably before. A Disconnected event with `reason` follows. [sim]
  void Disconnect(PeerId peer, DisconnectReason reason);

  /// Tells of a genuine message that did not decode; too many close the peer as Malformed. [sim]
  void ReportMalformed(PeerId peer);

  /// Lets the network thread see what was sent. Once after a tick's sends. [sim]
  void Wake();

  /// Largest message that SendPacket can carry, given the whole datagram's limit. [any]
  [[nodiscard]] std::size_t MaxPacketMessageBytes() const noexcept;
  /// What a packet costs beside its message: transport framing, seal and packet header. [any]
  [[nodiscard]] std::size_t PacketOverheadBytes() const noexcept;

  // The network thread's side ---------------------------------------------------------------------------------------

  /// One pass: sends what waits, receives what came, times out what is due. Never blocks. [net]
  void Service();

  /// Descriptors that become readable when Service has something to do; -1 for none. [net]
  [[nodiscard]] int TransportWaitHandle() const;
  [[nodiscard]] int WakeHandle() const noexcept;
  /// True when a pass left work for the next one at once. [net]
  [[nodiscard]] bool HasWork() const noexcept;

  /// [any]
  [[nodiscard]] LinkStats Stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace muster::link
