// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the link counts. Everything that arrives and is not handed on is counted under exactly one reason.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::link {

/// Why something from the network was dropped.
enum class DropReason : std::uint8_t {
  None = 0,
  // at the gate, before the transport keeps any state
  GateBadSource,       ///< port 0, broadcast, multicast or unspecified source
  GateOversize,        ///< larger than the largest datagram
  GateEmpty,           ///< no bytes
  GateAddressBudget,   ///< more from an address without a finished handshake than it may send
  GateEndpointBudget,  ///< more from a peer's own address than any honest peer sends
  // before the seal was opened
  UnknownConnection,      ///< of a connection that is gone or was refused
  HalfOpenLimit,          ///< too many connections in the middle of their handshake
  HandshakeMalformed,     ///< no hello this version can read
  HandshakeUnexpected,    ///< in clear where nothing in clear may come
  HandshakeRefused,       ///< a hello that was answered with a refusal
  HandshakeTimeout,       ///< a connection that never finished its handshake
  SealedBeforeHandshake,  ///< sealed, but there are no keys yet
  PeerBudget,             ///< more packets from a connection than are opened for it
  EnvelopeMalformed,      ///< neither kind of envelope
  Forged,                 ///< the seal does not fit
  Replayed,               ///< a counter that was seen
  TooOld,                 ///< a counter before the replay window
  // after the seal was opened
  PacketMalformed,   ///< no packet header, or no message behind it
  PacketTooOld,      ///< a packet before the window that can still be acknowledged
  AckImpossible,     ///< acknowledges what was never sent
  MessageEmpty,      ///< a reliable message without a byte
  MessageFlood,      ///< more genuine messages or bytes than the peer may send
  MessageMalformed,  ///< reported by who decoded it
  EventQueueFull     ///< the simulation does not keep up
};

inline constexpr std::size_t kDropReasonCount = 25;

/// `gate_bad_source`, ...: names for logs and metrics. [any]
std::string_view ToString(DropReason reason) noexcept;

/// Why something of ours was not sent.
enum class SendDropReason : std::uint8_t {
  None = 0,
  NotConnected,   ///< the peer is gone or going
  WouldFragment,  ///< a packet larger than a datagram
  Backlog,        ///< the peer does not take its reliable messages; it is closed
  QueueFull,      ///< the network thread does not keep up
  Refused         ///< the transport refused for another reason
};

inline constexpr std::size_t kSendDropReasonCount = 6;

std::string_view ToString(SendDropReason reason) noexcept;

/// A copy of the counters at one moment; they only grow, but for `peers` and `halfOpen`.
struct LinkStats {
  std::uint32_t peers = 0;     ///< with a finished handshake
  std::uint32_t halfOpen = 0;  ///< in the middle of it

  // What the socket really did, as the transport counts it. Bytes are UDP payload.
  std::uint64_t datagramsIn = 0, datagramsOut = 0;
  std::uint64_t bytesIn = 0, bytesOut = 0;
  std::uint64_t receiveErrors = 0, sendErrors = 0, reliableResent = 0, refusedConnections = 0;
  std::uint64_t gateDropped = 0;

  std::uint64_t packetsIn = 0, packetsOut = 0;    ///< genuine, handed on; handed to the transport
  std::uint64_t messagesIn = 0, messagesOut = 0;  ///< on the reliable channel
  std::uint64_t packetsAcked = 0, packetsLost = 0;
  std::uint64_t connected = 0, disconnected = 0, refused = 0;
  std::uint64_t serviceErrors = 0;  ///< the transport's service failed and was called again later

  std::array<std::uint64_t, kDropReasonCount> dropped{};
  std::array<std::uint64_t, kSendDropReasonCount> sendDropped{};

  [[nodiscard]] std::uint64_t Dropped(DropReason reason) const noexcept {
    return dropped[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] std::uint64_t SendDropped(SendDropReason reason) const noexcept {
    return sendDropped[static_cast<std::size_t>(reason)];
  }
  /// All reasons together.
  [[nodiscard]] std::uint64_t DroppedTotal() const noexcept;
};

}  // namespace muster::link
