// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which slots live, under which generation, and which is given out next: the lowest free one.
//
// Free slots are a bitmap with a bitmap of its non-empty words above it. A single free goes into a list of 64 entries
// first, which is flushed into the bitmap word by word when it is full and before anything is given out. The list only
// collects: what is given out depends on the bitmap alone, so the order of frees leaves no trace.
#pragma once

#include "World/EntityHandle.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::world {

class SlotTable {
 public:
  /// `firstGeneration` is even: the generation of every slot before its first use.
  explicit SlotTable(std::uint32_t capacity, std::uint32_t firstGeneration = 0);

  /// Null when full.
  EntityHandle Allocate();
  std::size_t AllocateMany(std::span<EntityHandle> handles);

  /// False when the handle is stale.
  bool Free(EntityHandle handle);
  /// Frees every live slot whose bit is set; returns how many.
  std::size_t FreeSlots(std::span<const std::uint64_t> slotBits);

  bool IsAlive(EntityHandle handle) const {
    const std::uint32_t slot = handle.Slot();
    return slot < m_capacity && (handle.Generation() & 1U) != 0 && m_generations[slot] == handle.Generation();
  }
  EntityHandle HandleAt(std::uint32_t slot) const;
  std::uint32_t GenerationAt(std::uint32_t slot) const { return m_generations[slot]; }

  std::uint32_t Capacity() const { return m_capacity; }
  std::uint32_t LiveCount() const { return m_liveCount; }
  std::span<const std::uint64_t> LiveBits() const { return m_live; }

 private:
  static constexpr std::size_t kQuickFrees = 64;

  void Flush();
  void MarkFree(std::size_t word, std::uint64_t bits);
  /// The lowest word with a free slot; the number of words when there is none.
  std::size_t FirstFreeWord();
  /// Turns the free slots `bits` of `word` into live ones.
  void Take(std::size_t word, std::uint64_t bits);
  void BumpGenerations(std::size_t word, std::uint64_t bits);

  std::uint32_t m_capacity;
  std::uint32_t m_liveCount = 0;
  std::vector<std::uint32_t> m_generations;  // rounded up to whole words
  std::vector<std::uint64_t> m_live;
  std::vector<std::uint64_t> m_free;
  std::vector<std::uint64_t> m_summary;  // bit w % 64 of word w / 64: m_free[w] is not zero
  std::size_t m_lowestSummary = 0;       // every summary word below is zero
  std::array<std::uint32_t, kQuickFrees> m_quickFrees{};
  std::size_t m_quickFreeCount = 0;
};

}  // namespace muster::world
