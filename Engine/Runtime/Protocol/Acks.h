// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which packets arrived. The receiver remembers what came (ReceiveWindow) and says so in the header of every packet it
// sends; the sender learns from those headers what was received and what is lost (SendWindow).
//
// Only an explicit ack means "received". The window is 64 sequences wide, the newest included: a sequence that is not
// acknowledged when the newest acknowledged one is 64 ahead of it is lost, and stays lost whatever arrives later. So
// every sequence gets exactly one verdict.
#pragma once

#include "Core/Clock.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace muster::protocol {

inline constexpr std::uint32_t kAckWindow = 64;

/// The receiving side of one peer. [net]
class ReceiveWindow {
 public:
  enum class Verdict : std::uint8_t { New, Duplicate, TooOld };

  /// What `Receive` would say, without remembering it.
  [[nodiscard]] Verdict Check(std::uint32_t sequence) const noexcept;
  /// Remembers a packet that is really taken. `sequence` 0 is TooOld.
  Verdict Receive(std::uint32_t sequence) noexcept;

  /// Newest received, 0 for none.
  [[nodiscard]] std::uint32_t Ack() const noexcept { return m_newest; }
  /// Bit i: `Ack() - 1 - i` was received too.
  [[nodiscard]] std::uint64_t Mask() const noexcept { return m_mask; }

 private:
  std::uint32_t m_newest = 0;
  std::uint64_t m_mask = 0;
};

/// What one header taught the sender.
struct AckReport {
  std::uint32_t newest = 0;      ///< the header's ack
  std::uint64_t newlyAcked = 0;  ///< bit i: `newest - i` is known to be received since this header, and was not before
  std::uint32_t lostBelow = 0;   ///< every sequence below it that no report named is lost
  std::uint32_t newlyLost = 0;   ///< how many became lost since the last report
  /// Time from sending `newest` to this header, less the time the other side held it; only with the header that
  /// first acknowledged it.
  std::optional<std::chrono::microseconds> roundTrip{};
};

/// The sending side of one peer. [net]
class SendWindow {
 public:
  /// How many packets may be under way; older ones without an ack are lost. 8.5 s at 60 Hz.
  static constexpr std::uint32_t kInFlight = 512;

  /// Remembers a packet that really left. Sequences rise; gaps (packets that never left) count as neither acked nor
  /// lost.
  void OnSent(std::uint32_t sequence, MonotonicTime at) noexcept;

  /// Takes the acks of a header that arrived `now`. Nothing when the header claims what cannot be: a sequence that was
  /// never given out, or one before the first.
  [[nodiscard]] std::optional<AckReport> OnAck(std::uint32_t ack, std::uint64_t mask,
                                               std::optional<std::chrono::microseconds> hold,
                                               MonotonicTime now) noexcept;

  [[nodiscard]] std::uint32_t NewestSent() const noexcept { return m_newestSent; }
  [[nodiscard]] std::uint64_t Sent() const noexcept { return m_sent; }
  [[nodiscard]] std::uint64_t Acked() const noexcept { return m_acked; }
  [[nodiscard]] std::uint64_t Lost() const noexcept { return m_lost; }

 private:
  struct InFlight {
    std::uint32_t sequence = 0;  ///< 0: nothing waits here
    MonotonicTime sentAt{};
  };

  [[nodiscard]] InFlight& At(std::uint32_t sequence) noexcept { return m_inFlight[sequence % kInFlight]; }
  void AbandonBelow(std::uint32_t sequence) noexcept;

  std::array<InFlight, kInFlight> m_inFlight{};
  std::uint32_t m_newestSent = 0;
  std::uint32_t m_newestAck = 0;
  std::uint32_t m_lostBelow = 1;
  std::uint64_t m_sent = 0;
  std::uint64_t m_acked = 0;
  std::uint64_t m_lost = 0;
  std::uint64_t m_reportedLost = 0;
};

}  // namespace muster::protocol
