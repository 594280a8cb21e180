// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace muster::serialization {

static_assert(std::endian::native == std::endian::little, "words are stored as they lie in memory");

/// How many value bits a group of a variable-length integer has, beside its "more follows" bit.
inline constexpr unsigned kVarGroupBits = 4;

/// Writes bits into memory of the caller, lowest bit first: bit n of the stream is bit n % 8 of byte n / 8.
///
///     std::array<std::uint8_t, 1200> packet;
///     BitWriter writer(packet);
///     writer.WriteBits(speed, 12);
///     const std::size_t bytes = writer.Finish();
///     if (writer.Overflowed()) { ... }
///
/// A write that does not fit writes nothing and makes `Overflowed()` true; every later write is dropped, so that the
/// stream never has a hole. Up to 7 bytes wait in the object until `Finish()`. Nothing is ever written outside the
/// span. A value; one thread at a time.
class BitWriter {
 public:
  explicit BitWriter(std::span<std::uint8_t> buffer) noexcept : m_buffer(buffer) {}

  /// The low `count` bits of `value`, `count` <= 64; more is an overflow. Higher bits of `value` are ignored.
  void WriteBits(std::uint64_t value, unsigned count) noexcept {
    if (count > 64) {
      m_overflowed = true;
    }
    if (!Reserve(count) || count == 0) {
      return;
    }
    if (count < 64) {
      value &= (std::uint64_t{1} << count) - 1;
    }
    m_pending |= value << m_pendingBits;
    const unsigned filled = m_pendingBits + count;
    if (filled < 64) {
      m_pendingBits = filled;
      return;
    }
    StoreWord(m_pending);
    m_pending = m_pendingBits == 0 ? 0 : value >> (64 - m_pendingBits);
    m_pendingBits = filled - 64;
  }

  void WriteBool(bool value) noexcept { WriteBits(value ? 1u : 0u, 1); }

  /// Groups of `groupBits` value bits, low group first, each followed by one bit that tells whether another follows:
  /// with groups of 4, values below 16 take 5 bits, below 256 10. `groupBits` is 1 to 32, the same for the reader.
  void WriteVarUint(std::uint64_t value, unsigned groupBits = kVarGroupBits) noexcept {
    const std::uint64_t more = std::uint64_t{1} << groupBits;
    while (value >= more) {
      WriteBits((value & (more - 1)) | more, groupBits + 1);
      value >>= groupBits;
    }
    WriteBits(value, groupBits + 1);
  }

  /// Zigzag, then as WriteVarUint: small magnitudes of either sign are short.
  void WriteSigned(std::int64_t value, unsigned groupBits = kVarGroupBits) noexcept {
    const auto bits = static_cast<std::uint64_t>(value);
    WriteVarUint((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0), groupBits);
  }

  /// Zero bits up to the next whole byte.
  void AlignToByte() noexcept { WriteBits(0, static_cast<unsigned>((8 - BitPosition() % 8) % 8)); }

  /// Aligns, then copies the bytes. Nothing is written unless both fit.
  void WriteAlignedBytes(std::span<const std::uint8_t> bytes) noexcept {
    const std::size_t padding = (8 - BitPosition() % 8) % 8;
    if (bytes.size() > BitsLeft() / 8 || padding + bytes.size() * 8 > BitsLeft()) {
      m_overflowed = true;
      return;
    }
    AlignToByte();
    AppendBits(bytes.data(), bytes.size() * 8);
  }

  /// Copies `bitCount` bits that begin at bit 0 of `source`, at any alignment of this stream; reads no byte behind the
  /// last one that holds such a bit. Whole or not at all. This is how a record that was encoded once goes into many
  /// packets.
  void AppendBits(const std::uint8_t* source, std::size_t bitCount) noexcept {
    if (!Reserve(bitCount)) {
      return;
    }
    std::size_t left = bitCount;
    if (m_pendingBits == 0) {
      const std::size_t wordBytes = left / 64 * 8;
      if (wordBytes > 0) {
        std::memcpy(m_buffer.data() + m_storedBytes, source, wordBytes);
        m_storedBytes += wordBytes;
        source += wordBytes;
        left -= wordBytes * 8;
      }
    } else {
      const unsigned up = m_pendingBits;
      const unsigned down = 64 - m_pendingBits;
      for (; left >= 64; left -= 64, source += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, source, sizeof word);
        StoreWord(m_pending | (word << up));
        m_pending = word >> down;
      }
    }
    if (left > 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, source, (left + 7) / 8);
      WriteBits(word, static_cast<unsigned>(left));
    }
  }

  /// Takes back everything behind an earlier `BitPosition()`, an overflow included: whatever was accepted before it is
  /// still there. A position ahead of the stream changes nothing.
  void Rewind(std::size_t bitPosition) noexcept {
    if (bitPosition > BitPosition()) {
      return;
    }
    const std::size_t wordBytes = bitPosition / 64 * 8;
    if (wordBytes < m_storedBytes) {
      std::memcpy(&m_pending, m_buffer.data() + wordBytes, sizeof m_pending);
      m_storedBytes = wordBytes;
    }
    m_pendingBits = static_cast<unsigned>(bitPosition % 64);
    m_pending &= (std::uint64_t{1} << m_pendingBits) - 1;
    m_overflowed = false;
  }

  /// Puts the waiting bits into the buffer, the last byte filled up with zero bits, and returns how many bytes hold
  /// the stream. Writing may go on after it, and then it must be called again.
  std::size_t Finish() noexcept {
    const std::size_t waitingBytes = (m_pendingBits + 7) / 8;
    if (waitingBytes > 0) {
      std::memcpy(m_buffer.data() + m_storedBytes, &m_pending, waitingBytes);
    }
    return m_storedBytes + waitingBytes;
  }

  /// For an encoder that finds that a value cannot be said: makes the overflow stick.
  void MarkOverflowed() noexcept { m_overflowed = true; }

  /// True once a write did not fit.
  [[nodiscard]] bool Overflowed() const noexcept { return m_overflowed; }
  /// How many bits were accepted.
  [[nodiscard]] std::size_t BitPosition() const noexcept { return m_storedBytes * 8 + m_pendingBits; }
  [[nodiscard]] std::size_t BitsLeft() const noexcept { return m_buffer.size() * 8 - BitPosition(); }

 private:
  /// True when so many more bits fit.
  [[nodiscard]] bool Reserve(std::size_t bits) noexcept {
    if (m_overflowed || bits > BitsLeft()) {
      m_overflowed = true;
      return false;
    }
    return true;
  }

  void StoreWord(std::uint64_t word) noexcept {
    std::memcpy(m_buffer.data() + m_storedBytes, &word, sizeof word);
    m_storedBytes += sizeof word;
  }

  std::span<std::uint8_t> m_buffer;
  std::size_t m_storedBytes = 0;  ///< A multiple of 8.
  std::uint64_t m_pending = 0;    ///< Bits above m_pendingBits are zero.
  unsigned m_pendingBits = 0;     ///< Below 64.
  bool m_overflowed = false;
};

}  // namespace muster::serialization
