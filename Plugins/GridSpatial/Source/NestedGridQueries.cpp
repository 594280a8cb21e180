// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a query asks of a NestedGrid; NestedGrid.cpp builds it.
#include <cmath>
#include <numbers>

#include "NestedGrid.h"

namespace muster::grid {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

// Float rounding moves an edge by a few 1e-7; the margins are wider. The absolute one covers squares that underflow,
// also where subnormals are flushed to zero.
constexpr double kReachFactor = 1.0 + 2e-6;
constexpr double kReachMeters = 2e-19;
constexpr double kEdgeMargin = 1e-6;
// A rectangle of one in so many cells counts as few.
constexpr std::uint32_t kFewCells = 24;
constexpr float kInsideFactor = 1.0F - 1e-5F;

}  // namespace

Ball Ball::Around(float x, float y, float z, float radius) {
  const bool isUsable = radius >= 0.0F && x == x && y == y && z == z;
  const float radiusSquared = isUsable ? radius * radius : std::numeric_limits<float>::quiet_NaN();
  const double reach = static_cast<double>(radius) * kReachFactor + kReachMeters;
  if (!isUsable || reach * reach >= static_cast<double>(kLargest)) {
    return {{x, y, z, radiusSquared}, -kInfinity, kInfinity, -kInfinity, kInfinity, kInfinity};
  }
  // Casts round to nearest, which keeps every float on the side of the bound where it was.
  return {{x, y, z, radiusSquared},
          static_cast<float>(static_cast<double>(x) - reach),
          static_cast<float>(static_cast<double>(x) + reach),
          static_cast<float>(static_cast<double>(z) - reach),
          static_cast<float>(static_cast<double>(z) + reach),
          static_cast<float>(reach * reach)};
}

float Ball::NearestSquared(const Box& box) const {
  const float dx = std::max(std::max(box.lowX - target.x, target.x - box.highX), 0.0F);
  const float dy = std::max(std::max(box.lowY - target.y, target.y - box.highY), 0.0F);
  const float dz = std::max(std::max(box.lowZ - target.z, target.z - box.highZ), 0.0F);
  return (dx * dx + dz * dz) + dy * dy;
}

float Ball::FarthestSquared(const Box& box) const {
  const float dx = std::max(std::fabs(box.lowX - target.x), std::fabs(box.highX - target.x));
  const float dy = std::max(std::fabs(box.lowY - target.y), std::fabs(box.highY - target.y));
  const float dz = std::max(std::fabs(box.lowZ - target.z), std::fabs(box.highZ - target.z));
  return (dx * dx + dz * dz) + dy * dy;
}

float NestedGrid::Grid::RowLow(std::uint32_t row) const {
  if (row == 0) {
    return box.lowZ;
  }
  return static_cast<float>(static_cast<double>(originZ) + row * rowMeters * (1.0 - kEdgeMargin));
}

float NestedGrid::Grid::RowHigh(std::uint32_t row) const {
  if (row + 1 == rows) {
    return box.highZ;
  }
  return static_cast<float>(static_cast<double>(originZ) + (row + 1.0) * rowMeters * (1.0 + kEdgeMargin));
}

NestedGrid::ColumnRange NestedGrid::Chord(const Grid& grid, const Ball& ball, float rowLow, float rowHigh) {
  if (ball.reachSquared == kInfinity) {
    return {0, grid.columns - 1, false};
  }
  const float dz = std::max(std::max(rowLow - ball.target.z, ball.target.z - rowHigh), 0.0F);
  const float halfSquared = ball.reachSquared - dz * dz;
  if (halfSquared < 0.0F) {
    return {0, 0, true};
  }
  const float half = std::sqrt(halfSquared);
  return {grid.ColumnOf(ball.target.x - half), grid.ColumnOf(ball.target.x + half), false};
}

// The columns of the row in which every point matches, with one column of the chord left on either side.
NestedGrid::ColumnRange NestedGrid::InsideChord(const Grid& grid, const Ball& ball, float rowLow, float rowHigh,
                                                const ColumnRange& chord) {
  constexpr ColumnRange kNone{0, 0, true};
  const Target& target = ball.target;
  const float dz = std::max(std::fabs(rowLow - target.z), std::fabs(rowHigh - target.z));
  const float dy = std::max(std::fabs(grid.box.lowY - target.y), std::fabs(grid.box.highY - target.y));
  const float halfSquared = target.radiusSquared * kInsideFactor - dz * dz - dy * dy;
  if (!(halfSquared > 0.0F)) {
    return kNone;
  }
  const float half = std::sqrt(halfSquared);
  const float low = target.x - half;
  const float high = target.x + half;
  // The proof: what the exact test makes of the farthest point that can be in those cells.
  const float dx = std::max(target.x - low, high - target.x);
  if (!((dx * dx + dz * dz) + dy * dy <= target.radiusSquared)) {
    return kNone;
  }
  const std::uint32_t first = std::max(grid.ColumnOf(low), chord.first) + 1;
  const std::uint32_t end = std::min(grid.ColumnOf(high), chord.last);
  return first < end ? ColumnRange{first, end - 1, false} : kNone;
}

std::uint32_t NestedGrid::EstimateCandidates(const Ball& ball) const {
  if (m_pointCount == 0 || ball.IsEmpty() || m_grids.front().childCount != 0) {
    return 0;
  }
  const Grid& grid = m_grids.front();
  const std::uint32_t firstColumn = grid.ColumnOf(ball.lowX);
  const std::uint32_t lastColumn = grid.ColumnOf(ball.highX);
  const std::uint32_t firstRow = grid.RowOf(ball.lowZ);
  const std::uint32_t lastRow = grid.RowOf(ball.highZ);
  const std::uint64_t cells = std::uint64_t{lastRow - firstRow + 1} * (lastColumn - firstColumn + 1);
  if (cells * kFewCells < std::uint64_t{grid.columns} * grid.rows) {
    return 0;  // not worth counting: hardly a part of the whole
  }
  std::uint32_t inRectangle = 0;
  for (std::uint32_t row = firstRow; row <= lastRow; ++row) {
    const std::uint32_t* const starts = m_starts.data() + grid.firstStart + row * grid.columns;
    inRectangle += starts[lastColumn + 1] - starts[firstColumn];
  }
  return inRectangle / 4 * 3;  // a circle fills about so much of its square
}

float NestedGrid::GuessRadius(float x, float y, float z, std::uint32_t count) const {
  const double enough = 2.0 * count;
  const Grid* grid = &m_grids.front();
  for (;;) {
    const std::uint32_t cell = grid->RowOf(z) * grid->columns + grid->ColumnOf(x);
    const Child* const end = m_children.data() + grid->firstChild + grid->childCount;
    const Child* const child = std::lower_bound(m_children.data() + grid->firstChild, end, cell,
                                                [](const Child& one, std::uint32_t place) { return one.cell < place; });
    if (child == end || child->cell != cell) {
      break;
    }
    const Grid& nested = m_grids[child->grid];
    if (nested.end - nested.begin < enough) {
      break;
    }
    grid = &nested;
  }
  const std::uint32_t column = grid->ColumnOf(x);
  const std::uint32_t row = grid->RowOf(z);
  std::uint32_t half = 0;
  double area = 0.0;
  double found = 0.0;
  for (;;) {
    const std::uint32_t firstColumn = column - std::min(column, half);
    const std::uint32_t lastColumn = std::min(column + half, grid->columns - 1);
    const std::uint32_t firstRow = row - std::min(row, half);
    const std::uint32_t lastRow = std::min(row + half, grid->rows - 1);
    found = 0.0;
    for (std::uint32_t r = firstRow; r <= lastRow; ++r) {
      const std::uint32_t* const starts = m_starts.data() + grid->firstStart + r * grid->columns;
      found += starts[lastColumn + 1] - starts[firstColumn];
    }
    const bool isAll = lastColumn - firstColumn + 1 == grid->columns && lastRow - firstRow + 1 == grid->rows;
    if (found >= enough || isAll) {
      const Box& box = grid->box;
      area = (static_cast<double>(box.highX) - static_cast<double>(box.lowX)) / grid->columns *
             (lastColumn - firstColumn + 1.0) * (static_cast<double>(box.highZ) - static_cast<double>(box.lowZ)) /
             grid->rows * (lastRow - firstRow + 1.0);
      break;
    }
    half = half == 0 ? 1 : half * 2;
  }
  // Half as much again as the density asks for; outside the box the way to it comes on top.
  const double flatSquared = area * 1.5 * count / (std::max(found, 1.0) * std::numbers::pi);
  const Ball ball = Ball::Around(x, y, z, 0.0F);
  const double awaySquared = static_cast<double>(ball.NearestSquared(grid->box));
  return static_cast<float>(std::min(std::sqrt(flatSquared + awaySquared * 1.1), 1e18));
}

}  // namespace muster::grid
