// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Columns: the state of a world, one array for each property, indexed by slot, owned by the host.
//
//   ColumnRegistry registry;
//   const ColumnId<float> health = registry.Add<float>({.name = "health"});
//   EntityStore store{registry, {.capacity = 20'000}};
//   std::span<float> values = store.Column(health);   // one element for each slot, live or not
//
// Columns are trivially copyable and described by data (name, element size, alignment), so that plugins can come and go
// without owning storage. The registry is complete before the store is made; controllers' blackboards are byte columns
// that the store can add and drop at a tick boundary.
//
// Threads: [sim] for everything that changes structure; element access follows the stage's partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::world {

/// Index of an untyped column. Stable for the life of the registry.
using ColumnIndex = std::uint32_t;

/// A column that holds T.
template <class T>
struct ColumnId {
  static_assert(std::is_trivially_copyable_v<T>);
  ColumnIndex index = 0;
};

struct ColumnOptions {
  std::string name;
  /// Columns that make up the authoritative state. Scratch columns (false) are left out of digests and saves.
  bool isState = true;
};

struct ColumnDescriptor {
  std::string name;
  std::size_t elementBytes = 0;
  std::size_t alignmentBytes = 0;
  bool isState = true;
};

class ColumnRegistry {
 public:
  /// Adds a column; names are unique (asserted).
  template <class T>
  ColumnId<T> Add(ColumnOptions options) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {AddRaw(std::move(options), sizeof(T), alignof(T))};
  }

  ColumnIndex AddRaw(ColumnOptions options, std::size_t elementBytes, std::size_t alignmentBytes);

  const std::vector<ColumnDescriptor>& Descriptors() const { return m_descriptors; }

 private:
  std::vector<ColumnDescriptor> m_descriptors;
};

}  // namespace muster::world
