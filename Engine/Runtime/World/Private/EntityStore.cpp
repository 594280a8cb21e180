// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "World/EntityStore.h"

#include "ColumnStorage.h"
#include "Core/Assert.h"
#include "SlotTable.h"
#include "World/LiveRuns.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace muster::world {

struct EntityStore::Implementation {
  Implementation(const ColumnRegistry& columnRegistry, std::uint32_t capacity)
      : slots{capacity}, descriptors{columnRegistry.Descriptors()} {
    columns.reserve(descriptors.size());
    for (std::size_t index = 0; index < descriptors.size(); ++index) {
      columns.emplace_back(descriptors[index], static_cast<ColumnIndex>(index), capacity);
    }
    liveSlots.reserve(capacity);
    SortColumns();
  }

  /// After columns came or went.
  void SortColumns() {
    fourByteColumns.clear();
    eightByteColumns.clear();
    otherColumns.clear();
    for (const ColumnStorage& column : columns) {
      if (column.IsDropped()) {
        continue;
      }
      if (column.Stride() == 4) {
        fourByteColumns.push_back(column.Data());
      } else if (column.Stride() == 8) {
        eightByteColumns.push_back(column.Data());
      } else {
        otherColumns.push_back({column.Data(), column.Stride()});
      }
    }
  }

  // One store a column of a usual size: a spawn is made of little else. Returns what it is given and stays out of line,
  // so that Create ends with a jump and keeps no frame for it.
  [[gnu::noinline]] EntityHandle ZeroSlot(EntityHandle handle) {
    const std::size_t slot = handle.Slot();
    for (std::byte* const column : fourByteColumns) {
      std::memset(column + slot * 4, 0, 4);
    }
    for (std::byte* const column : eightByteColumns) {
      std::memset(column + slot * 8, 0, 8);
    }
    for (const OddColumn& column : otherColumns) {
      std::memset(column.data + slot * column.stride, 0, column.stride);
    }
    return handle;
  }

  void ZeroSlots(std::size_t firstSlot, std::size_t slotCount) {
    for (ColumnStorage& column : columns) {
      if (!column.IsDropped()) {
        column.Zero(firstSlot, slotCount);
      }
    }
  }

  struct OddColumn {
    std::byte* data;
    std::size_t stride;
  };

  SlotTable slots;
  std::vector<ColumnDescriptor> descriptors;
  std::vector<ColumnStorage> columns;
  // Where the columns that are there begin, by the size of an element.
  std::vector<std::byte*> fourByteColumns;
  std::vector<std::byte*> eightByteColumns;
  std::vector<OddColumn> otherColumns;

  // A cache of what the bits say; `capacity` reserved, so that a refill allocates nothing.
  std::vector<std::uint32_t> liveSlots;
  bool isLiveSlotsCurrent = true;
};

EntityStore::EntityStore(const ColumnRegistry& registry, const EntityStoreConfig& config)
    : m_implementation{std::make_unique<Implementation>(registry, config.capacity)} {}

EntityStore::~EntityStore() = default;

EntityHandle EntityStore::Create() {
  Implementation& self = *m_implementation;
  const EntityHandle handle = self.slots.Allocate();
  if (handle.IsNull()) {
    return handle;
  }
  self.isLiveSlotsCurrent = false;
  return self.columns.empty() ? handle : self.ZeroSlot(handle);
}

std::size_t EntityStore::CreateMany(std::span<EntityHandle> handles) {
  Implementation& self = *m_implementation;
  const std::size_t made = self.slots.AllocateMany(handles);
  if (made == 0 || self.columns.empty()) {
    self.isLiveSlotsCurrent &= made == 0;
    return made;
  }
  self.isLiveSlotsCurrent = false;
  std::size_t first = 0;
  while (first < made) {
    std::size_t next = first + 1;
    while (next < made && handles[next].Slot() == handles[next - 1].Slot() + 1) {
      ++next;
    }
    if (next - first == 1) {
      self.ZeroSlot(handles[first]);
    } else {
      self.ZeroSlots(handles[first].Slot(), next - first);
    }
    first = next;
  }
  return made;
}

bool EntityStore::Destroy(EntityHandle handle) {
  Implementation& self = *m_implementation;
  if (!self.slots.Free(handle)) {
    return false;
  }
  self.isLiveSlotsCurrent = false;
  return true;
}

std::size_t EntityStore::DestroyMany(std::span<const EntityHandle> handles) {
  Implementation& self = *m_implementation;
  std::size_t freed = 0;
  for (const EntityHandle handle : handles) {
    freed += self.slots.Free(handle) ? 1U : 0U;
  }
  self.isLiveSlotsCurrent &= freed == 0;
  return freed;
}

std::size_t EntityStore::DestroySlots(std::span<const std::uint64_t> slotBits) {
  const std::size_t freed = m_implementation->slots.FreeSlots(slotBits);
  m_implementation->isLiveSlotsCurrent &= freed == 0;
  return freed;
}

bool EntityStore::IsAlive(EntityHandle handle) const {
  return m_implementation->slots.IsAlive(handle);
}

EntityHandle EntityStore::HandleAt(std::uint32_t slot) const {
  return m_implementation->slots.HandleAt(slot);
}

std::uint32_t EntityStore::Capacity() const {
  return m_implementation->slots.Capacity();
}

std::uint32_t EntityStore::LiveCount() const {
  return m_implementation->slots.LiveCount();
}

std::span<const std::uint64_t> EntityStore::LiveBits() const {
  return m_implementation->slots.LiveBits();
}

std::span<const std::uint32_t> EntityStore::LiveSlots() const {
  if (!m_implementation->isLiveSlotsCurrent) {
    m_implementation->liveSlots.clear();
    ForEachLive(LiveBits(), [this](std::uint32_t slot) { m_implementation->liveSlots.push_back(slot); });
    m_implementation->isLiveSlotsCurrent = true;
  }
  return m_implementation->liveSlots;
}

const void* EntityStore::ColumnData(ColumnIndex index) const {
  MUSTER_ASSERT(index < m_implementation->columns.size() && !m_implementation->columns[index].IsDropped(),
                "a column that was never added, or was dropped");
  return m_implementation->columns[index].Data();
}

void* EntityStore::ColumnData(ColumnIndex index) {
  MUSTER_ASSERT(index < m_implementation->columns.size() && !m_implementation->columns[index].IsDropped(),
                "a column that was never added, or was dropped");
  return m_implementation->columns[index].Data();
}

ColumnIndex EntityStore::AddByteColumn(ColumnOptions options, std::size_t strideBytes) {
  Implementation& self = *m_implementation;
  MUSTER_ASSERT_ALWAYS(strideBytes > 0 && strideBytes % 8 == 0, "a byte column's stride is a multiple of 8");
  for (std::size_t index = 0; index < self.columns.size(); ++index) {
    MUSTER_ASSERT_ALWAYS(self.columns[index].IsDropped() || self.descriptors[index].name != options.name,
                         "two columns of one name");
  }
  const auto added = static_cast<ColumnIndex>(self.columns.size());
  self.descriptors.push_back({std::move(options.name), strideBytes, 8, options.isState});
  self.columns.emplace_back(self.descriptors.back(), added, Capacity());
  self.SortColumns();
  return added;
}

void EntityStore::DropColumn(ColumnIndex index) {
  MUSTER_ASSERT_ALWAYS(index < m_implementation->columns.size(), "a column that was never added");
  m_implementation->columns[index].Drop();
  m_implementation->SortColumns();
}

std::size_t EntityStore::ColumnStride(ColumnIndex index) const {
  MUSTER_ASSERT(index < m_implementation->columns.size(), "a column that was never added");
  return m_implementation->columns[index].Stride();
}

void EntityStore::UpdateDigest(Digest64& digest) const {
  const std::span<const std::uint64_t> bits = LiveBits();
  digest.Update(std::as_bytes(bits));
  ForEachLive(bits, [&](std::uint32_t slot) { digest.Update(m_implementation->slots.GenerationAt(slot)); });
  for (std::size_t index = 0; index < m_implementation->columns.size(); ++index) {
    const ColumnStorage& column = m_implementation->columns[index];
    if (column.IsDropped() || !m_implementation->descriptors[index].isState) {
      continue;
    }
    // Where runs begin and end is said by the live bits, so a digest by runs is as canonical as one by slots.
    ForEachRun(bits, [&](std::uint32_t first, std::uint32_t count) {
      digest.Update(std::span<const std::byte>{column.Data() + first * column.Stride(), count * column.Stride()});
    });
  }
}

}  // namespace muster::world
