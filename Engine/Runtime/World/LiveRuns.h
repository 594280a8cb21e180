// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Loops over live slots, in slot order, a word of 64 slots at a time.
//
//   ForEachLive(store.LiveBits(), [&](std::uint32_t slot) { ... });
//   ForEachRun(store.LiveBits(), [&](std::uint32_t first, std::uint32_t count) { ... });        // live slots only
//   ForEachDenseRun(store.LiveBits(), [&](std::uint32_t first, std::uint32_t count) { ... });   // for vector loops
//   ForEachDenseRun(store.LiveBits(), [&](std::uint32_t first, std::uint32_t count) { ... },
//                   [&](std::uint32_t slot) { ... });                                           // sparse words slot by slot
//
// ForEachDenseRun hands over words of which at least a quarter lives as a whole, dead slots with them, because a vector
// loop over 64 slots is cheaper than 16 single ones. Use it where touching a dead slot's columns does no harm: they are
// zeroed when the slot is given out again, and take part in no digest.
//
// A stage that is cut into chunks of whole words passes its words and the slot of the first:
//   ForEachLive(bits.subspan(firstWord, words), body, firstWord * 64);
//
// Pure functions. [any]
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::world {

/// Live slots of 64 from which on a word is handed over whole by ForEachDenseRun.
inline constexpr int kDenseWordBits = 16;

/// Calls `body(slot)` for each set bit, ascending.
template <class Body>
void ForEachLive(std::span<const std::uint64_t> bits, Body&& body, std::uint32_t firstSlot = 0) {
  for (const std::uint64_t word : bits) {
    if (word == ~std::uint64_t{0}) {
      for (std::uint32_t index = 0; index < 64; ++index) {
        body(firstSlot + index);
      }
    } else {
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
        body(firstSlot + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
    firstSlot += 64;
  }
}

namespace detail {

/// std::popcount is a call of a library where the target has no instruction for it; a word that is full or empty needs
/// none.
constexpr int CountBits(std::uint64_t word) {
  if (word == ~std::uint64_t{0}) {
    return 64;
  }
  word -= (word >> 1U) & 0x5555'5555'5555'5555U;
  word = (word & 0x3333'3333'3333'3333U) + ((word >> 2U) & 0x3333'3333'3333'3333U);
  word = (word + (word >> 4U)) & 0x0F0F'0F0F'0F0F'0F0FU;
  return static_cast<int>((word * 0x0101'0101'0101'0101U) >> 56U);
}

/// Joins runs that touch before it hands them on.
template <class Body>
class RunJoiner {
 public:
  explicit RunJoiner(Body& body) : m_body{body} {}

  void Add(std::uint32_t first, std::uint32_t count) {
    if (first != m_first + m_count) {
      Finish();
      m_first = first;
    }
    m_count += count;
  }
  void AddBits(std::uint64_t word, std::uint32_t firstSlot) {
    while (word != 0) {
      const auto skip = static_cast<std::uint32_t>(std::countr_zero(word));
      const auto count = static_cast<std::uint32_t>(std::countr_one(word >> skip));
      Add(firstSlot + skip, count);
      word = skip + count == 64 ? 0 : word & (~std::uint64_t{0} << (skip + count));
    }
  }
  void Finish() {
    if (m_count != 0) {
      m_body(m_first, m_count);
      m_count = 0;
    }
  }

 private:
  Body& m_body;
  std::uint32_t m_first = 0;
  std::uint32_t m_count = 0;
};

}  // namespace detail

/// Calls `body(first, count)` for each longest run of set bits, ascending; a run may span words.
template <class Body>
void ForEachRun(std::span<const std::uint64_t> bits, Body&& body, std::uint32_t firstSlot = 0) {
  detail::RunJoiner runs{body};
  for (const std::uint64_t word : bits) {
    runs.AddBits(word, firstSlot);
    firstSlot += 64;
  }
  runs.Finish();
}

/// The same, but words with at least kDenseWordBits live slots are handed over whole. The last word may reach past the
/// capacity: columns are whole words long.
template <class Body>
void ForEachDenseRun(std::span<const std::uint64_t> bits, Body&& body, std::uint32_t firstSlot = 0) {
  detail::RunJoiner runs{body};
  for (const std::uint64_t word : bits) {
    if (detail::CountBits(word) >= kDenseWordBits) {
      runs.Add(firstSlot, 64);
    } else {
      runs.AddBits(word, firstSlot);
    }
    firstSlot += 64;
  }
  runs.Finish();
}

/// The same, but the live slots of sparser words come one by one, as `single(slot)`: a vector loop that is entered for
/// one or two slots costs more than they do. Ascending over both kinds of calls.
template <class Body, class Single>
requires std::invocable<Single&, std::uint32_t>
void ForEachDenseRun(std::span<const std::uint64_t> bits, Body&& body, Single&& single, std::uint32_t firstSlot = 0) {
  detail::RunJoiner runs{body};
  for (const std::uint64_t word : bits) {
    if (detail::CountBits(word) >= kDenseWordBits) {
      runs.Add(firstSlot, 64);
    } else if (word != 0) {
      runs.Finish();
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
        single(firstSlot + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
    firstSlot += 64;
  }
  runs.Finish();
}

}  // namespace muster::world
