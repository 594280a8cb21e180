// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ReliableSend.h"

#include <algorithm>
#include <utility>

namespace muster::udp {

namespace {

constexpr std::uint64_t kSmallestCharge = 64;
constexpr double kSmallestWindow = 4;
/// A piece is taken for lost when so many datagrams that left later have arrived.
constexpr std::uint64_t kOvertakenBy = 3;
/// Whoever drives the other end may answer once a tick only.
constexpr std::uint64_t kShortestResendNs = 60'000'000;
constexpr std::uint64_t kLongestResendNs = 2'000'000'000;
constexpr std::uint32_t kMostDoublings = 5;

}  // namespace

std::uint64_t ReliableSend::ChargeOf(std::uint64_t messageBytes) noexcept {
  return std::max(messageBytes, kSmallestCharge);
}

void ReliableSend::Queue(std::span<const std::uint8_t> message, std::size_t pieceBytes) {
  std::uint64_t left = ChargeOf(message.size());
  m_backlogBytes += left;
  bool isFirst = true;
  do {
    const std::span<const std::uint8_t> bytes = message.first(std::min(pieceBytes, message.size()));
    message = message.subspan(bytes.size());
    Piece piece;
    piece.bytes.assign(bytes.begin(), bytes.end());
    piece.isFirst = std::exchange(isFirst, false);
    piece.isLast = message.empty();
    piece.charge = piece.isLast ? left : bytes.size();
    left -= piece.charge;
    m_pieces.push_back(std::move(piece));
  } while (!message.empty());
}

bool ReliableSend::MayGrow() const noexcept {
  return m_sent < m_pieces.size() && m_sent < kReliableWindow && HasWindow();
}

bool ReliableSend::HasWindow() const noexcept {
  return m_underWay < static_cast<std::uint32_t>(m_window);
}

bool ReliableSend::HasDue() const noexcept {
  return (m_lost > 0 && HasWindow()) || MayGrow();
}

std::uint32_t ReliableSend::WriteDue(ByteWriter& writer, std::uint64_t nowNs) {
  std::uint32_t written = 0;
  ++m_datagrams;
  for (std::uint32_t i = 0; m_lost > 0 && i < m_sent && written < kMaxFrames && HasWindow(); ++i) {
    if (!m_pieces[i].isLost) {
      continue;
    }
    if (!WriteOne(writer, i, nowNs)) {
      return written;
    }
    m_pieces[i].isLost = false;
    --m_lost;
    ++m_resent;
    ++written;
  }
  while (written < kMaxFrames && MayGrow() && WriteOne(writer, m_sent, nowNs)) {
    ++m_sent;
    ++written;
  }
  return written;
}

bool ReliableSend::WriteOne(ByteWriter& writer, std::uint32_t index, std::uint64_t nowNs) {
  Piece& piece = m_pieces[index];
  if (writer.Room() < kFrameHeadBytes + piece.bytes.size()) {
    return false;
  }
  WriteFrame(writer, {m_base + index, piece.isFirst, piece.isLast, piece.bytes});
  piece.datagram = m_datagrams;
  piece.sentAtNs = nowNs;
  piece.resendAtNs =
      nowNs + std::min(m_resendAfterNs << std::min(piece.sends, kMostDoublings), std::uint64_t{kLongestResendNs});
  ++piece.sends;
  ++m_underWay;
  m_nextTimerNs = std::min(m_nextTimerNs, piece.resendAtNs);
  return true;
}

bool ReliableSend::Acknowledge(const Ack& ack, std::uint64_t nowNs) {
  const auto before = static_cast<std::int32_t>(ack.next - m_base);
  if (before < 0) {
    return true;  // overtaken by a newer one
  }
  const auto cumulative = static_cast<std::uint32_t>(before);
  // Bit i is the piece after `next` by 1 + i; a set one must have been sent.
  const std::uint32_t firstUnknownBit = m_sent > cumulative ? m_sent - cumulative - 1 : 0;
  if (cumulative > m_sent) {
    return false;
  }
  for (std::uint32_t bit = firstUnknownBit; bit < ack.wordCount * 64U; ++bit) {
    if (ack.Has(bit)) {
      return false;
    }
  }
  for (std::uint32_t i = 0; i < cumulative; ++i) {
    Arrived(m_pieces[i], nowNs);
  }
  for (std::uint32_t bit = 0; bit < firstUnknownBit; ++bit) {
    if (ack.Has(bit)) {
      Arrived(m_pieces[cumulative + 1 + bit], nowNs);
    }
  }
  while (!m_pieces.empty() && m_pieces.front().isAcknowledged) {
    m_backlogBytes -= m_pieces.front().charge;
    m_pieces.pop_front();
    ++m_base;
    --m_sent;
  }
  FindOvertaken(nowNs);
  return true;
}

void ReliableSend::Arrived(Piece& piece, std::uint64_t nowNs) {
  if (piece.isAcknowledged) {
    return;
  }
  piece.isAcknowledged = true;
  if (piece.isLost) {
    piece.isLost = false;
    --m_lost;
  } else {
    --m_underWay;
  }
  // Of a piece that was sent twice nobody knows which one is acknowledged (Karn).
  if (piece.sends == 1) {
    m_newestAcknowledged = std::max(m_newestAcknowledged, piece.datagram);
    Measure(nowNs - piece.sentAtNs);
  }
  m_window = std::min<double>(kReliableWindow, m_window + (m_window < m_slowStartUntil ? 1.0 : 1.0 / m_window));
}

void ReliableSend::FindOvertaken(std::uint64_t nowNs) {
  for (std::uint32_t i = 0; i < m_sent; ++i) {
    Piece& piece = m_pieces[i];
    if (!piece.isAcknowledged && !piece.isLost && piece.datagram + kOvertakenBy <= m_newestAcknowledged) {
      Lose(piece);
      SlowDown(nowNs, false);
    }
  }
}

void ReliableSend::CheckTimers(std::uint64_t nowNs) {
  if (nowNs < m_nextTimerNs) {
    return;
  }
  m_nextTimerNs = UINT64_MAX;
  for (std::uint32_t i = 0; i < m_sent; ++i) {
    Piece& piece = m_pieces[i];
    if (piece.isAcknowledged || piece.isLost) {
      continue;
    }
    if (nowNs >= piece.resendAtNs) {
      Lose(piece);
      SlowDown(nowNs, true);
    } else {
      m_nextTimerNs = std::min(m_nextTimerNs, piece.resendAtNs);
    }
  }
}

void ReliableSend::Lose(Piece& piece) {
  piece.isLost = true;
  ++m_lost;
  --m_underWay;
}

void ReliableSend::SlowDown(std::uint64_t nowNs, bool isTimeout) {
  // Losses of one round trip are one event.
  if (nowNs < m_slowedAtNs + m_roundTripNs) {
    return;
  }
  m_slowedAtNs = nowNs;
  m_slowStartUntil = std::max(m_window / 2, kSmallestWindow);
  m_window = isTimeout ? kSmallestWindow : m_slowStartUntil;
}

void ReliableSend::Measure(std::uint64_t roundTripNs) {
  if (m_roundTripNs == 0) {
    m_roundTripNs = std::max<std::uint64_t>(roundTripNs, 1);
    m_deviationNs = roundTripNs / 2;
  } else {
    const std::uint64_t difference =
        roundTripNs > m_roundTripNs ? roundTripNs - m_roundTripNs : m_roundTripNs - roundTripNs;
    m_deviationNs = (3 * m_deviationNs + difference) / 4;
    m_roundTripNs = std::max<std::uint64_t>((7 * m_roundTripNs + roundTripNs) / 8, 1);
  }
  m_resendAfterNs = std::clamp(m_roundTripNs + 4 * m_deviationNs, kShortestResendNs, kLongestResendNs);
}

std::uint64_t ReliableSend::TakeResent() noexcept {
  return std::exchange(m_resent, 0);
}

}  // namespace muster::udp
