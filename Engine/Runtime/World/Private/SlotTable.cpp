// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SlotTable.h"

#include "Core/Assert.h"

#include <algorithm>
#include <bit>

namespace muster::world {

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
  if (static_cast<std::size_t>(std::popcount(bits)) <= count) {
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
      m_free(WordsFor(capacity), kFullWord),
      m_summary(WordsFor(WordsFor(capacity)), kFullWord) {
  MUSTER_ASSERT_ALWAYS(capacity > 0 && capacity <= (1U << 24U), "the capacity is 1 to 2^24 slots");
  MUSTER_ASSERT_ALWAYS((firstGeneration & 1U) == 0, "free slots have even generations");
  if (capacity % 64 != 0) {
    m_free.back() = BitOf(capacity) - 1;
  }
  if (m_free.size() % 64 != 0) {
    m_summary.back() = BitOf(m_free.size()) - 1;
  }
}

EntityHandle SlotTable::Allocate() {
  Flush();
  const std::size_t word = FirstFreeWord();
  if (word == m_free.size()) {
    return {};
  }
  const std::uint64_t bit = m_free[word] & (~m_free[word] + 1);
  const auto slot = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bit));
  m_free[word] ^= bit;
  m_live[word] |= bit;
  if (m_free[word] == 0) {
    m_summary[word / 64] &= ~BitOf(word);
  }
  ++m_liveCount;
  return {slot, ++m_generations[slot]};
}

std::size_t SlotTable::AllocateMany(std::span<EntityHandle> handles) {
  Flush();
  std::size_t made = 0;
  while (made < handles.size()) {
    const std::size_t word = FirstFreeWord();
    if (word == m_free.size()) {
      break;
    }
    std::uint64_t bits = LowestBits(m_free[word], handles.size() - made);
    Take(word, bits);
    const auto firstSlot = static_cast<std::uint32_t>(word * 64);
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t slot = firstSlot + static_cast<std::uint32_t>(std::countr_zero(bits));
      handles[made++] = {slot, m_generations[slot]};
    }
  }
  return made;
}

bool SlotTable::Free(EntityHandle handle) {
  if (!IsAlive(handle)) {
    return false;
  }
  const std::uint32_t slot = handle.Slot();
  ++m_generations[slot];
  m_live[slot / 64] &= ~BitOf(slot);
  --m_liveCount;
  if (m_quickFreeCount == kQuickFrees) {
    Flush();
  }
  m_quickFrees[m_quickFreeCount++] = slot;
  return true;
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
    freed += static_cast<std::size_t>(std::popcount(bits));
  }
  m_liveCount -= static_cast<std::uint32_t>(freed);
  return freed;
}

EntityHandle SlotTable::HandleAt(std::uint32_t slot) const {
  if (slot >= m_capacity || (m_live[slot / 64] & BitOf(slot)) == 0) {
    return {};
  }
  return {slot, m_generations[slot]};
}

void SlotTable::Flush() {
  std::size_t index = 0;
  while (index < m_quickFreeCount) {
    const std::size_t word = m_quickFrees[index] / 64;
    std::uint64_t bits = 0;
    for (; index < m_quickFreeCount && m_quickFrees[index] / 64 == word; ++index) {
      bits |= BitOf(m_quickFrees[index]);
    }
    MarkFree(word, bits);
  }
  m_quickFreeCount = 0;
}

void SlotTable::MarkFree(std::size_t word, std::uint64_t bits) {
  m_free[word] |= bits;
  m_summary[word / 64] |= BitOf(word);
  m_lowestSummary = std::min(m_lowestSummary, word / 64);
}

std::size_t SlotTable::FirstFreeWord() {
  while (m_lowestSummary < m_summary.size() && m_summary[m_lowestSummary] == 0) {
    ++m_lowestSummary;
  }
  if (m_lowestSummary == m_summary.size()) {
    return m_free.size();
  }
  return m_lowestSummary * 64 + static_cast<std::size_t>(std::countr_zero(m_summary[m_lowestSummary]));
}

void SlotTable::Take(std::size_t word, std::uint64_t bits) {
  BumpGenerations(word, bits);
  m_live[word] |= bits;
  m_free[word] ^= bits;
  if (m_free[word] == 0) {
    m_summary[word / 64] &= ~BitOf(word);
  }
  m_liveCount += static_cast<std::uint32_t>(std::popcount(bits));
}

void SlotTable::BumpGenerations(std::size_t word, std::uint64_t bits) {
  std::uint32_t* generations = m_generations.data() + word * 64;
  if (bits == kFullWord) {
    for (std::size_t index = 0; index < 64; ++index) {
      ++generations[index];
    }
  } else if (std::popcount(bits) >= kWordPathBits) {
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
