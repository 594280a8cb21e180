// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace muster::udp {

/// Which numbers of datagrams came already. What is older than the window counts as come: it is dropped rather than
/// delivered twice. Numbers wrap.
class SequenceWindow {
 public:
  static constexpr std::uint32_t kSize = 1024;

  explicit SequenceWindow(std::uint32_t first = 0) noexcept : m_next{first}, m_floor{first} {}

  /// True the first time; the number is remembered.
  bool Take(std::uint32_t number) noexcept {
    const auto ahead = static_cast<std::int32_t>(number - m_next);
    if (ahead >= 0) {
      Advance(static_cast<std::uint32_t>(ahead) + 1);
      Word(number) |= Bit(number);
      return true;
    }
    const std::uint32_t behind = m_next - number;
    // Before the first number there is nothing; the other end counts up from there.
    if (behind > kSize || static_cast<std::int32_t>(number - m_floor) < 0 || (Word(number) & Bit(number)) != 0) {
      return false;
    }
    Word(number) |= Bit(number);
    return true;
  }

 private:
  void Advance(std::uint32_t count) noexcept {
    if (count >= kSize) {
      m_words.fill(0);
      m_next += count;
    } else {
      for (; count > 0; --count, ++m_next) {
        Word(m_next) &= ~Bit(m_next);
      }
    }
    if (m_next - m_floor > 2 * kSize) {
      m_floor = m_next - kSize;
    }
  }
  std::uint64_t& Word(std::uint32_t number) noexcept { return m_words[(number / 64) % m_words.size()]; }
  static std::uint64_t Bit(std::uint32_t number) noexcept { return std::uint64_t{1} << (number % 64); }

  std::array<std::uint64_t, kSize / 64> m_words{};
  std::uint32_t m_next;
  std::uint32_t m_floor;
};

}  // namespace muster::udp
