// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NestedGrid.h"

#include <emmintrin.h>

#include <cstring>
#include <numbers>
#include <numeric>

namespace muster::grid {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

// Points a cell is meant for; 4 to 32 are within a tenth of each other.
constexpr std::uint32_t kOccupancy = 8;
// A wished cell size gives at most this many cells a point, so that no wish costs more than the points do.
constexpr std::uint32_t kWishedCellsPerPoint = 4;
// Cells are counted in floats while they are assigned.
constexpr double kMostCells = 1 << 23;
// Beyond this the grid stops following the bounding box; outer cells then hold what lies outside.
constexpr float kFarMeters = 1e18F;
// A narrower box has one row or column: dividing by less would overflow.
constexpr float kThinMeters = 1e-30F;

// Float rounding moves an edge by a few 1e-7; the margins are wider. The absolute one covers squares that underflow,
// also where subnormals are flushed to zero.
constexpr double kReachFactor = 1.0 + 2e-6;
constexpr double kReachMeters = 2e-19;
constexpr double kEdgeMargin = 1e-6;
constexpr float kInsideFactor = 1.0F - 1e-5F;

float HorizontalMin(__m128 lanes) {
  alignas(16) float values[4];
  _mm_store_ps(values, lanes);
  return std::min(std::min(values[0], values[1]), std::min(values[2], values[3]));
}

float HorizontalMax(__m128 lanes) {
  alignas(16) float values[4];
  _mm_store_ps(values, lanes);
  return std::max(std::max(values[0], values[1]), std::max(values[2], values[3]));
}

// All bits of a lane: its point is finite. Infinity minus infinity is NaN, as is anything with a NaN in it.
__m128 FiniteMask(__m128 x, __m128 y, __m128 z) {
  const __m128 zero = _mm_add_ps(_mm_add_ps(_mm_sub_ps(x, x), _mm_sub_ps(y, y)), _mm_sub_ps(z, z));
  return _mm_cmpeq_ps(zero, _mm_setzero_ps());
}

bool IsFinite(float x, float y, float z) {
  return (x - x) + (y - y) + (z - z) == 0.0F;
}

struct LaneBounds {
  __m128 low = _mm_set1_ps(kInfinity);
  __m128 high = _mm_set1_ps(-kInfinity);

  void Add(__m128 values, __m128 mask) {
    low = _mm_min_ps(low, _mm_or_ps(_mm_and_ps(mask, values), _mm_andnot_ps(mask, _mm_set1_ps(kInfinity))));
    high = _mm_max_ps(high, _mm_or_ps(_mm_and_ps(mask, values), _mm_andnot_ps(mask, _mm_set1_ps(-kInfinity))));
  }
};

/// Of the finite points; returns how many there are.
std::uint32_t FindBounds(const PointColumns& points, std::uint32_t count, Box& box) {
  LaneBounds x;
  LaneBounds y;
  LaneBounds z;
  std::uint32_t finite = 0;
  std::uint32_t index = 0;
  for (; index + 4 <= count; index += 4) {
    const __m128 px = _mm_loadu_ps(points.x + index);
    const __m128 py = _mm_loadu_ps(points.y + index);
    const __m128 pz = _mm_loadu_ps(points.z + index);
    const __m128 mask = FiniteMask(px, py, pz);
    x.Add(px, mask);
    y.Add(py, mask);
    z.Add(pz, mask);
    finite += static_cast<std::uint32_t>(__builtin_popcount(static_cast<unsigned>(_mm_movemask_ps(mask))));
  }
  box = {HorizontalMin(x.low),  HorizontalMax(x.high), HorizontalMin(y.low),
         HorizontalMax(y.high), HorizontalMin(z.low),  HorizontalMax(z.high)};
  for (; index < count; ++index) {
    if (IsFinite(points.x[index], points.y[index], points.z[index])) {
      box.lowX = std::min(box.lowX, points.x[index]);
      box.highX = std::max(box.highX, points.x[index]);
      box.lowY = std::min(box.lowY, points.y[index]);
      box.highY = std::max(box.highY, points.y[index]);
      box.lowZ = std::min(box.lowZ, points.z[index]);
      box.highZ = std::max(box.highZ, points.z[index]);
      ++finite;
    }
  }
  return finite;
}

float ClampFar(float value) {
  return std::clamp(value, -kFarMeters, kFarMeters);
}

template <class T>
void GrowTo(std::vector<T>& buffer, std::size_t size) {
  if (buffer.size() < size) {
    buffer.resize(std::max(size, buffer.size() + buffer.size() / 2));
  }
}

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
  const double rowMeters = 1.0 / static_cast<double>(inverseZ);
  return static_cast<float>(static_cast<double>(originZ) + row * rowMeters * (1.0 - kEdgeMargin));
}

float NestedGrid::Grid::RowHigh(std::uint32_t row) const {
  if (row + 1 == rows) {
    return box.highZ;
  }
  const double rowMeters = 1.0 / static_cast<double>(inverseZ);
  return static_cast<float>(static_cast<double>(originZ) + (row + 1.0) * rowMeters * (1.0 + kEdgeMargin));
}

void NestedGrid::Columns::Reserve(std::size_t count) {
  GrowTo(x, count + kKernelSlack);
  GrowTo(y, count + kKernelSlack);
  GrowTo(z, count + kKernelSlack);
  GrowTo(radius, count + kKernelSlack);
  GrowTo(slots, count + kKernelSlack);
}

NestedGrid::NestedGrid(float wishedCellMeters)
    : m_wishedCell{wishedCellMeters > 0.0F && wishedCellMeters < kInfinity ? wishedCellMeters : 0.0F} {}

void NestedGrid::Build(const mu_spatial_view& view) {
  m_grids.clear();
  m_children.clear();
  m_startsUsed = 0;
  m_pointCount = 0;
  const PointColumns source{view.x, view.y, view.z, view.radius, view.slots};
  Grid root{};
  const std::uint32_t finite = FindBounds(source, view.count, root.box);
  if (finite == 0) {
    return;
  }
  m_pointCount = finite;
  m_sorted.Reserve(view.count);
  GrowTo(m_cellOf, view.count);
  root.end = finite;
  ChooseCells(root, finite);
  SortInto(root, source, view.count, m_sorted, 0);
  m_grids.push_back(root);
  AddChildren(0);
  // Grids are appended while the list is walked: breadth first.
  for (std::uint32_t index = 1; index < m_grids.size(); ++index) {
    Grid& grid = m_grids[index];
    const std::uint32_t count = grid.end - grid.begin;
    m_scratch.Reserve(count);
    SortInto(grid, Points().From(grid.begin), count, m_scratch, 0);
    std::copy_n(m_scratch.x.data(), count, m_sorted.x.data() + grid.begin);
    std::copy_n(m_scratch.y.data(), count, m_sorted.y.data() + grid.begin);
    std::copy_n(m_scratch.z.data(), count, m_sorted.z.data() + grid.begin);
    std::copy_n(m_scratch.radius.data(), count, m_sorted.radius.data() + grid.begin);
    std::copy_n(m_scratch.slots.data(), count, m_sorted.slots.data() + grid.begin);
    AddChildren(index);
  }
}

void NestedGrid::ChooseCells(Grid& grid, std::uint32_t count) const {
  grid.originX = ClampFar(grid.box.lowX);
  grid.originZ = ClampFar(grid.box.lowZ);
  const double width = static_cast<double>(ClampFar(grid.box.highX)) - static_cast<double>(grid.originX);
  const double depth = static_cast<double>(ClampFar(grid.box.highZ)) - static_cast<double>(grid.originZ);
  const bool hasWidth = width >= static_cast<double>(kThinMeters);
  const bool hasDepth = depth >= static_cast<double>(kThinMeters);
  double mostCells = std::max(1.0, static_cast<double>(count) / kOccupancy);
  double columns = 1.0;
  double rows = 1.0;
  if (m_wishedCell > 0.0F && grid.depth == 0) {
    mostCells = std::min(static_cast<double>(count) * kWishedCellsPerPoint, kMostCells);
    columns = hasWidth ? std::clamp(std::ceil(width / static_cast<double>(m_wishedCell)), 1.0, 1e18) : 1.0;
    rows = hasDepth ? std::clamp(std::ceil(depth / static_cast<double>(m_wishedCell)), 1.0, 1e18) : 1.0;
    if (columns * rows > mostCells) {
      const double shrink = std::sqrt(mostCells / (columns * rows));
      columns *= shrink;
      rows *= shrink;
    }
  } else if (hasWidth && hasDepth) {
    rows = std::sqrt(mostCells * (depth / width));
    columns = mostCells / rows;
  } else {
    rows = hasDepth ? mostCells : 1.0;
    columns = hasWidth ? mostCells : 1.0;
  }
  rows = std::clamp(std::floor(rows + 0.5), 1.0, std::floor(std::min(mostCells, kMostCells)));
  columns = std::clamp(std::floor(columns), 1.0, std::max(1.0, std::floor(std::min(mostCells, kMostCells) / rows)));
  grid.columns = hasWidth ? static_cast<std::uint32_t>(columns) : 1;
  grid.rows = hasDepth ? static_cast<std::uint32_t>(rows) : 1;
  // With one column the factor only has to be finite and not zero.
  grid.inverseX = grid.columns > 1 ? static_cast<float>(grid.columns / width) : 1.0F;
  grid.inverseZ = grid.rows > 1 ? static_cast<float>(grid.rows / depth) : 1.0F;
}

void NestedGrid::AssignCells(const Grid& grid, const PointColumns& source, std::uint32_t count, std::uint32_t* counts) {
  const __m128 zero = _mm_setzero_ps();
  const __m128 originX = _mm_set1_ps(grid.originX);
  const __m128 originZ = _mm_set1_ps(grid.originZ);
  const __m128 inverseX = _mm_set1_ps(grid.inverseX);
  const __m128 inverseZ = _mm_set1_ps(grid.inverseZ);
  const __m128 lastColumn = _mm_set1_ps(static_cast<float>(grid.columns - 1));
  const __m128 lastRow = _mm_set1_ps(static_cast<float>(grid.rows - 1));
  const __m128 columns = _mm_set1_ps(static_cast<float>(grid.columns));
  const std::uint32_t nowhere = grid.columns * grid.rows;
  const __m128i nowhereLanes = _mm_set1_epi32(static_cast<int>(nowhere));
  std::uint32_t* const cellOf = m_cellOf.data();
  std::uint32_t index = 0;
  for (; index + 4 <= count; index += 4) {
    const __m128 x = _mm_loadu_ps(source.x + index);
    const __m128 z = _mm_loadu_ps(source.z + index);
    const __m128i mask = _mm_castps_si128(FiniteMask(x, _mm_loadu_ps(source.y + index), z));
    const __m128 column = _mm_min_ps(_mm_max_ps(_mm_mul_ps(_mm_sub_ps(x, originX), inverseX), zero), lastColumn);
    const __m128 row = _mm_min_ps(_mm_max_ps(_mm_mul_ps(_mm_sub_ps(z, originZ), inverseZ), zero), lastRow);
    // Whole numbers below 2^24 are exact in floats, and SSE2 has no 32-bit product.
    const __m128 rowStart = _mm_mul_ps(_mm_cvtepi32_ps(_mm_cvttps_epi32(row)), columns);
    const __m128i cell = _mm_add_epi32(_mm_cvttps_epi32(rowStart), _mm_cvttps_epi32(column));
    const __m128i kept = _mm_or_si128(_mm_and_si128(mask, cell), _mm_andnot_si128(mask, nowhereLanes));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(cellOf + index), kept);
    ++counts[cellOf[index]];
    ++counts[cellOf[index + 1]];
    ++counts[cellOf[index + 2]];
    ++counts[cellOf[index + 3]];
  }
  for (; index < count; ++index) {
    const float x = source.x[index];
    const float z = source.z[index];
    const bool isFinite = IsFinite(x, source.y[index], z);
    cellOf[index] = isFinite ? grid.RowOf(z) * grid.columns + grid.ColumnOf(x) : nowhere;
    ++counts[cellOf[index]];
  }
}

// Counting sort. The points that are not finite go into one more cell behind the last, which no query reads.
void NestedGrid::SortInto(Grid& grid, const PointColumns& source, std::uint32_t count, Columns& target,
                          std::size_t offset) {
  const std::size_t cells = std::size_t{grid.columns} * grid.rows;
  grid.firstStart = static_cast<std::uint32_t>(m_startsUsed);
  m_startsUsed += cells + 3;
  GrowTo(m_starts, m_startsUsed);
  std::uint32_t* const starts = m_starts.data() + grid.firstStart;
  std::fill_n(starts, cells + 3, 0U);
  // Counts stand two places up, so that the sums below are the cursors of the scatter, and, when that has moved each to
  // the end of its cell, the starts of the cells.
  AssignCells(grid, source, count, starts + 2);
  m_crowded.clear();
  starts[0] = grid.begin;
  starts[1] = grid.begin;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (starts[cell + 2] > kCrowd) {
      m_crowded.push_back(static_cast<std::uint32_t>(cell));
    }
    starts[cell + 2] += starts[cell + 1];
  }
  std::uint32_t* const cursors = starts + 1;
  const std::size_t shift = grid.begin - offset;
  float* const x = target.x.data();
  float* const y = target.y.data();
  float* const z = target.z.data();
  float* const radius = target.radius.data();
  std::uint32_t* const slots = target.slots.data();
  const std::uint32_t* const cellOf = m_cellOf.data();
  for (std::uint32_t index = 0; index < count; ++index) {
    const std::size_t place = cursors[cellOf[index]]++ - shift;
    x[place] = source.x[index];
    y[place] = source.y[index];
    z[place] = source.z[index];
    radius[place] = source.radius[index];
    slots[place] = source.slots[index];
  }
}

void NestedGrid::AddChildren(std::uint32_t gridIndex) {
  Grid& grid = m_grids[gridIndex];
  grid.firstChild = static_cast<std::uint32_t>(m_children.size());
  grid.childCount = 0;
  if (grid.depth == kMaxDepth) {
    return;
  }
  const std::uint32_t firstStart = grid.firstStart;
  const std::uint32_t depth = grid.depth + 1;
  for (const std::uint32_t cell : m_crowded) {
    Grid child{};
    child.begin = m_starts[firstStart + cell];
    child.end = m_starts[firstStart + cell + 1];
    child.depth = depth;
    const std::uint32_t count = child.end - child.begin;
    FindBounds(Points().From(child.begin), count, child.box);
    ChooseCells(child, count);
    if (child.columns * child.rows == 1) {
      continue;  // all on one spot: no grid takes them apart
    }
    m_children.push_back({cell, static_cast<std::uint32_t>(m_grids.size())});
    m_grids.push_back(child);
  }
  m_grids[gridIndex].childCount = static_cast<std::uint32_t>(m_children.size()) - m_grids[gridIndex].firstChild;
}

std::uint32_t NestedGrid::CellCount() const {
  return std::accumulate(m_grids.begin(), m_grids.end(), 0U,
                         [](std::uint32_t sum, const Grid& grid) { return sum + grid.columns * grid.rows; });
}

std::uint64_t NestedGrid::Bytes() const {
  const std::size_t points = m_sorted.x.capacity() + m_scratch.x.capacity();
  return points * (4 * sizeof(float) + sizeof(std::uint32_t)) +
         (m_cellOf.capacity() + m_starts.capacity() + m_crowded.capacity()) * sizeof(std::uint32_t) +
         m_grids.capacity() * sizeof(Grid) + m_children.capacity() * sizeof(Child);
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
NestedGrid::ColumnRange NestedGrid::InsideChord(const Grid& grid, const Ball& ball, float rowLow, float rowHigh) {
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
  const ColumnRange chord = Chord(grid, ball, rowLow, rowHigh);
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
  const std::uint32_t lastRow = grid.RowOf(ball.highZ);
  std::uint32_t inRectangle = 0;
  for (std::uint32_t row = grid.RowOf(ball.lowZ); row <= lastRow; ++row) {
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
