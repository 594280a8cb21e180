// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NestedGrid.h"

#include <emmintrin.h>

#include <cstring>
#include <numeric>

namespace muster::grid {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Points a cell is meant for; 4 to 32 are within a tenth of each other.
constexpr std::uint32_t kOccupancy = 8;
// A wished cell size gives no more cells than one for so many points on average: smaller ones make every query walk
// rows of empty cells.
constexpr double kWishedOccupancy = 4.0;
// Cells are counted in floats while they are assigned.
constexpr double kMostCells = 1 << 23;
// Beyond this the grid stops following the bounding box; outer cells then hold what lies outside.
constexpr float kFarMeters = 1e18F;
// A narrower box has one row or column: dividing by less would overflow.
constexpr float kThinMeters = 1e-30F;

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
  __m128i finiteLanes = _mm_setzero_si128();
  std::uint32_t index = 0;
  for (; index + 4 <= count; index += 4) {
    const __m128 px = _mm_loadu_ps(points.x + index);
    const __m128 py = _mm_loadu_ps(points.y + index);
    const __m128 pz = _mm_loadu_ps(points.z + index);
    const __m128 mask = FiniteMask(px, py, pz);
    x.Add(px, mask);
    y.Add(py, mask);
    z.Add(pz, mask);
    finiteLanes = _mm_sub_epi32(finiteLanes, _mm_castps_si128(mask));
  }
  alignas(16) std::uint32_t finiteOf[4];
  _mm_store_si128(reinterpret_cast<__m128i*>(finiteOf), finiteLanes);
  std::uint32_t finite = finiteOf[0] + finiteOf[1] + finiteOf[2] + finiteOf[3];
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
  GrowTo(m_packed, view.count);
  GrowTo(m_cellOf, view.count);
  root.end = finite;
  ChooseCells(root, finite);
  SortInto(root, source, view.count, nullptr);
  m_grids.push_back(root);
  AddChildren(0);
  // Grids are appended while the list is walked: breadth first.
  for (std::uint32_t index = 1; index < m_grids.size(); ++index) {
    Grid& grid = m_grids[index];
    SortInto(grid, Points().From(grid.begin), grid.end - grid.begin, m_sorted.slots.data() + grid.begin);
    AddChildren(index);
  }
  float* const radius = m_sorted.radius.data();
  std::uint32_t* const slots = m_sorted.slots.data();
  for (std::uint32_t point = 0; point < finite; ++point) {
    const std::uint32_t place = slots[point];
    radius[point] = view.radius[place];
    slots[point] = view.slots[place];
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
    mostCells = std::min(std::max(1.0, static_cast<double>(count) / kWishedOccupancy), kMostCells);
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
  grid.rowMeters = 1.0 / static_cast<double>(grid.inverseZ);
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
// One store of sixteen bytes a point finds its cell; where each column had its own, the stores were most of a rebuild.
// Until the end of Build the column of slots holds places in the view: `places`, or 0, 1, 2 ... where that is null.
void NestedGrid::SortInto(Grid& grid, const PointColumns& source, std::uint32_t count, const std::uint32_t* places) {
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
  Packed* const packed = m_packed.data();
  const std::uint32_t* const cellOf = m_cellOf.data();
  __m128i next = _mm_setr_epi32(0, 1, 2, 3);
  std::uint32_t index = 0;
  for (; index + 4 <= count; index += 4) {
    __m128 x = _mm_loadu_ps(source.x + index);
    __m128 y = _mm_loadu_ps(source.y + index);
    __m128 z = _mm_loadu_ps(source.z + index);
    __m128 place =
        _mm_castsi128_ps(places == nullptr ? next : _mm_loadu_si128(reinterpret_cast<const __m128i*>(places + index)));
    next = _mm_add_epi32(next, _mm_set1_epi32(4));
    _MM_TRANSPOSE4_PS(x, y, z, place);
    _mm_store_ps(packed[cursors[cellOf[index]]++].lanes, x);
    _mm_store_ps(packed[cursors[cellOf[index + 1]]++].lanes, y);
    _mm_store_ps(packed[cursors[cellOf[index + 2]]++].lanes, z);
    _mm_store_ps(packed[cursors[cellOf[index + 3]]++].lanes, place);
  }
  for (; index < count; ++index) {
    const std::uint32_t place = places == nullptr ? index : places[index];
    float* const lanes = packed[cursors[cellOf[index]]++].lanes;
    lanes[0] = source.x[index];
    lanes[1] = source.y[index];
    lanes[2] = source.z[index];
    std::memcpy(lanes + 3, &place, sizeof(place));
  }
  Unpack(grid.begin, grid.end);
}

void NestedGrid::Unpack(std::uint32_t first, std::uint32_t end) {
  const Packed* const packed = m_packed.data();
  float* const x = m_sorted.x.data();
  float* const y = m_sorted.y.data();
  float* const z = m_sorted.z.data();
  std::uint32_t* const places = m_sorted.slots.data();
  std::uint32_t point = first;
  for (; point + 4 <= end; point += 4) {
    __m128 px = _mm_load_ps(packed[point].lanes);
    __m128 py = _mm_load_ps(packed[point + 1].lanes);
    __m128 pz = _mm_load_ps(packed[point + 2].lanes);
    __m128 place = _mm_load_ps(packed[point + 3].lanes);
    _MM_TRANSPOSE4_PS(px, py, pz, place);
    _mm_storeu_ps(x + point, px);
    _mm_storeu_ps(y + point, py);
    _mm_storeu_ps(z + point, pz);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(places + point), _mm_castps_si128(place));
  }
  for (; point < end; ++point) {
    x[point] = packed[point].lanes[0];
    y[point] = packed[point].lanes[1];
    z[point] = packed[point].lanes[2];
    std::memcpy(places + point, packed[point].lanes + 3, sizeof(std::uint32_t));
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
  return m_sorted.x.capacity() * (4 * sizeof(float) + sizeof(std::uint32_t)) + m_packed.capacity() * sizeof(Packed) +
         (m_cellOf.capacity() + m_starts.capacity() + m_crowded.capacity()) * sizeof(std::uint32_t) +
         m_grids.capacity() * sizeof(Grid) + m_children.capacity() * sizeof(Child);
}

}  // namespace muster::grid
