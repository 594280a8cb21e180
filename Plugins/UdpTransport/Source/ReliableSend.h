// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The sending half of the reliable channel: messages are cut into numbered pieces, each is sent until it is
// acknowledged. How many are under way follows the losses (slow start, then one more a round trip, half at a loss),
// when a piece is sent again follows the round trip (RFC 6298), doubling each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "Wire.h"

namespace muster::udp {

class ReliableSend {
 public:
  explicit ReliableSend(std::uint32_t first = 0) : m_base{first} {}

  /// What a message counts for: empty ones must not fill the memory for free.
  [[nodiscard]] static std::uint64_t ChargeOf(std::uint64_t messageBytes) noexcept;

  /// `pieceBytes` is what one datagram has room for.
  void Queue(std::span<const std::uint8_t> message, std::size_t pieceBytes);
  /// Charges of all messages not wholly acknowledged.
  [[nodiscard]] std::uint64_t BacklogBytes() const noexcept { return m_backlogBytes; }
  [[nodiscard]] bool IsEmpty() const noexcept { return m_pieces.empty(); }

  /// Whether a datagram with pieces should leave now.
  [[nodiscard]] bool HasDue() const noexcept;
  /// Writes the pieces that are due and fit; they count as sent. Returns how many.
  std::uint32_t WriteDue(ByteWriter& writer, std::uint64_t nowNs);
  /// False for an acknowledgement of what was never sent; it changes nothing.
  bool Acknowledge(const Ack& ack, std::uint64_t nowNs);
  /// Finds what has waited too long for its acknowledgement.
  void CheckTimers(std::uint64_t nowNs);

  /// Pieces sent more than once, since the last call.
  [[nodiscard]] std::uint64_t TakeResent() noexcept;
  [[nodiscard]] std::uint64_t ResendAfterNs() const noexcept { return m_resendAfterNs; }

 private:
  struct Piece {
    std::vector<std::uint8_t> bytes;
    bool isFirst = false;
    bool isLast = false;
    bool isAcknowledged = false;
    bool isLost = false;  ///< to be sent again
    std::uint32_t sends = 0;
    std::uint64_t charge = 0;
    std::uint64_t datagram = 0;  ///< the last one that carried it
    std::uint64_t sentAtNs = 0;
    std::uint64_t resendAtNs = 0;
  };

  [[nodiscard]] bool MayGrow() const noexcept;
  [[nodiscard]] bool HasWindow() const noexcept;
  bool WriteOne(ByteWriter& writer, std::uint32_t index, std::uint64_t nowNs);
  void Arrived(Piece& piece, std::uint64_t nowNs);
  void FindOvertaken(std::uint64_t nowNs);
  void Lose(Piece& piece);
  void SlowDown(std::uint64_t nowNs, bool isTimeout);
  void Measure(std::uint64_t roundTripNs);

  std::deque<Piece> m_pieces;  ///< the first one is `m_base`; acknowledged ones leave from the front
  std::uint32_t m_base;
  std::uint32_t m_sent = 0;      ///< how many of them have been sent at least once
  std::uint32_t m_underWay = 0;  ///< sent, neither acknowledged nor given up
  std::uint32_t m_lost = 0;
  std::uint64_t m_backlogBytes = 0;
  std::uint64_t m_resent = 0;
  std::uint64_t m_datagrams = 0;
  std::uint64_t m_newestAcknowledged = 0;  ///< number of the latest datagram known to have arrived
  std::uint64_t m_nextTimerNs = UINT64_MAX;
  double m_window = 16;
  double m_slowStartUntil = kReliableWindow;
  std::uint64_t m_slowedAtNs = 0;
  std::uint64_t m_roundTripNs = 0;  ///< smoothed; zero: not measured yet
  std::uint64_t m_deviationNs = 0;
  std::uint64_t m_resendAfterNs = 300'000'000;
};

}  // namespace muster::udp
