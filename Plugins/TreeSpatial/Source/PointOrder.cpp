// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PointOrder.h"

#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "Kernels.h"

namespace muster::tree {

namespace {

constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

// Cells an axis at each depth.
constexpr float kCells = 256.0F;
// A point nested deeper than this among ever closer ones may share a block with what is not its neighbour.
constexpr std::uint32_t kMostDepth = 16;
// Fewer keys than this are quicker sorted by comparing.
constexpr std::size_t kFewKeys = 192;

// One in so many points may stand unsorted at the end; each sixteen of them are one more block for every query.
constexpr std::uint32_t kNewcomerShare = 32;
constexpr std::uint32_t kNewcomers = 32;

// The bits of a byte, every other one.
constexpr std::array<std::uint16_t, 256> MakeSpreadTable() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned value = 0; value < 256; ++value) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      table[value] = static_cast<std::uint16_t>(table[value] | ((value >> bit & 1U) << (2 * bit)));
    }
  }
  return table;
}

constexpr std::array<std::uint16_t, 256> kSpread = MakeSpreadTable();

struct Axis {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  float cellsPerMeter = 0.0F;

  void Add(float value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void Finish() { cellsPerMeter = static_cast<float>(double{kCells} / (double{high} - double{low})); }
  /// Monotone, and NaN (a box without width times infinity) is cell 0.
  std::uint32_t CellOf(float value) const {
    const __m128 place = _mm_mul_ss(_mm_sub_ss(_mm_set_ss(value), _mm_set_ss(low)), _mm_set_ss(cellsPerMeter));
    const __m128 clamped = _mm_min_ss(_mm_max_ss(place, _mm_setzero_ps()), _mm_set_ss(kCells - 1.0F));
    return static_cast<std::uint32_t>(_mm_cvttss_si32(clamped));
  }
};

std::uint64_t KeyOf(std::uint32_t cell, std::uint32_t index) {
  return static_cast<std::uint64_t>(cell) << 32U | index;
}

std::uint32_t IndexOf(std::uint64_t key) {
  return static_cast<std::uint32_t>(key);
}

std::uint32_t CellOf(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32U);
}

}  // namespace

bool PointOrder::Follow(const mu_spatial_view& view) {
  if (!m_isWhole) {
    return false;
  }
  const std::size_t known = m_slots.size();
  if (known == view.count &&
      (known == 0 || std::memcmp(m_slots.data(), view.slots, known * sizeof(std::uint32_t)) == 0)) {
    return true;
  }
  Remap(view);
  return m_added <= view.count / kNewcomerShare + kNewcomers && !m_indices.empty();
}

void PointOrder::Remap(const mu_spatial_view& view) {
  const std::size_t known = m_slots.size();
  m_newIndex.resize(known);
  m_keys.clear();  // the newcomers, for a while
  std::uint32_t next = 0;
  for (std::size_t old = 0; old < known; ++old) {
    const std::uint32_t slot = m_slots[old];
    while (next < view.count && view.slots[next] < slot) {
      m_keys.push_back(next++);
    }
    const bool isStill = next < view.count && view.slots[next] == slot;
    m_newIndex[old] = isStill ? next++ : kGone;
  }
  while (next < view.count) {
    m_keys.push_back(next++);
  }
  std::size_t kept = 0;
  for (const std::uint32_t index : m_indices) {
    m_indices[kept] = m_newIndex[index];
    kept += m_newIndex[index] != kGone ? 1U : 0U;
  }
  m_indices.resize(kept);
  for (const std::uint64_t index : m_keys) {
    m_indices.push_back(static_cast<std::uint32_t>(index));
  }
  m_added += static_cast<std::uint32_t>(m_keys.size());
  m_slots.assign(view.slots, view.slots + view.count);
}

void PointOrder::Sort(const mu_spatial_view& view) {
  m_keys.resize(view.count);
  std::size_t finite = 0;
  for (std::uint32_t index = 0; index < view.count; ++index) {
    m_keys[finite] = index;
    finite += IsFinite(view.x[index], view.y[index], view.z[index]) ? 1U : 0U;
  }
  m_scratch.resize(view.count);
  m_pending.clear();
  m_pending.push_back({0, finite, 0});
  while (!m_pending.empty()) {
    const Range range = m_pending.back();
    m_pending.pop_back();
    SortRange(view, range);
  }
  m_indices.resize(finite);
  std::transform(m_keys.begin(), m_keys.begin() + static_cast<std::ptrdiff_t>(finite), m_indices.begin(), &IndexOf);
  m_slots.assign(view.slots, view.slots + view.count);
  m_added = 0;
  m_isWhole = finite == view.count;
}

void PointOrder::SortRange(const mu_spatial_view& view, const Range& range) {
  AssignKeys(view, range);
  if (range.count < kFewKeys) {
    const auto first = m_keys.begin() + static_cast<std::ptrdiff_t>(range.first);
    std::sort(first, first + static_cast<std::ptrdiff_t>(range.count));
  } else {
    RadixSort(range);
  }
  if (range.depth == kMostDepth) {
    return;
  }
  const std::size_t end = range.first + range.count;
  for (std::size_t first = range.first; first + kWidth < end;) {
    if (CellOf(m_keys[first]) != CellOf(m_keys[first + kWidth])) {
      // Nothing that begins here is crowded; the next cell may be.
      const std::uint32_t cell = CellOf(m_keys[first]);
      while (CellOf(m_keys[first]) == cell) {
        ++first;
      }
      continue;
    }
    std::size_t last = first + kWidth;
    while (last + 1 < end && CellOf(m_keys[last + 1]) == CellOf(m_keys[first])) {
      ++last;
    }
    const std::uint32_t head = IndexOf(m_keys[first]);
    const bool isOneSpot = std::all_of(m_keys.begin() + static_cast<std::ptrdiff_t>(first),
                                       m_keys.begin() + static_cast<std::ptrdiff_t>(last + 1), [&](std::uint64_t key) {
                                         const std::uint32_t index = IndexOf(key);
                                         return view.x[index] == view.x[head] && view.z[index] == view.z[head];
                                       });
    if (!isOneSpot) {
      m_pending.push_back({first, last + 1 - first, range.depth + 1});
    }
    first = last + 1;
  }
}

void PointOrder::AssignKeys(const mu_spatial_view& view, const Range& range) {
  const std::span<std::uint64_t> keys{m_keys.data() + range.first, range.count};
  Axis x;
  Axis z;
  for (const std::uint64_t key : keys) {
    x.Add(view.x[IndexOf(key)]);
    z.Add(view.z[IndexOf(key)]);
  }
  x.Finish();
  z.Finish();
  for (std::uint64_t& key : keys) {
    const std::uint32_t index = IndexOf(key);
    const std::uint32_t cell =
        kSpread[x.CellOf(view.x[index])] | static_cast<std::uint32_t>(kSpread[z.CellOf(view.z[index])]) << 1U;
    key = KeyOf(cell, index);
  }
}

// Two rounds of counting, by a byte of the cell each.
void PointOrder::RadixSort(const Range& range) {
  std::uint64_t* const keys = m_keys.data() + range.first;
  std::uint64_t* const scratch = m_scratch.data() + range.first;
  std::array<std::uint32_t, 256> low{};
  std::array<std::uint32_t, 256> high{};
  for (std::size_t index = 0; index < range.count; ++index) {
    ++low[keys[index] >> 32U & 0xFFU];
    ++high[keys[index] >> 40U];
  }
  std::uint32_t lowSum = 0;
  std::uint32_t highSum = 0;
  for (std::size_t digit = 0; digit < 256; ++digit) {
    lowSum += std::exchange(low[digit], lowSum);
    highSum += std::exchange(high[digit], highSum);
  }
  for (std::size_t index = 0; index < range.count; ++index) {
    scratch[low[keys[index] >> 32U & 0xFFU]++] = keys[index];
  }
  for (std::size_t index = 0; index < range.count; ++index) {
    keys[high[scratch[index] >> 40U]++] = scratch[index];
  }
}

std::uint64_t PointOrder::Bytes() const {
  return (m_indices.capacity() + m_slots.capacity() + m_newIndex.capacity()) * sizeof(std::uint32_t) +
         (m_keys.capacity() + m_scratch.capacity()) * sizeof(std::uint64_t) + m_pending.capacity() * sizeof(Range);
}

}  // namespace muster::tree
