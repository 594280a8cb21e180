// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

namespace muster::serialization {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they lie in memory");

/// Writes whole bytes into memory of the caller: little-endian integers, IEEE floats, byte strings with their length
/// before them. A write that does not fit writes nothing and makes `Overflowed()` true, and later writes are dropped.
/// Needs no finishing. A value; one thread at a time.
class ByteWriter {
 public:
  explicit ByteWriter(std::span<std::uint8_t> buffer) noexcept : m_buffer(buffer) {}

  void WriteU8(std::uint8_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteU16(std::uint16_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteU32(std::uint32_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteU64(std::uint64_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteI8(std::int8_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteI16(std::int16_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteI32(std::int32_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteI64(std::int64_t value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteF32(float value) noexcept { WriteRaw(&value, sizeof value); }
  void WriteF64(double value) noexcept { WriteRaw(&value, sizeof value); }
  /// One byte, 0 or 1.
  void WriteBool(bool value) noexcept { WriteU8(value ? 1 : 0); }

  /// The bytes alone; the reader must know how many.
  void WriteBytes(std::span<const std::uint8_t> bytes) noexcept { WriteRaw(bytes.data(), bytes.size()); }

  /// A length of 8, 16 or 32 bits, then the bytes. A string too long for its length field counts as an overflow.
  void WriteSized8(std::span<const std::uint8_t> bytes) noexcept { WriteSized<std::uint8_t>(bytes); }
  void WriteSized16(std::span<const std::uint8_t> bytes) noexcept { WriteSized<std::uint16_t>(bytes); }
  void WriteSized32(std::span<const std::uint8_t> bytes) noexcept { WriteSized<std::uint32_t>(bytes); }
  void WriteText8(std::string_view text) noexcept { WriteSized8(BytesOf(text)); }
  void WriteText16(std::string_view text) noexcept { WriteSized16(BytesOf(text)); }

  [[nodiscard]] bool Overflowed() const noexcept { return m_overflowed; }
  /// How many bytes were accepted.
  [[nodiscard]] std::size_t Position() const noexcept { return m_position; }
  [[nodiscard]] std::size_t BytesLeft() const noexcept { return m_buffer.size() - m_position; }
  /// What was written so far.
  [[nodiscard]] std::span<const std::uint8_t> Written() const noexcept { return m_buffer.first(m_position); }

 private:
  static std::span<const std::uint8_t> BytesOf(std::string_view text) noexcept {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  }

  template <class Length>
  void WriteSized(std::span<const std::uint8_t> bytes) noexcept {
    if (bytes.size() > std::numeric_limits<Length>::max() || BytesLeft() < sizeof(Length) ||
        BytesLeft() - sizeof(Length) < bytes.size()) {
      m_overflowed = true;
      return;
    }
    const auto length = static_cast<Length>(bytes.size());
    WriteRaw(&length, sizeof length);
    WriteBytes(bytes);
  }

  void WriteRaw(const void* from, std::size_t count) noexcept {
    if (m_overflowed || count > BytesLeft()) {
      m_overflowed = true;
      return;
    }
    if (count > 0) {
      std::memcpy(m_buffer.data() + m_position, from, count);
      m_position += count;
    }
  }

  std::span<std::uint8_t> m_buffer;
  std::size_t m_position = 0;
  bool m_overflowed = false;
};

}  // namespace muster::serialization
