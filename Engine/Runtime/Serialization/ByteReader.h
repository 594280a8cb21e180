// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace muster::serialization {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in memory");

/// Reads what a `ByteWriter` wrote, from bytes that nobody vouches for. A read past the end, a length above the
/// caller's maximum or above what is left, gives zero or an empty view and makes `Failed()` true for good. Views point
/// into the span the reader was given. A value; one thread at a time.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) noexcept : m_bytes(bytes) {}

  [[nodiscard]] std::uint8_t ReadU8() noexcept { return ReadRaw<std::uint8_t>(); }
  [[nodiscard]] std::uint16_t ReadU16() noexcept { return ReadRaw<std::uint16_t>(); }
  [[nodiscard]] std::uint32_t ReadU32() noexcept { return ReadRaw<std::uint32_t>(); }
  [[nodiscard]] std::uint64_t ReadU64() noexcept { return ReadRaw<std::uint64_t>(); }
  [[nodiscard]] std::int8_t ReadI8() noexcept { return ReadRaw<std::int8_t>(); }
  [[nodiscard]] std::int16_t ReadI16() noexcept { return ReadRaw<std::int16_t>(); }
  [[nodiscard]] std::int32_t ReadI32() noexcept { return ReadRaw<std::int32_t>(); }
  [[nodiscard]] std::int64_t ReadI64() noexcept { return ReadRaw<std::int64_t>(); }
  /// Any bit pattern, NaN and infinities included.
  [[nodiscard]] float ReadF32() noexcept { return ReadRaw<float>(); }
  [[nodiscard]] double ReadF64() noexcept { return ReadRaw<double>(); }
  /// Fail for NaN and infinities. What feeds a simulation is read with these.
  [[nodiscard]] float ReadFiniteF32() noexcept { return FiniteOrFail(ReadF32()); }
  [[nodiscard]] double ReadFiniteF64() noexcept { return FiniteOrFail(ReadF64()); }
  /// Fails unless the byte is 0 or 1.
  [[nodiscard]] bool ReadBool() noexcept {
    const std::uint8_t value = ReadU8();
    m_failed = m_failed || value > 1;
    return !m_failed && value == 1;
  }

  /// A view of the next `count` bytes.
  [[nodiscard]] std::span<const std::uint8_t> ReadBytes(std::size_t count) noexcept {
    if (m_failed || count > BytesLeft()) {
      m_failed = true;
      return {};
    }
    const auto view = m_bytes.subspan(m_position, count);
    m_position += count;
    return view;
  }

  /// A view of a byte string with its length before it, at most `maxBytes` long.
  [[nodiscard]] std::span<const std::uint8_t> ReadSized8(std::size_t maxBytes) noexcept {
    return ReadSized(ReadU8(), maxBytes);
  }
  [[nodiscard]] std::span<const std::uint8_t> ReadSized16(std::size_t maxBytes) noexcept {
    return ReadSized(ReadU16(), maxBytes);
  }
  [[nodiscard]] std::span<const std::uint8_t> ReadSized32(std::size_t maxBytes) noexcept {
    return ReadSized(ReadU32(), maxBytes);
  }
  /// The same as text. Nothing is said about its contents: it may be no UTF-8.
  [[nodiscard]] std::string_view ReadText8(std::size_t maxBytes) noexcept { return TextOf(ReadSized8(maxBytes)); }
  [[nodiscard]] std::string_view ReadText16(std::size_t maxBytes) noexcept { return TextOf(ReadSized16(maxBytes)); }

  /// A view of everything that is left; moves to the end.
  [[nodiscard]] std::span<const std::uint8_t> ReadRest() noexcept { return ReadBytes(BytesLeft()); }

  /// For a decoder that finds a value to be impossible: makes the failure stick.
  void MarkFailed() noexcept { m_failed = true; }

  [[nodiscard]] bool Failed() const noexcept { return m_failed; }
  /// Read whole, without failure and without a rest: what a strict decoder ends with.
  [[nodiscard]] bool IsComplete() const noexcept { return !m_failed && BytesLeft() == 0; }
  /// Zero after a failure.
  [[nodiscard]] std::size_t BytesLeft() const noexcept { return m_failed ? 0 : m_bytes.size() - m_position; }
  [[nodiscard]] std::size_t Position() const noexcept { return m_position; }

 private:
  template <class T>
  [[nodiscard]] T ReadRaw() noexcept {
    T value{};
    if (m_failed || sizeof value > BytesLeft()) {
      m_failed = true;
      return value;
    }
    std::memcpy(&value, m_bytes.data() + m_position, sizeof value);
    m_position += sizeof value;
    return value;
  }

  [[nodiscard]] std::span<const std::uint8_t> ReadSized(std::size_t length, std::size_t maxBytes) noexcept {
    if (length > maxBytes) {
      m_failed = true;
      return {};
    }
    return ReadBytes(length);
  }

  template <class T>
  [[nodiscard]] T FiniteOrFail(T value) noexcept {
    if (!std::isfinite(value)) {
      m_failed = true;
      return T{};
    }
    return value;
  }

  static std::string_view TextOf(std::span<const std::uint8_t> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::span<const std::uint8_t> m_bytes;
  std::size_t m_position = 0;
  bool m_failed = false;
};

}  // namespace muster::serialization
