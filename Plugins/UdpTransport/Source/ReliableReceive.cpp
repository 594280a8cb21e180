// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ReliableReceive.h"

#include <utility>

namespace muster::udp {

ReliableReceive::Outcome ReliableReceive::Take(const Frame& frame, std::vector<std::vector<std::uint8_t>>& whole) {
  const auto ahead = static_cast<std::int32_t>(frame.sequence - m_next);
  if (ahead < 0) {
    return Outcome::Taken;
  }
  if (static_cast<std::uint32_t>(ahead) >= kReliableWindow) {
    return Outcome::Outside;
  }
  if (ahead > 0) {
    if (m_early.empty()) {
      m_early.resize(kReliableWindow);
    }
    Early& early = m_early[frame.sequence % kReliableWindow];
    if (!early.isHere) {
      early = Early{true, frame.isFirst, frame.isLast, {frame.bytes.begin(), frame.bytes.end()}};
      ++m_earlyCount;
    }
    return Outcome::Taken;
  }
  if (!Append(frame, whole)) {
    return Outcome::Impossible;
  }
  while (m_earlyCount > 0 && m_early[m_next % kReliableWindow].isHere) {
    const Early early = std::exchange(m_early[m_next % kReliableWindow], Early{});
    --m_earlyCount;
    if (!Append({m_next, early.isFirst, early.isLast, early.bytes}, whole)) {
      return Outcome::Impossible;
    }
  }
  return Outcome::Taken;
}

bool ReliableReceive::Append(const Frame& frame, std::vector<std::vector<std::uint8_t>>& whole) {
  if (frame.isFirst == m_isInMessage || m_partial.size() + frame.bytes.size() > m_maxMessageBytes) {
    return false;
  }
  ++m_next;
  m_partial.insert(m_partial.end(), frame.bytes.begin(), frame.bytes.end());
  m_isInMessage = !frame.isLast;
  if (frame.isLast) {
    whole.push_back(std::exchange(m_partial, {}));
  }
  return true;
}

Ack ReliableReceive::MakeAck() const {
  Ack ack;
  ack.next = m_next;
  for (std::uint32_t left = m_earlyCount, bit = 0; left > 0 && bit + 1 < kReliableWindow; ++bit) {
    if (m_early[(m_next + 1 + bit) % kReliableWindow].isHere) {
      ack.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
      ack.wordCount = static_cast<std::uint8_t>(bit / 64 + 1);
      --left;
    }
  }
  return ack;
}

}  // namespace muster::udp
