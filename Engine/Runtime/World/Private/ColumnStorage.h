// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The memory of one column: one block, cache-line aligned, whole words of 64 slots long.
#pragma once

#include "World/Columns.h"

#include <cstddef>
#include <cstdint>

namespace muster::world {

class ColumnStorage {
 public:
  /// `slots` is rounded up to 64, so that a loop over whole words stays inside. Bases of neighbouring columns differ by
  /// odd multiples of a cache line: page-aligned bases cost a fused loop over columns a third of its speed.
  ColumnStorage(const ColumnDescriptor& descriptor, ColumnIndex index, std::size_t slots);
  ColumnStorage(ColumnStorage&& other) noexcept;
  ColumnStorage& operator=(ColumnStorage&& other) noexcept;
  ColumnStorage(const ColumnStorage&) = delete;
  ColumnStorage& operator=(const ColumnStorage&) = delete;
  ~ColumnStorage();

  std::byte* Data() const { return m_data; }
  std::size_t Stride() const { return m_stride; }
  bool IsDropped() const { return m_data == nullptr; }

  /// Gives the memory back.
  void Drop();
  void Zero(std::size_t firstSlot, std::size_t slotCount);

 private:
  void* m_block = nullptr;
  std::byte* m_data = nullptr;
  std::size_t m_stride = 0;
};

}  // namespace muster::world
