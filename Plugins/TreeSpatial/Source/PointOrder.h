// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// In which order the points of a view lie along a space-filling curve (Morton), kept from tick to tick.
//
//   if (!order.Follow(view)) { order.Sort(view); }
//   for (std::uint32_t index : order.Indices()) { ... view.x[index] ... }
//
// Sorting is by 8 bits an axis over the bounding box; what shares a cell of that and is more than a block is sorted
// again over its own box, so that one far-off point does not put everybody else into one cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "PluginApi/SpatialIndex.h"

namespace muster::tree {

/// False for a point that no query may find.
inline bool IsFinite(float x, float y, float z) {
  // Infinity minus infinity is NaN, as is anything with a NaN in it.
  return (x - x) + (y - y) + (z - z) == 0.0F;
}

class PointOrder {
 public:
  /// Takes over who has come and gone since the last call: the gone close up, the new stand at the end. False, with the
  /// order unusable until Sort, when more have come than queries should pay for.
  bool Follow(const mu_spatial_view& view);

  /// The finite points of the view, anew.
  void Sort(const mu_spatial_view& view);

  /// Whether every point of the view was finite at the last Sort.
  bool IsWhole() const { return m_isWhole; }
  /// Places in the view.
  std::span<const std::uint32_t> Indices() const { return m_indices; }
  std::uint64_t Bytes() const;

 private:
  struct Range {
    std::size_t first;
    std::size_t count;
    std::uint32_t depth;
  };

  void SortRange(const mu_spatial_view& view, const Range& range);
  void AssignKeys(const mu_spatial_view& view, const Range& range);
  void RadixSort(const Range& range);
  void Remap(const mu_spatial_view& view);

  std::vector<std::uint32_t> m_indices;
  std::vector<std::uint32_t> m_slots;     // of the view that m_indices speaks of, ascending
  std::vector<std::uint32_t> m_newIndex;  // of each old place in a view
  std::vector<std::uint64_t> m_keys;      // cell in the upper half, place in the view in the lower
  std::vector<std::uint64_t> m_scratch;
  std::vector<Range> m_pending;
  std::uint32_t m_added = 0;  // since the last Sort
  bool m_isWhole = false;
};

}  // namespace muster::tree
