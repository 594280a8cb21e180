// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Little-endian numbers in a span, written and read without ever leaving it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::udp {

/// The caller asks for room first; writing beyond the end writes nothing.
class ByteWriter {
 public:
  explicit ByteWriter(std::span<std::uint8_t> bytes) noexcept : m_bytes{bytes} {}

  [[nodiscard]] std::size_t Size() const noexcept { return m_size; }
  [[nodiscard]] std::size_t Room() const noexcept { return m_bytes.size() - m_size; }

  template <class Number>
  void Put(Number value) noexcept {
    if (Room() < sizeof(Number)) {
      return;
    }
    auto rest = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(Number); ++i, rest >>= 8) {
      m_bytes[m_size++] = static_cast<std::uint8_t>(rest);
    }
  }
  void PutBytes(std::span<const std::uint8_t> bytes) noexcept {
    if (Room() >= bytes.size()) {
      std::copy(bytes.begin(), bytes.end(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_size));
      m_size += bytes.size();
    }
  }
  void PutZeros(std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      Put(std::uint8_t{0});
    }
  }
  /// Writes over a byte that was written before.
  void Patch(std::size_t at, std::uint8_t value) noexcept { m_bytes[at] = value; }

 private:
  std::span<std::uint8_t> m_bytes;
  std::size_t m_size = 0;
};

/// Reading past the end gives zeros and makes the reader fail for good.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) noexcept : m_rest{bytes} {}

  [[nodiscard]] bool HasFailed() const noexcept { return m_hasFailed; }
  [[nodiscard]] std::span<const std::uint8_t> Rest() const noexcept { return m_rest; }

  template <class Number>
  Number Take() noexcept {
    std::uint64_t value = 0;
    const std::span<const std::uint8_t> bytes = TakeBytes(sizeof(Number));
    for (std::size_t i = bytes.size(); i > 0; --i) {
      value = (value << 8) | bytes[i - 1];
    }
    return static_cast<Number>(value);
  }
  std::span<const std::uint8_t> TakeBytes(std::size_t count) noexcept {
    if (m_rest.size() < count) {
      m_hasFailed = true;
      m_rest = {};
      return {};
    }
    const std::span<const std::uint8_t> taken = m_rest.first(count);
    m_rest = m_rest.subspan(count);
    return taken;
  }

 private:
  std::span<const std::uint8_t> m_rest;
  bool m_hasFailed = false;
};

}  // namespace muster::udp
