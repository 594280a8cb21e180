// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/Acks.h"

#include "Core/Assert.h"

#include <algorithm>

namespace muster::protocol {

ReceiveWindow::Verdict ReceiveWindow::Check(std::uint32_t sequence) const noexcept {
  if (sequence == 0) {
    return Verdict::TooOld;
  }
  if (sequence > m_newest) {
    return Verdict::New;
  }
  if (sequence == m_newest) {
    return Verdict::Duplicate;
  }
  const std::uint32_t behind = m_newest - sequence;
  if (behind >= kAckWindow) {
    return Verdict::TooOld;
  }
  return (m_mask >> (behind - 1) & 1u) != 0 ? Verdict::Duplicate : Verdict::New;
}

ReceiveWindow::Verdict ReceiveWindow::Receive(std::uint32_t sequence) noexcept {
  const Verdict verdict = Check(sequence);
  if (verdict != Verdict::New) {
    return verdict;
  }
  if (sequence < m_newest) {
    m_mask |= std::uint64_t{1} << (m_newest - sequence - 1);
    return verdict;
  }
  // The old newest moves to bit (ahead - 1); a packet that was never there has no bit.
  const std::uint32_t ahead = sequence - m_newest;
  m_mask = ahead < 64 ? m_mask << ahead : 0;
  if (m_newest != 0 && ahead <= 64) {
    m_mask |= std::uint64_t{1} << (ahead - 1);
  }
  m_newest = sequence;
  return verdict;
}

void SendWindow::OnSent(std::uint32_t sequence, MonotonicTime at) noexcept {
  MUSTER_ASSERT(sequence > m_newestSent, "sequences rise");
  ++m_sent;
  if (sequence > kInFlight) {
    AbandonBelow(sequence - kInFlight + 1);
  }
  m_newestSent = sequence;
  At(sequence) = {sequence, at};
}

void SendWindow::AbandonBelow(std::uint32_t sequence) noexcept {
  if (sequence <= m_lostBelow) {
    return;
  }
  // Whatever waits is among the last kInFlight sequences up to the newest sent; a leap may go far beyond that one.
  const std::uint32_t oldest = m_newestSent >= kInFlight ? m_newestSent - kInFlight + 1 : 1;
  const std::uint32_t newest = std::min(sequence - 1, m_newestSent);
  for (std::uint32_t s = std::max(m_lostBelow, oldest); s <= newest; ++s) {
    InFlight& entry = At(s);
    if (entry.sequence == s) {
      entry.sequence = 0;
      ++m_lost;
    }
  }
  m_lostBelow = sequence;
}

std::optional<AckReport> SendWindow::OnAck(std::uint32_t ack, std::uint64_t mask,
                                           std::optional<std::chrono::microseconds> hold, MonotonicTime now) noexcept {
  if (ack > m_newestSent) {
    return std::nullopt;
  }
  // Bit i of the mask means ack - 1 - i; none of these may be before the first sequence.
  const std::uint32_t earlier = ack == 0 ? 0 : ack - 1;
  if (earlier < 64 && mask >> earlier != 0) {
    return std::nullopt;
  }
  AckReport report;
  report.newest = ack;
  report.lostBelow = m_lostBelow;
  if (ack == 0) {
    return report;
  }
  for (std::uint32_t i = 0; i < kAckWindow && i < ack; ++i) {
    const bool received = i == 0 || (mask >> (i - 1) & 1u) != 0;
    InFlight& entry = At(ack - i);
    if (!received || entry.sequence != ack - i) {
      continue;
    }
    if (i == 0 && hold.has_value()) {
      const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(now - entry.sentAt);
      report.roundTrip = std::max(elapsed - *hold, std::chrono::microseconds{0});
    }
    entry.sequence = 0;
    report.newlyAcked |= std::uint64_t{1} << i;
    ++m_acked;
  }
  m_newestAck = std::max(m_newestAck, ack);
  if (m_newestAck >= kAckWindow) {
    AbandonBelow(m_newestAck - kAckWindow + 1);
  }
  report.newlyLost = static_cast<std::uint32_t>(m_lost - m_reportedLost);
  m_reportedLost = m_lost;
  report.lostBelow = m_lostBelow;
  return report;
}

}  // namespace muster::protocol
