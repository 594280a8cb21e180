// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The points of one tick in blocks of sixteen, each with its tight box, under nodes of sixteen boxes, up to a top of a
// few nodes. Which point lies in which block is the caller's order; Fit takes the positions and makes the boxes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "Kernels.h"
#include "PluginApi/SpatialIndex.h"

namespace muster::tree {

/// The sphere of a query; matches nothing for a NaN centre and a NaN or negative radius.
inline Target Around(float x, float y, float z, float radius) {
  const bool isUsable = radius >= 0.0F && x == x && y == y && z == z;
  return {x, y, z, isUsable ? radius * radius : __builtin_nanf("")};
}

inline bool IsEmpty(const Target& target) {
  return !(target.radiusSquared >= 0.0F);
}

class BlockTree {
 public:
  explicit BlockTree(const Kernels& kernels) : m_kernels{kernels} {}

  /// The points of the view at `order`, in that order. False when one of them is not finite: then the tree holds
  /// nothing that may be asked.
  bool Fit(const mu_spatial_view& view, std::span<const std::uint32_t> order);

  /// Remembers how wide the blocks are now, for HasSpread.
  void NoteWidths();
  /// More than an eighth of the blocks have become half as wide again since NoteWidths: the order is old.
  bool HasSpread() const;

  /// Finite points in the tree's order; kKernelSlack readable ones behind them.
  PointColumns Points() const { return {m_x.data(), m_y.data(), m_z.data(), m_radius.data(), m_slots.data()}; }
  std::uint32_t PointCount() const { return m_count; }
  std::uint32_t BoxCount() const;
  std::uint64_t Bytes() const;

  /// Calls `visit(first, end, isInside)` for spans of points that hold every match; `isInside`: all of them match.
  /// Stops when it returns false. `target` is read anew at each step, so that the visitor may narrow it.
  template <class Visit>
  void ForEachSpan(const Target& target, Visit&& visit) const {
    if (m_count == 0 || IsEmpty(target)) {
      return;
    }
    const auto top = static_cast<std::uint32_t>(m_levels.size() - 1);
    for (std::uint32_t node = 0; node < m_levels[top].nodes.size(); ++node) {
      if (!VisitNode(top, node, target, visit)) {
        return;
      }
    }
  }

  /// Points in boxes that match as a whole, as far as the top tells.
  std::uint32_t CountInsideAtTop(const Target& target) const;

  /// A squared distance of the target within which at least `wanted` points lie; infinite where that is all points.
  float EnoughSquared(const Target& target, std::uint32_t wanted) const;

 private:
  /// A level of few nodes needs none above it.
  static constexpr std::uint32_t kTopNodes = 4;

  struct Level {
    std::vector<BoxNode> nodes;
    std::uint32_t boxes = 0;
  };

  std::uint32_t LanesOf(std::uint32_t level, std::uint32_t node) const {
    const std::uint32_t lanes = std::min(m_levels[level].boxes - node * kWidth, kWidth);
    return (1U << lanes) - 1U;
  }
  /// Points below one box of a level, as a shift.
  static std::uint32_t ShiftOf(std::uint32_t level) { return 4 * (level + 1); }
  std::uint32_t CountBelow(std::uint32_t level, std::uint32_t box) const {
    const std::uint32_t first = box << ShiftOf(level);
    return std::min(m_count - first, 1U << ShiftOf(level));
  }

  void Reserve(std::size_t count);
  void FitLevel(Level& upper, const Level& lower) const;

  template <class Visit>
  bool VisitNode(std::uint32_t level, std::uint32_t node, const Target& target, Visit&& visit) const {
    const BoxHits hits = m_kernels.testBoxes(m_levels[level].nodes[node], target);
    const std::uint32_t shift = ShiftOf(level);
    std::uint32_t near = hits.near & LanesOf(level, node);
    while (near != 0) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(near));
      const bool isInside = (hits.inside >> lane & 1U) != 0;
      if (level != 0 && !isInside) {
        if (!VisitNode(level - 1, node * kWidth + lane, target, visit)) {
          return false;
        }
        near &= near - 1;
        continue;
      }
      // Neighbours of one kind are one span.
      const std::uint32_t alike = (isInside ? hits.inside : ~hits.inside) & near;
      const auto run = static_cast<std::uint32_t>(std::countr_one(alike >> lane));
      const std::uint32_t first = (node * kWidth + lane) << shift;
      const auto end =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(first + (std::uint64_t{run} << shift), m_count));
      if (!visit(first, end, isInside)) {
        return false;
      }
      near &= ~(((1U << run) - 1U) << lane);
    }
    return true;
  }

  const Kernels& m_kernels;
  std::uint32_t m_count = 0;
  std::vector<float> m_x, m_y, m_z, m_radius;
  std::vector<std::uint32_t> m_slots;
  std::vector<Level> m_levels;  // the first bounds the blocks; never empty once there are points
  std::vector<float> m_widths;  // of the blocks, padded to whole nodes
};

}  // namespace muster::tree
