// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One connection after its handshake, the same on both ends: seals what goes out, opens what comes in, and keeps the
// acks of its packets.
#pragma once

#include "Core/Clock.h"
#include "Link/LinkStats.h"
#include "Protocol/Acks.h"
#include "Protocol/PacketHeader.h"
#include "Protocol/Sealing.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::link {

/// What a packet costs beside its message and the transport's framing.
inline constexpr std::size_t kPacketOverheadBytes = protocol::kSealOverheadBytes + protocol::kPacketHeaderBytes;
/// Largest datagram any transport is asked for; a sealed packet is smaller.
inline constexpr std::size_t kMaxDatagramBytes = 1400;

/// [net] on a server, the caller's thread on a client.
class PeerChannel {
 public:
  /// `own` is the direction of what this side sends.
  PeerChannel(const protocol::SessionKeys& keys, protocol::Direction own) noexcept;

  /// Writes packet `sequence` with the acks of this moment to `out`; returns its size. 0 for a sequence that does not
  /// rise, or a message that fits no datagram.
  std::size_t SealPacket(std::uint32_t sequence, std::span<const std::byte> message, MonotonicTime now,
                         std::span<std::byte> out) noexcept;
  /// The transport took it.
  void PacketLeft(std::uint32_t sequence, MonotonicTime now) noexcept { m_sent.OnSent(sequence, now); }

  /// `out` holds `message.size() + kSealOverheadBytes`; returns its size.
  std::size_t SealReliable(std::span<const std::byte> message, std::span<std::byte> out) noexcept;

  struct Packet {
    protocol::PacketHeader header{};
    std::span<const std::byte> message{};  ///< within `scratch`
  };

  /// Opens a packet into `scratch` (as large as the envelope). It counts as received only after Accept: a packet that
  /// is dropped for want of room behind is never acknowledged.
  DropReason OpenPacket(std::span<const std::byte> envelope, std::span<std::byte> scratch, Packet& packet) noexcept;
  /// What the header says about our packets; nothing when it claims what cannot be.
  std::optional<protocol::AckReport> TakeAcks(const protocol::PacketHeader& header, MonotonicTime now) noexcept;
  void Accept(std::uint32_t sequence, MonotonicTime now) noexcept;

  struct Reliable {
    std::span<const std::byte> message{};
    bool gap = false;  ///< genuine, but the one before it is missing
  };
  DropReason OpenReliable(std::span<const std::byte> envelope, std::span<std::byte> scratch,
                          Reliable& reliable) noexcept;

  /// Nothing for a hold too long to be told.
  static std::optional<std::chrono::microseconds> HoldOf(const protocol::PacketHeader& header) noexcept;

 private:
  protocol::Sealer m_packetSealer;
  protocol::Sealer m_reliableSealer;
  protocol::Opener m_packetOpener;
  protocol::Opener m_reliableOpener;
  protocol::ReceiveWindow m_received;
  protocol::SendWindow m_sent;
  MonotonicTime m_newestReceivedAt{};
  std::uint64_t m_nextReliable = 1;
};

}  // namespace muster::link
