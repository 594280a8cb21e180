// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which slots live, under which generation, and which is given out next: the lowest free one.
//
// Free slots are a bitmap with a bitmap of its non-empty words above it. A single free goes into a list of 64 entries
// first, which is flushed into the bitmap word by word when it is full and before anything is given out - but for a list
// of one whose slot is the lowest anyway. The list only collects: what is given out is the lowest free slot, so the order
// of frees leaves no trace.
#pragma once

#include "World/EntityHandle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::world {

class SlotTable {
 public:
  /// `firstGeneration` is even: the generation of every slot before its first use.
  explicit SlotTable(std::uint32_t capacity, std::uint32_t firstGeneration = 0);

  /// Null when full. The rare ways through are calls in tail position, so that the usual one needs no frame.
  EntityHandle Allocate() {
    if (m_quickFreeCount != 0) {
      // Who replaces one entity at a time gets the slot back without a detour through the bitmap: it is the lowest.
      if (m_quickFreeCount == 1 && m_quickFrees[0] / 64 < m_lowestFreeWord) {
        m_quickFreeCount = 0;
        const std::uint32_t slot = m_quickFrees[0];
        m_live[slot / 64] |= std::uint64_t{1} << (slot % 64);
        return {slot, ++m_generations[slot]};
      }
      return AllocateAfterFlush();
    }
    const std::size_t word = m_lowestFreeWord;
    const std::uint64_t free = m_free[word];
    if (free == 0) {
      return AllocateFromNextWord();
    }
    const std::uint64_t rest = free & (free - 1);
    m_free[word] = rest;
    m_live[word] |= free ^ rest;
    ++m_takenCount;
    const auto slot = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(free));
    return {slot, ++m_generations[slot]};
  }
  std::size_t AllocateMany(std::span<EntityHandle> handles);

  /// False when the handle is stale.
  bool Free(EntityHandle handle) {
    if (!IsAlive(handle)) {
      return false;
    }
    if (m_quickFreeCount == kQuickFrees) {
      return FreeAfterFlush(handle);
    }
    const std::uint32_t slot = handle.Slot();
    m_generations[slot] = handle.Generation() + 1;
    m_live[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    m_quickFrees[m_quickFreeCount++] = slot;
    return true;
  }
  /// Frees every live slot whose bit is set; returns how many.
  std::size_t FreeSlots(std::span<const std::uint64_t> slotBits);

  bool IsAlive(EntityHandle handle) const {
    const std::uint32_t slot = handle.Slot();
    return slot < m_capacity && (handle.Generation() & 1U) != 0 && m_generations[slot] == handle.Generation();
  }
  EntityHandle HandleAt(std::uint32_t slot) const;
  std::uint32_t GenerationAt(std::uint32_t slot) const { return m_generations[slot]; }

  std::uint32_t Capacity() const { return m_capacity; }
  std::uint32_t LiveCount() const { return m_takenCount - static_cast<std::uint32_t>(m_quickFreeCount); }
  std::span<const std::uint64_t> LiveBits() const { return m_live; }

 private:
  static constexpr std::size_t kQuickFrees = 64;

  void Flush();
  void MarkFree(std::size_t word, std::uint64_t bits) {
    // Written only when it changes: a run of writes to one summary word would wait for each other.
    if (m_free[word] == 0) {
      m_summary[word / 64] |= std::uint64_t{1} << (word % 64);
    }
    m_free[word] |= bits;
  }
  EntityHandle AllocateAfterFlush();
  EntityHandle AllocateFromNextWord();
  bool FreeAfterFlush(EntityHandle handle);
  /// Moves m_lowestFreeWord on until its word has a free slot; false when there is none.
  bool FindFreeWord();
  /// Turns the free slots `bits` of the lowest word with a free slot into live ones.
  void Take(std::size_t word, std::uint64_t bits);
  void BumpGenerations(std::size_t word, std::uint64_t bits);

  std::uint32_t m_capacity;
  std::uint32_t m_takenCount = 0;            // slots that are not free in the bitmap: live, or in the quick list
  std::vector<std::uint32_t> m_generations;  // rounded up to whole words
  std::vector<std::uint64_t> m_live;
  std::vector<std::uint64_t> m_free;     // and one word that is always zero
  std::vector<std::uint64_t> m_summary;  // bit w % 64 of word w / 64 is set where m_free[w] is not zero
  // No word below has a free slot, and nothing below is set in m_summary; the number of words when all are taken.
  std::size_t m_lowestFreeWord = 0;
  std::array<std::uint32_t, kQuickFrees> m_quickFrees{};
  std::size_t m_quickFreeCount = 0;
};

}  // namespace muster::world
