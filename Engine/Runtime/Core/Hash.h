// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Hashes for tables, ids and state digests: our own, so that bytes depend neither on the standard library nor on the
// run. They withstand accidents, not attackers; content that must be trusted is hashed with `Sha256`. The functions are
// part of what a recorded digest means: changing one invalidates recordings. [any]
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace muster {

static_assert(std::endian::native == std::endian::little, "hashes read words as they lie in memory");

/// Spreads every bit of a number over all 64. A bijection; zero stays zero.
[[nodiscard]] constexpr std::uint64_t Mix64(std::uint64_t value) noexcept {
  // Two rounds of xor-shift and multiply; the factors are the fractional bits of square roots of 2 and 3 made odd.
  value ^= value >> 32;
  value *= 0x6A09E667F3BCC909u;
  value ^= value >> 29;
  value *= 0xBB67AE8584CAA73Bu;
  value ^= value >> 32;
  return value;
}

namespace detail {

__extension__ typedef unsigned __int128 Wide;

/// Multiplies to 128 bits and folds the halves together.
[[nodiscard]] constexpr std::uint64_t Fold(std::uint64_t a, std::uint64_t b) noexcept {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline constexpr std::uint64_t kHashStart = 0x3C6EF372FE94F82Bu;
inline constexpr std::uint64_t kHashStep = 0xA54FF53A5F1D36F1u;

}  // namespace detail

/// Hashes a name at compile or run time; the same in both. For ids that are kept in files.
[[nodiscard]] constexpr std::uint64_t HashName(std::string_view name) noexcept {
  std::uint64_t state = detail::kHashStart ^ name.size();
  std::uint64_t word = 0;
  unsigned filled = 0;
  for (const char letter : name) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(letter)) << (8 * filled);
    if (++filled == 8) {
      state = detail::Fold(state ^ word, detail::kHashStep);
      word = 0;
      filled = 0;
    }
  }
  state = detail::Fold(state ^ word, detail::kHashStep);
  return Mix64(state);
}

/// The running digest of a state: columns, counters, packets. What was given and in which calls are both part of it,
/// so ("ab", "c") and ("a", "bc") differ; two states agree when they made the same calls.
class Digest64 {
 public:
  constexpr Digest64() noexcept = default;
  constexpr explicit Digest64(std::uint64_t seed) noexcept : m_state(detail::kHashStart ^ Mix64(seed)) {}

  /// Bytes as they lie in memory. Structs with padding have undefined bytes in it: digest their fields instead.
  void Update(std::span<const std::byte> bytes) noexcept;

  /// One number by value. All integer widths give the same digest for the same value.
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>) constexpr void Update(T value) noexcept {
    if constexpr (std::is_enum_v<T>) {
      UpdateWord(static_cast<std::uint64_t>(static_cast<std::underlying_type_t<T>>(value)));
    } else {
      UpdateWord(static_cast<std::uint64_t>(value));
    }
  }

  /// Floats by their bits: zero and minus zero differ.
  constexpr void Update(float value) noexcept { UpdateWord(std::bit_cast<std::uint32_t>(value)); }
  constexpr void Update(double value) noexcept { UpdateWord(std::bit_cast<std::uint64_t>(value)); }

  /// The digest so far; more may follow.
  [[nodiscard]] constexpr std::uint64_t Value() const noexcept { return Mix64(m_state); }

 private:
  constexpr void UpdateWord(std::uint64_t word) noexcept {
    // The added constant keeps a zero word from leaving a zero state where it is.
    m_state = detail::Fold(m_state ^ word, detail::kHashStep) + detail::kHashStart;
  }

  std::uint64_t m_state = detail::kHashStart;
};

/// Hashes bytes at once; `seed` gives an independent function.
[[nodiscard]] inline std::uint64_t Hash64(std::span<const std::byte> bytes, std::uint64_t seed = 0) noexcept {
  Digest64 digest(seed);
  digest.Update(bytes);
  return digest.Value();
}

}  // namespace muster
