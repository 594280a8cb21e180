// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The entity store: handles, lifetime and columns of one world.
//
//   const EntityHandle handle = store.Create();          // lowest free slot; columns of the slot are zeroed
//   store.Column(health)[handle.Slot()] = 1.0F;
//   store.Destroy(handle);                               // takes part in nothing from here on
//   for (const std::uint32_t slot : store.LiveSlots())   // ascending, O(live)
//
// Order is canonical: which slot comes next depends on which slots are free, never on the history of frees. Frees are
// collected in a 64-entry list and flushed into the bitmap word by word before the next allocation.
//
// Threads: everything here is [sim] at the one point of the tick where structure changes, but the const queries, which
// are [worker] between two such points. Workers record what they want in a CommandBuffer (CommandBuffer.h).
#pragma once

#include "Core/Assert.h"
#include "Core/Hash.h"
#include "World/Columns.h"
#include "World/EntityHandle.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace muster::world {

struct EntityStoreConfig {
  /// Slots; fixed for the life of the store. 1..2^24.
  std::uint32_t capacity = 20'000;
};

class EntityStore {
 public:
  EntityStore(const ColumnRegistry& registry, const EntityStoreConfig& config);
  ~EntityStore();
  EntityStore(const EntityStore&) = delete;
  EntityStore& operator=(const EntityStore&) = delete;

  /// A new entity in the lowest free slot, its columns zeroed. Null when the store is full.
  EntityHandle Create();

  /// Fills `handles` in ascending slot order; returns how many there was room for.
  std::size_t CreateMany(std::span<EntityHandle> handles);

  /// False when the handle is stale.
  bool Destroy(EntityHandle handle);

  /// Stale handles are passed over; returns how many died.
  std::size_t DestroyMany(std::span<const EntityHandle> handles);

  /// Destroys every live slot whose bit is set (bit `slot % 64` of word `slot / 64`); whole words at once.
  std::size_t DestroySlots(std::span<const std::uint64_t> slotBits);

  bool IsAlive(EntityHandle handle) const;

  /// The handle of a live slot; null for a free one.
  EntityHandle HandleAt(std::uint32_t slot) const;

  std::uint32_t Capacity() const;
  std::uint32_t LiveCount() const;

  /// Live slots as bits, 64 a word; `Capacity()` rounded up. Valid until structure changes.
  std::span<const std::uint64_t> LiveBits() const;

  /// Live slots, ascending. Rebuilt when structure changed; valid until it changes again. [sim] to call.
  std::span<const std::uint32_t> LiveSlots() const;

  template <class T>
  std::span<T> Column(ColumnId<T> id) {
    MUSTER_ASSERT(ColumnStride(id.index) == sizeof(T), "a column of another type, or of another registry");
    return {static_cast<T*>(ColumnData(id.index)), Capacity()};
  }
  template <class T>
  std::span<const T> Column(ColumnId<T> id) const {
    MUSTER_ASSERT(ColumnStride(id.index) == sizeof(T), "a column of another type, or of another registry");
    return {static_cast<const T*>(ColumnData(id.index)), Capacity()};
  }

  /// The first element. Cache-line aligned and whole words of 64 slots long, past the capacity if need be.
  void* ColumnData(ColumnIndex index);
  const void* ColumnData(ColumnIndex index) const;

  /// Adds a byte column at run time (a controller's blackboards), zeroed; `strideBytes` is a multiple of 8.
  ColumnIndex AddByteColumn(ColumnOptions options, std::size_t strideBytes);
  /// Gives its memory back. The index is not used again.
  void DropColumn(ColumnIndex index);
  std::size_t ColumnStride(ColumnIndex index) const;

  /// Feeds live bits, generations of live slots, and the state columns' elements of live slots, in column then slot
  /// order: equal worlds give equal digests whatever their history.
  void UpdateDigest(Digest64& digest) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

}  // namespace muster::world
