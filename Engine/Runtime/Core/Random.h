// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Assert.h"
#include "Core/Hash.h"

#include <cstdint>

namespace muster {

/// Seeded random numbers, the same on every machine. A counter run through a mixer: the whole state is two words, any
/// place of the sequence can be asked for, and streams forked by number do not depend on the order of forking. Not for
/// keys, nonces or anything an opponent must not guess. A value; use one per thread or per index. [any]
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) noexcept : m_key(Mix64(seed ^ kKeySalt)) {}

  /// The number at `index` of the sequence of `seed`: what `Next()` gives at that call.
  [[nodiscard]] static constexpr std::uint64_t At(std::uint64_t seed, std::uint64_t index) noexcept {
    return Draw(Mix64(seed ^ kKeySalt), index);
  }

  /// A generator of its own for entity, client or stream number `stream`; this one is not advanced.
  [[nodiscard]] constexpr Random Fork(std::uint64_t stream) const noexcept {
    return Random(m_key + Mix64(stream + 1) * 3);
  }

  /// All 64 bits.
  [[nodiscard]] constexpr std::uint64_t Next() noexcept { return Draw(m_key, m_counter++); }

  /// In [0, 1), in steps of 2^-53.
  [[nodiscard]] constexpr double NextUnit() noexcept { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  /// In [0, 1), in steps of 2^-24.
  [[nodiscard]] constexpr float NextUnitFloat() noexcept { return static_cast<float>(Next() >> 40) * 0x1p-24f; }

  /// In [0, bound), every number equally likely; `bound` is not zero.
  [[nodiscard]] constexpr std::uint64_t NextBelow(std::uint64_t bound) {
    MUSTER_ASSERT(bound != 0, "no number is below zero");
    // The high half of a product is a scaled draw; the few low halves that would favour some results are drawn again.
    const std::uint64_t unfair = (0 - bound) % bound;
    for (;;) {
      const detail::Wide product = static_cast<detail::Wide>(Next()) * bound;
      if (static_cast<std::uint64_t>(product) >= unfair) {
        return static_cast<std::uint64_t>(product >> 64);
      }
    }
  }

  /// In [low, high).
  [[nodiscard]] constexpr double NextBetween(double low, double high) noexcept {
    return low + (high - low) * NextUnit();
  }
  [[nodiscard]] constexpr float NextBetween(float low, float high) noexcept {
    return low + (high - low) * NextUnitFloat();
  }

  /// True with this probability.
  [[nodiscard]] constexpr bool NextChance(double probability) noexcept { return NextUnit() < probability; }

 private:
  static constexpr std::uint64_t kKeySalt = 0x510E527FADE682D1u;
  static constexpr std::uint64_t kCounterStep = 0x9E3779B97F4A7C15u;

  static constexpr std::uint64_t Draw(std::uint64_t key, std::uint64_t counter) noexcept {
    return Mix64(Mix64(counter * kCounterStep + key) ^ (key << 1 | key >> 63));
  }

  std::uint64_t m_key;
  std::uint64_t m_counter = 0;
};

}  // namespace muster
