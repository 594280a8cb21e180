// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SlotTable.h"

#include "Core/Assert.h"
#include "World/LiveRuns.h"

#include <algorithm>
#include <bit>

namespace muster::world {

using detail::CountBits;

namespace {

constexpr std::uint64_t kFullWord = ~std::uint64_t{0};

// From here on one pass over all 64 generations of a word beats a loop over its bits.
constexpr int kWordPathBits = 8;

constexpr std::size_t WordsFor(std::size_t bits) {
  return (bits + 63) / 64;
}

constexpr std::uint64_t BitOf(std::size_t index) {
  return std::uint64_t{1} << (index % 64);
}

// The lowest `count` set bits of `bits`; all of them when there are fewer.
std::uint64_t LowestBits(std::uint64_t bits, std::size_t count) {
  if (count >= 64 || static_cast<std::size_t>(CountBits(bits)) <= count) {
    return bits;
  }
  std::uint64_t rest = bits;
  for (std::size_t taken = 0; taken < count; ++taken) {
    rest &= rest - 1;
  }
  return bits ^ rest;
}

}  // namespace

SlotTable::SlotTable(std::uint32_t capacity, std::uint32_t firstGeneration)
    : m_capacity{capacity},
      m_generations(WordsFor(capacity) * 64, firstGeneration),
      m_live(WordsFor(capacity), 0),
      m_free(WordsFor(capacity) + 1, kFullWord),
      m_summary(WordsFor(WordsFor(capacity)), kFullWord) {
  MUSTER_ASSERT_ALWAYS(capacity > 0 && capacity <= (1U << 24U), "the capacity is 1 to 2^24 slots");
  MUSTER_ASSERT_ALWAYS((firstGeneration & 1U) == 0, "free slots have even generations");
  m_free.back() = 0;
  if (capacity % 64 != 0) {
    m_free[capacity / 64] = BitOf(capacity) - 1;
  }
  if (m_live.size() % 64 != 0) {
    m_summary.back() = BitOf(m_live.size()) - 1;
  }
}

EntityHandle SlotTable::AllocateAfterFlush() {
  Flush();
  return Allocate();
}

EntityHandle SlotTable::AllocateFromNextWord() {
  return FindFreeWord() ? Allocate() : EntityHandle{};
}

bool SlotTable::FreeAfterFlush(EntityHandle handle) {
  Flush();
  return Free(handle);
}

std::size_t SlotTable::AllocateMany(std::span<EntityHandle> handles) {
  Flush();
  std::size_t made = 0;
  while (made < handles.size() && FindFreeWord()) {
    const std::size_t word = m_lowestFreeWord;
    std::uint64_t bits = LowestBits(m_free[word], handles.size() - made);
    Take(word, bits);
    const auto firstSlot = static_cast<std::uint32_t>(word * 64);
    const std::uint32_t* const generations = m_generations.data() + firstSlot;
    EntityHandle* next = handles.data() + made;
    if (bits == kFullWord) {
      for (std::uint32_t index = 0; index < 64; ++index) {
        next[index] = {firstSlot + index, generations[index]};
      }
      made += 64;
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const auto index = static_cast<std::uint32_t>(std::countr_zero(bits));
      *next++ = {firstSlot + index, generations[index]};
    }
    made = static_cast<std::size_t>(next - handles.data());
  }
  return made;
}

std::size_t SlotTable::FreeSlots(std::span<const std::uint64_t> slotBits) {
  const std::size_t words = std::min(slotBits.size(), m_live.size());
  std::size_t freed = 0;
  for (std::size_t word = 0; word < words; ++word) {
    const std::uint64_t bits = slotBits[word] & m_live[word];
    if (bits == 0) {
      continue;
    }
    BumpGenerations(word, bits);
    m_live[word] ^= bits;
    MarkFree(word, bits);
    m_lowestFreeWord = std::min(m_lowestFreeWord, word);
    freed += static_cast<std::size_t>(CountBits(bits));
  }
  m_takenCount -= static_cast<std::uint32_t>(freed);
  return freed;
}

EntityHandle SlotTable::HandleAt(std::uint32_t slot) const {
  if (slot >= m_capacity || (m_live[slot / 64] & BitOf(slot)) == 0) {
    return {};
  }
  return {slot, m_generations[slot]};
}

void SlotTable::Flush() {
  const std::size_t count = m_quickFreeCount;
  std::size_t lowest = m_lowestFreeWord;
  std::size_t index = 0;
  while (index < count) {
    const std::size_t word = m_quickFrees[index] / 64;
    std::uint64_t bits = 0;
    for (; index < count && m_quickFrees[index] / 64 == word; ++index) {
      bits |= BitOf(m_quickFrees[index]);
    }
    MarkFree(word, bits);
    lowest = std::min(lowest, word);
  }
  m_lowestFreeWord = lowest;
  m_takenCount -= static_cast<std::uint32_t>(count);
  m_quickFreeCount = 0;
}

bool SlotTable::FindFreeWord() {
  while (m_lowestFreeWord < m_live.size()) {
    if (m_free[m_lowestFreeWord] != 0) {
      return true;
    }
    std::size_t summary = m_lowestFreeWord / 64;
    m_summary[summary] &= ~BitOf(m_lowestFreeWord);
    while (summary < m_summary.size() && m_summary[summary] == 0) {
      ++summary;
    }
    m_lowestFreeWord = summary == m_summary.size()
                           ? m_live.size()
                           : summary * 64 + static_cast<std::size_t>(std::countr_zero(m_summary[summary]));
  }
  return false;
}

void SlotTable::Take(std::size_t word, std::uint64_t bits) {
  BumpGenerations(word, bits);
  m_live[word] |= bits;
  m_free[word] ^= bits;
  m_takenCount += static_cast<std::uint32_t>(CountBits(bits));
}

void SlotTable::BumpGenerations(std::size_t word, std::uint64_t bits) {
  std::uint32_t* generations = m_generations.data() + word * 64;
  if (bits == kFullWord) {
    for (std::size_t index = 0; index < 64; ++index) {
      ++generations[index];
    }
  } else if (CountBits(bits) >= kWordPathBits) {
    for (std::size_t index = 0; index < 64; ++index) {
      generations[index] += static_cast<std::uint32_t>((bits >> index) & 1U);
    }
  } else {
    for (; bits != 0; bits &= bits - 1) {
      ++generations[static_cast<std::size_t>(std::countr_zero(bits))];
    }
  }
}

}  // namespace muster::world
