// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The points of one tick, sorted into the cells of a grid over their bounding box in X and Z; a cell with more than
// kCrowd points gets a grid of its own, up to kMaxDepth deep.
//
// Why answers are exact. A point's column is floor((x - origin) * inverse) in float, and so is the column of a query's
// edge. Rounding is monotone, so x <= edge implies column(x) <= column(edge): no cell that could hold a match is left
// out, and every point of a cell strictly between two edges lies between them. The nearest and farthest corner of a box
// bound the rounded squared distance of each point in it for the same reason, which is how whole boxes are taken or
// left without a test. Everything else is tested point by point.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "Kernels.h"
#include "PluginApi/SpatialIndex.h"

namespace muster::grid {

/// Tight bounds of some points.
struct Box {
  float lowX, highX, lowY, highY, lowZ, highZ;
};

/// A sphere to look for, with what bounds it in X and Z.
struct Ball {
  /// Null-matching (IsEmpty) for a NaN centre and a NaN or negative radius.
  static Ball Around(float x, float y, float z, float radius);

  bool IsEmpty() const { return !(target.radiusSquared >= 0.0F); }
  /// Lower and upper bounds of the squared distance, as the exact test rounds it, of any point in the box.
  float NearestSquared(const Box& box) const;
  float FarthestSquared(const Box& box) const;

  Target target;
  /// A point that passes has lowX <= x <= highX and lowZ <= z <= highZ.
  float lowX, highX, lowZ, highZ;
  /// No point farther than its root in X and Z passes.
  float reachSquared;
};

class NestedGrid {
 public:
  /// `wishedCellMeters`: 0 (or nonsense) leaves the choice to the grid.
  explicit NestedGrid(float wishedCellMeters);

  void Build(const mu_spatial_view& view);

  /// Finite points, in cell order; kKernelSlack readable ones behind them.
  PointColumns Points() const {
    return {m_sorted.x.data(), m_sorted.y.data(), m_sorted.z.data(), m_sorted.radius.data(), m_sorted.slots.data()};
  }
  std::uint32_t PointCount() const { return m_pointCount; }
  std::uint32_t CellCount() const;
  std::uint64_t Bytes() const;

  /// Calls `visit(first, end, isInside)` for spans of points that hold every match; `isInside`: all of them match.
  /// Stops when it returns false.
  template <class Visit>
  void ForEachSpan(const Ball& ball, Visit&& visit) const {
    if (m_pointCount != 0 && !ball.IsEmpty()) {
      VisitGrid(m_grids.front(), ball, visit);
    }
  }

  /// True when the ball takes in every point there is.
  bool IsAllInside(const Ball& ball) const {
    return m_pointCount != 0 && ball.FarthestSquared(m_grids.front().box) <= ball.target.radiusSquared;
  }

  /// About how many points a walk for this ball would test; 0 where they are few, or
  /// where crowds make that hard to say.
  std::uint32_t EstimateCandidates(const Ball& ball) const;

  /// A radius in which about `count` points are to be expected around a place; not a bound of anything.
  float GuessRadius(float x, float y, float z, std::uint32_t count) const;

 private:
  static constexpr std::uint32_t kCrowd = 192;
  static constexpr std::uint32_t kMaxDepth = 4;
  /// So many points are tested in the time that cutting a row to the circle takes, and so many in the time that
  /// finding what of it lies inside takes.
  static constexpr std::uint32_t kCutPoints = 48;
  static constexpr std::uint32_t kInsidePoints = 96;

  struct Grid {
    Box box;
    float originX, originZ;
    float inverseX, inverseZ;  // cells a metre
    double rowMeters;
    std::uint32_t columns, rows;
    std::uint32_t begin, end;  // points
    std::uint32_t firstStart;  // m_starts[firstStart + c] .. [firstStart + c + 1]: the points of cell c
    std::uint32_t firstChild, childCount;
    std::uint32_t depth;

    std::uint32_t ColumnOf(float x) const { return CellOf((x - originX) * inverseX, columns); }
    std::uint32_t RowOf(float z) const { return CellOf((z - originZ) * inverseZ, rows); }
    /// Bounds of z of the points in a row.
    float RowLow(std::uint32_t row) const;
    float RowHigh(std::uint32_t row) const;

   private:
    static std::uint32_t CellOf(float place, std::uint32_t cells) {
      const float last = static_cast<float>(cells - 1);
      return static_cast<std::uint32_t>(std::min(std::max(place, 0.0F), last));
    }
  };
  struct Child {
    std::uint32_t cell;
    std::uint32_t grid;
  };
  struct Columns {
    std::vector<float> x, y, z, radius;
    std::vector<std::uint32_t> slots;

    void Reserve(std::size_t count);
  };
  /// x, y, z, and the bits of the place in the view.
  struct alignas(16) Packed {
    float lanes[4];
  };
  struct ColumnRange {
    std::uint32_t first, last;
    bool isEmpty;
  };

  void ChooseCells(Grid& grid, std::uint32_t count) const;
  void SortInto(Grid& grid, const PointColumns& source, std::uint32_t count, const std::uint32_t* places);
  void Unpack(std::uint32_t first, std::uint32_t end);
  void AssignCells(const Grid& grid, const PointColumns& source, std::uint32_t count, std::uint32_t* counts);
  void AddChildren(std::uint32_t gridIndex);

  static ColumnRange Chord(const Grid& grid, const Ball& ball, float rowLow, float rowHigh);
  static ColumnRange InsideChord(const Grid& grid, const Ball& ball, float rowLow, float rowHigh,
                                 const ColumnRange& chord);

  template <class Visit>
  bool VisitGrid(const Grid& grid, const Ball& ball, Visit&& visit) const;
  template <class Visit>
  bool VisitRow(const Grid& grid, const Ball& ball, std::uint32_t row, const ColumnRange& within, Visit&& visit) const;
  template <class Visit>
  bool VisitCells(const Grid& grid, const Ball& ball, std::uint32_t firstCell, std::uint32_t lastCell,
                  Visit&& visit) const;

  float m_wishedCell;
  std::uint32_t m_pointCount = 0;
  Columns m_sorted;
  std::vector<Packed> m_packed;
  std::vector<std::uint32_t> m_cellOf;
  std::vector<std::uint32_t> m_starts;
  std::size_t m_startsUsed = 0;
  std::vector<Grid> m_grids;
  std::vector<Child> m_children;         // of one grid together, by cell
  std::vector<std::uint32_t> m_crowded;  // cells of the grid that was sorted last
};

template <class Visit>
bool NestedGrid::VisitGrid(const Grid& grid, const Ball& ball, Visit&& visit) const {
  if (ball.NearestSquared(grid.box) > ball.target.radiusSquared) {
    return true;
  }
  if (ball.FarthestSquared(grid.box) <= ball.target.radiusSquared) {
    return visit(grid.begin, grid.end, true);
  }
  const std::uint32_t firstRow = grid.RowOf(ball.lowZ);
  const std::uint32_t lastRow = grid.RowOf(ball.highZ);
  if (lastRow - firstRow < 3) {
    // Cutting the corners of so few rows costs more than testing what is in them.
    const std::uint32_t first = grid.ColumnOf(ball.lowX);
    const std::uint32_t last = grid.ColumnOf(ball.highX);
    for (std::uint32_t row = firstRow; row <= lastRow; ++row) {
      if (!VisitCells(grid, ball, row * grid.columns + first, row * grid.columns + last, visit)) {
        return false;
      }
    }
    return true;
  }
  if (grid.end - grid.begin < (lastRow - firstRow + 1) * kCutPoints) {
    return visit(grid.begin, grid.end, false);
  }
  const ColumnRange within{grid.ColumnOf(ball.lowX), grid.ColumnOf(ball.highX), false};
  for (std::uint32_t row = firstRow; row <= lastRow; ++row) {
    if (!VisitRow(grid, ball, row, within, visit)) {
      return false;
    }
  }
  return true;
}

template <class Visit>
bool NestedGrid::VisitRow(const Grid& grid, const Ball& ball, std::uint32_t row, const ColumnRange& within,
                          Visit&& visit) const {
  const std::uint32_t base = row * grid.columns;
  const std::uint32_t* const starts = m_starts.data() + grid.firstStart + base;
  if (starts[within.last + 1] - starts[within.first] <= kCutPoints) {
    return VisitCells(grid, ball, base + within.first, base + within.last, visit);
  }
  const float low = grid.RowLow(row);
  const float high = grid.RowHigh(row);
  const ColumnRange chord = Chord(grid, ball, low, high);
  if (chord.isEmpty) {
    return true;
  }
  if (chord.last - chord.first < 4 || starts[chord.last + 1] - starts[chord.first] <= kInsidePoints) {
    return VisitCells(grid, ball, base + chord.first, base + chord.last, visit);
  }
  const ColumnRange inside = InsideChord(grid, ball, low, high, chord);
  if (inside.isEmpty) {
    return VisitCells(grid, ball, base + chord.first, base + chord.last, visit);
  }
  return VisitCells(grid, ball, base + chord.first, base + inside.first - 1, visit) &&
         visit(starts[inside.first], starts[inside.last + 1], true) &&
         VisitCells(grid, ball, base + inside.last + 1, base + chord.last, visit);
}

template <class Visit>
bool NestedGrid::VisitCells(const Grid& grid, const Ball& ball, std::uint32_t firstCell, std::uint32_t lastCell,
                            Visit&& visit) const {
  std::uint32_t begin = m_starts[grid.firstStart + firstCell];
  const std::uint32_t end = m_starts[grid.firstStart + lastCell + 1];
  if (begin == end) {
    return true;
  }
  if (grid.childCount != 0) {
    const Child* const childrenEnd = m_children.data() + grid.firstChild + grid.childCount;
    const Child* child = std::lower_bound(m_children.data() + grid.firstChild, childrenEnd, firstCell,
                                          [](const Child& one, std::uint32_t cell) { return one.cell < cell; });
    for (; child != childrenEnd && child->cell <= lastCell; ++child) {
      const Grid& nested = m_grids[child->grid];
      if (begin != nested.begin && !visit(begin, nested.begin, false)) {
        return false;
      }
      if (!VisitGrid(nested, ball, visit)) {
        return false;
      }
      begin = nested.end;
    }
  }
  return begin == end || visit(begin, end, false);
}

}  // namespace muster::grid
