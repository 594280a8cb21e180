// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BlockTree.h"

#include <emmintrin.h>

#include <array>
#include <limits>

namespace muster::tree {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

constexpr float kSpread = 1.5F;
constexpr std::uint32_t kSpreadShare = 8;

template <class T>
void GrowTo(std::vector<T>& buffer, std::size_t size) {
  if (buffer.size() < size) {
    buffer.resize(std::max(size, buffer.size() + buffer.size() / 2));
  }
}

// Low and high of sixteen values each for four rows, transposed: lane i belongs to row i.
inline __m128 MinOfRows(__m128 a, __m128 b, __m128 c, __m128 d) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  return _mm_min_ps(_mm_min_ps(a, b), _mm_min_ps(c, d));
}

inline __m128 MaxOfRows(__m128 a, __m128 b, __m128 c, __m128 d) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  return _mm_max_ps(_mm_max_ps(a, b), _mm_max_ps(c, d));
}

inline __m128 MinOfSixteen(const float* values) {
  return _mm_min_ps(_mm_min_ps(_mm_loadu_ps(values), _mm_loadu_ps(values + 4)),
                    _mm_min_ps(_mm_loadu_ps(values + 8), _mm_loadu_ps(values + 12)));
}

inline __m128 MaxOfSixteen(const float* values) {
  return _mm_max_ps(_mm_max_ps(_mm_loadu_ps(values), _mm_loadu_ps(values + 4)),
                    _mm_max_ps(_mm_loadu_ps(values + 8), _mm_loadu_ps(values + 12)));
}

/// The bounds of sixteen low and sixteen high values on each axis, into a lane of a node.
inline void Bound(const float* lowX, const float* highX, const float* lowY, const float* highY, const float* lowZ,
                  const float* highZ, BoxNode& node, std::uint32_t lane) {
  const __m128 lows = MinOfRows(MinOfSixteen(lowX), MinOfSixteen(lowY), MinOfSixteen(lowZ), _mm_setzero_ps());
  const __m128 highs = MaxOfRows(MaxOfSixteen(highX), MaxOfSixteen(highY), MaxOfSixteen(highZ), _mm_setzero_ps());
  alignas(16) std::array<float, 4> low;
  alignas(16) std::array<float, 4> high;
  _mm_store_ps(low.data(), lows);
  _mm_store_ps(high.data(), highs);
  node.lowX[lane] = low[0];
  node.lowY[lane] = low[1];
  node.lowZ[lane] = low[2];
  node.highX[lane] = high[0];
  node.highY[lane] = high[1];
  node.highZ[lane] = high[2];
}

void ClearLane(BoxNode& node, std::uint32_t lane) {
  node.lowX[lane] = node.lowY[lane] = node.lowZ[lane] = kInfinity;
  node.highX[lane] = node.highY[lane] = node.highZ[lane] = -kInfinity;
}

/// Zero in each lane whose point is finite, NaN elsewhere.
inline __m128 Finiteness(const float* x, const float* y, const float* z) {
  const __m128 px = _mm_loadu_ps(x);
  const __m128 py = _mm_loadu_ps(y);
  const __m128 pz = _mm_loadu_ps(z);
  return _mm_add_ps(_mm_add_ps(_mm_sub_ps(px, px), _mm_sub_ps(py, py)), _mm_sub_ps(pz, pz));
}

inline __m128 WidthsOf(const BoxNode& node, std::uint32_t lane) {
  return _mm_add_ps(_mm_sub_ps(_mm_load_ps(node.highX + lane), _mm_load_ps(node.lowX + lane)),
                    _mm_sub_ps(_mm_load_ps(node.highZ + lane), _mm_load_ps(node.lowZ + lane)));
}

}  // namespace

void BlockTree::Reserve(std::size_t count) {
  const std::size_t padded = count + 2 * kWidth;
  GrowTo(m_x, padded);
  GrowTo(m_y, padded);
  GrowTo(m_z, padded);
  GrowTo(m_radius, padded);
  GrowTo(m_slots, padded);
}

bool BlockTree::Fit(const mu_spatial_view& view, std::span<const std::uint32_t> order) {
  const auto count = static_cast<std::uint32_t>(order.size());
  m_count = 0;
  if (count == 0) {
    return true;
  }
  Reserve(count);
  const std::uint32_t blocks = (count + kWidth - 1) / kWidth;
  const std::uint32_t nodes = (blocks + kWidth - 1) / kWidth;
  std::size_t depth = 1;
  for (std::uint32_t rest = nodes; rest > kTopNodes; rest = (rest + kWidth - 1) / kWidth) {
    ++depth;
  }
  m_levels.resize(depth);
  Level& ground = m_levels.front();
  ground.boxes = blocks;
  ground.nodes.resize(nodes);

  __m128 finiteness = _mm_setzero_ps();
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const std::uint32_t first = block * kWidth;
    const std::uint32_t some = std::min(count - first, kWidth);
    float* const x = m_x.data() + first;
    float* const y = m_y.data() + first;
    float* const z = m_z.data() + first;
    for (std::uint32_t point = 0; point < some; ++point) {
      const std::uint32_t from = order[first + point];
      x[point] = view.x[from];
      y[point] = view.y[from];
      z[point] = view.z[from];
      m_radius[first + point] = view.radius[from];
      m_slots[first + point] = view.slots[from];
    }
    for (std::uint32_t point = some; point < kWidth; ++point) {
      // So that bounds can be taken over whole blocks.
      x[point] = x[0];
      y[point] = y[0];
      z[point] = z[0];
    }
    for (std::uint32_t point = 0; point < kWidth; point += 4) {
      finiteness = _mm_add_ps(finiteness, Finiteness(x + point, y + point, z + point));
    }
    Bound(x, x, y, y, z, z, ground.nodes[block / kWidth], block % kWidth);
  }
  if (_mm_movemask_ps(_mm_cmpeq_ps(finiteness, _mm_setzero_ps())) != 0xF) {
    return false;
  }
  for (std::uint32_t lane = blocks; lane % kWidth != 0; ++lane) {
    ClearLane(ground.nodes.back(), lane % kWidth);
  }
  for (std::size_t level = 1; level < depth; ++level) {
    FitLevel(m_levels[level], m_levels[level - 1]);
  }
  // Behind the last point nothing can pass.
  std::fill_n(m_x.begin() + count, kKernelSlack, kNaN);
  m_count = count;
  return true;
}

void BlockTree::FitLevel(Level& upper, const Level& lower) const {
  upper.boxes = static_cast<std::uint32_t>(lower.nodes.size());
  upper.nodes.resize((lower.nodes.size() + kWidth - 1) / kWidth);
  for (std::uint32_t box = 0; box < upper.boxes; ++box) {
    const BoxNode& node = lower.nodes[box];
    Bound(node.lowX, node.highX, node.lowY, node.highY, node.lowZ, node.highZ, upper.nodes[box / kWidth], box % kWidth);
  }
  for (std::uint32_t lane = upper.boxes; lane % kWidth != 0; ++lane) {
    ClearLane(upper.nodes.back(), lane % kWidth);
  }
}

void BlockTree::NoteWidths() {
  if (m_count == 0) {
    m_widths.clear();
    return;
  }
  const std::vector<BoxNode>& nodes = m_levels.front().nodes;
  m_widths.resize(nodes.size() * kWidth);
  float* out = m_widths.data();
  for (const BoxNode& node : nodes) {
    for (std::uint32_t lane = 0; lane < kWidth; lane += 4, out += 4) {
      _mm_storeu_ps(out, WidthsOf(node, lane));
    }
  }
}

bool BlockTree::HasSpread() const {
  if (m_count == 0) {
    return false;
  }
  const Level& ground = m_levels.front();
  const std::size_t known = std::min(m_widths.size(), std::size_t{ground.boxes}) / 4 * 4;
  std::uint32_t wider = ground.boxes - static_cast<std::uint32_t>(known);  // newcomers, and the last few
  wider = wider < 8 ? 0 : wider;
  for (std::size_t box = 0; box < known; box += 4) {
    const __m128 limit = _mm_mul_ps(_mm_loadu_ps(m_widths.data() + box), _mm_set1_ps(kSpread));
    const __m128 isWider =
        _mm_cmpgt_ps(WidthsOf(ground.nodes[box / kWidth], static_cast<std::uint32_t>(box % kWidth)), limit);
    wider += static_cast<std::uint32_t>(__builtin_popcount(static_cast<unsigned>(_mm_movemask_ps(isWider))));
  }
  return wider > ground.boxes / kSpreadShare;
}

std::uint32_t BlockTree::CountInsideAtTop(const Target& target) const {
  if (m_count == 0 || IsEmpty(target)) {
    return 0;
  }
  const auto top = static_cast<std::uint32_t>(m_levels.size() - 1);
  std::uint32_t inside = 0;
  for (std::uint32_t node = 0; node < m_levels[top].nodes.size(); ++node) {
    std::uint32_t lanes = m_kernels.testBoxes(m_levels[top].nodes[node], target).inside & LanesOf(top, node);
    for (; lanes != 0; lanes &= lanes - 1) {
      inside += CountBelow(top, node * kWidth + static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }
  }
  return inside;
}

float BlockTree::EnoughSquared(const Target& target, std::uint32_t wanted) const {
  if (m_count <= wanted) {
    return kInfinity;
  }
  auto level = static_cast<std::uint32_t>(m_levels.size() - 1);
  alignas(32) std::array<float, kWidth> distances;
  // Down to the smallest node that has enough, by the box whose farthest corner is nearest.
  std::uint32_t node = 0;
  float best = kInfinity;
  for (std::uint32_t candidate = 0; candidate < m_levels[level].nodes.size(); ++candidate) {
    m_kernels.farthestSquared(m_levels[level].nodes[candidate], target, distances.data());
    const float nearest =
        *std::min_element(distances.begin(), distances.begin() + std::popcount(LanesOf(level, candidate)));
    if (nearest < best) {
      best = nearest;
      node = candidate;
    }
  }
  for (;; --level) {
    m_kernels.farthestSquared(m_levels[level].nodes[node], target, distances.data());
    const std::uint32_t lanes = static_cast<std::uint32_t>(std::popcount(LanesOf(level, node)));
    const auto end = distances.begin() + lanes;
    const auto lane = static_cast<std::uint32_t>(std::min_element(distances.begin(), end) - distances.begin());
    const std::uint32_t box = node * kWidth + lane;
    if (level != 0 && CountBelow(level, box) >= wanted) {
      node = box;
      continue;
    }
    // So many boxes have enough points; the last box of all may lack some.
    const std::uint32_t boxes = ((wanted - 1) >> ShiftOf(level)) + 1;
    const bool hasLast = node * kWidth + lanes == m_levels[level].boxes;
    const std::uint32_t needed = boxes + (hasLast ? 1 : 0);
    if (needed > lanes) {
      return kInfinity;
    }
    std::nth_element(distances.begin(), distances.begin() + (needed - 1), end);
    return distances[needed - 1];
  }
}

std::uint32_t BlockTree::BoxCount() const {
  std::uint32_t boxes = 0;
  if (m_count != 0) {
    for (const Level& level : m_levels) {
      boxes += level.boxes;
    }
  }
  return boxes;
}

std::uint64_t BlockTree::Bytes() const {
  std::uint64_t bytes =
      m_x.capacity() * (4 * sizeof(float) + sizeof(std::uint32_t)) + m_widths.capacity() * sizeof(float);
  for (const Level& level : m_levels) {
    bytes += level.nodes.capacity() * sizeof(BoxNode);
  }
  return bytes;
}

}  // namespace muster::tree
