// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the fuzz targets share: an input read as a script, and promises that abort when they do not hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace muster::fuzz {

/// Says which promise was broken, and aborts: libFuzzer keeps the input, ReplayMain names the file.
inline void Require(bool holds, const char* promise) {
  if (!holds) {
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
  }
}

/// Reads the input from its front; what lies behind its end is zero. Numbers are little-endian.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : m_rest(data, size) {}

  [[nodiscard]] bool IsEmpty() const { return m_rest.empty(); }
  [[nodiscard]] std::size_t BytesLeft() const { return m_rest.size(); }

  std::uint8_t U8() { return static_cast<std::uint8_t>(Number(1)); }
  std::uint16_t U16() { return static_cast<std::uint16_t>(Number(2)); }
  std::uint32_t U32() { return static_cast<std::uint32_t>(Number(4)); }
  std::uint64_t U64() { return Number(8); }
  bool Chance() { return (U8() & 1U) != 0; }

  /// The next `count` bytes, or as many as there are.
  std::span<const std::uint8_t> Take(std::size_t count) {
    const auto taken = m_rest.first(std::min(count, m_rest.size()));
    m_rest = m_rest.subspan(taken.size());
    return taken;
  }
  /// A byte string behind its length in one or two bytes.
  std::span<const std::uint8_t> Sized8() { return Take(U8()); }
  std::span<const std::uint8_t> Sized16() { return Take(U16()); }
  std::span<const std::uint8_t> Rest() { return Take(m_rest.size()); }

 private:
  std::uint64_t Number(std::size_t bytes) {
    std::uint64_t value = 0;
    const auto taken = Take(bytes);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      value |= static_cast<std::uint64_t>(taken[i]) << (8 * i);
    }
    return value;
  }

  std::span<const std::uint8_t> m_rest;
};

inline std::string_view AsText(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace muster::fuzz
