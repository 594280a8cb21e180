// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The receiving half of the reliable channel: pieces in any order, some of them twice, become messages in order.
#pragma once

#include <cstdint>
#include <vector>

#include "Wire.h"

namespace muster::udp {

/// Keeps at most kReliableWindow pieces that came too early, and one message that is not whole yet.
class ReliableReceive {
 public:
  enum class Outcome : std::uint8_t {
    Taken,      ///< also one that had come before
    Outside,    ///< beyond the window; no honest sender sends it
    Impossible  ///< no message can have this piece here; the stream is broken for good
  };

  explicit ReliableReceive(std::uint32_t maxMessageBytes, std::uint32_t first = 0)
      : m_maxMessageBytes{maxMessageBytes}, m_next{first} {}

  /// `whole` receives what became whole by it, in order.
  Outcome Take(const Frame& frame, std::vector<std::vector<std::uint8_t>>& whole);
  [[nodiscard]] Ack MakeAck() const;

 private:
  struct Early {
    bool isHere = false;
    bool isFirst = false;
    bool isLast = false;
    std::vector<std::uint8_t> bytes;
  };

  bool Append(const Frame& frame, std::vector<std::vector<std::uint8_t>>& whole);

  std::uint32_t m_maxMessageBytes;
  std::uint32_t m_next;  ///< the first piece that is missing
  std::vector<std::uint8_t> m_partial;
  bool m_isInMessage = false;
  std::vector<Early> m_early;  ///< by sequence modulo the window; empty until something comes early
  std::uint32_t m_earlyCount = 0;
};

}  // namespace muster::udp
