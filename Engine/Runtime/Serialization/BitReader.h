// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Serialization/BitWriter.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace muster::serialization {

/// Reads what a `BitWriter` wrote, from bytes that nobody vouches for. Any read that goes past the end, or finds a form
/// the writer never makes, gives zero and makes `Failed()` true for good; so a decoder may read a whole message and ask
/// once:
///
///     BitReader reader(bytes);
///     const auto kind = reader.ReadBits(4);
///     const auto count = reader.ReadVarUint(kMaxRecords);      // larger counts fail here
///     if (reader.Failed()) { ++malformed; return; }
///
/// But ask before a loop runs over a number that was read, or bound it as above. No byte outside the span is touched,
/// also not by the eight-byte loads. A value; one thread at a time.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) noexcept : m_bytes(bytes), m_endBit(bytes.size() * 8) {}
  /// Only the first `bitCount` bits count, never more than there are.
  BitReader(std::span<const std::uint8_t> bytes, std::size_t bitCount) noexcept
      : m_bytes(bytes), m_endBit(std::min(bitCount, bytes.size() * 8)) {}

  /// `count` <= 64; more fails.
  [[nodiscard]] std::uint64_t ReadBits(unsigned count) noexcept {
    if (!Reserve(count) || count > 64) {
      m_failed = true;
      return 0;
    }
    const std::uint64_t value = Load(m_position, count);
    m_position += count;
    return value;
  }

  [[nodiscard]] bool ReadBool() noexcept { return ReadBits(1) != 0; }

  /// Fails for a value above `maxValue`, and for one with needless groups, so that a value has one form.
  [[nodiscard]] std::uint64_t ReadVarUint(std::uint64_t maxValue, unsigned groupBits = kVarGroupBits) noexcept {
    const std::uint64_t groupMask = (std::uint64_t{1} << groupBits) - 1;
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += groupBits) {
      const std::uint64_t bits = ReadBits(groupBits + 1);
      const std::uint64_t group = bits & groupMask;
      const bool hasMore = (bits >> groupBits) != 0;
      const bool isTooBig = shift >= 64 || (shift > 0 && (group >> (64 - shift)) != 0);
      const bool isPadded = !hasMore && shift > 0 && group == 0;
      if (m_failed || isTooBig || isPadded) {
        return Fail();
      }
      value |= group << shift;
      if (!hasMore) {
        return value <= maxValue ? value : Fail();
      }
    }
  }

  /// Fails for a magnitude above `maxMagnitude`.
  [[nodiscard]] std::int64_t ReadSigned(std::uint64_t maxMagnitude, unsigned groupBits = kVarGroupBits) noexcept {
    const std::uint64_t zigzag = ReadVarUint(~std::uint64_t{0}, groupBits);
    const std::uint64_t half = zigzag >> 1;
    const bool isNegative = (zigzag & 1) != 0;
    // The magnitude of a negative number is half + 1; compared without the sum, which may wrap.
    if (isNegative ? half >= maxMagnitude : half > maxMagnitude) {
      return static_cast<std::int64_t>(Fail());
    }
    return static_cast<std::int64_t>(isNegative ? ~half : half);
  }

  /// How many zero bits come before the next one bit, which is taken as well; fails when there are more than
  /// `maxZeros` (at most 63) of them.
  [[nodiscard]] unsigned ReadZeroRun(unsigned maxZeros) noexcept {
    const auto seen = static_cast<unsigned>(std::min<std::size_t>(BitsLeft(), 64));
    const std::uint64_t ahead = seen == 0 ? 0 : Load(m_position, seen);
    const auto zeros = static_cast<unsigned>(std::countr_zero(ahead));
    if (ahead == 0 || zeros > maxZeros) {
      return static_cast<unsigned>(Fail());
    }
    m_position += zeros + 1;
    return zeros;
  }

  /// Up to the next whole byte; fails unless the bits between are zero.
  void AlignToByte() noexcept {
    if (ReadBits(static_cast<unsigned>((8 - m_position % 8) % 8)) != 0) {
      m_failed = true;
    }
  }

  /// Aligns, then gives a view of the next `count` bytes; an empty one when they are not there.
  [[nodiscard]] std::span<const std::uint8_t> ReadAlignedBytes(std::size_t count) noexcept {
    AlignToByte();
    if (m_failed || count > BitsLeft() / 8) {
      m_failed = true;
      return {};
    }
    const auto view = m_bytes.subspan(m_position / 8, count);
    m_position += count * 8;
    return view;
  }

  void Skip(std::size_t bits) noexcept {
    if (Reserve(bits)) {
      m_position += bits;
    }
  }

  /// For a decoder that finds a value to be impossible: makes the failure stick.
  void MarkFailed() noexcept { m_failed = true; }

  [[nodiscard]] bool Failed() const noexcept { return m_failed; }
  /// Zero after a failure.
  [[nodiscard]] std::size_t BitsLeft() const noexcept { return m_failed ? 0 : m_endBit - m_position; }
  /// In bits from the beginning; where the failed read began, after a failure.
  [[nodiscard]] std::size_t Position() const noexcept { return m_position; }

 private:
  [[nodiscard]] bool Reserve(std::size_t bits) noexcept {
    if (m_failed || bits > m_endBit - m_position) {
      m_failed = true;
      return false;
    }
    return true;
  }

  std::uint64_t Fail() noexcept {
    m_failed = true;
    return 0;
  }

  /// `count` of 0 to 64 bits that are known to be there.
  [[nodiscard]] std::uint64_t Load(std::size_t bit, unsigned count) const noexcept {
    const std::size_t byte = bit / 8;
    const auto shift = static_cast<unsigned>(bit % 8);
    const std::size_t neededBytes = (shift + count + 7) / 8;
    std::uint64_t word = 0;
    // Both bounds are known to hold; they stand here so that the compiler too sees what a short array rules out.
    if (byte + 8 <= m_bytes.size()) {
      std::memcpy(&word, m_bytes.data() + byte, 8);
    } else if (byte < m_bytes.size()) {
      std::memcpy(&word, m_bytes.data() + byte, m_bytes.size() - byte);
    }
    word >>= shift;
    if (neededBytes > 8 && byte + 8 < m_bytes.size()) {
      word |= static_cast<std::uint64_t>(m_bytes[byte + 8]) << (64 - shift);
    }
    return count == 64 ? word : word & ((std::uint64_t{1} << count) - 1);
  }

  std::span<const std::uint8_t> m_bytes;
  std::size_t m_endBit;
  std::size_t m_position = 0;
  bool m_failed = false;
};

}  // namespace muster::serialization
