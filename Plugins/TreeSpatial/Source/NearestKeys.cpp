// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NearestKeys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace muster::tree {

namespace {

constexpr std::size_t kMostBuckets = 256;
/// Fewer keys in a bucket than this are sorted by insertion.
constexpr std::size_t kFewKeys = 12;

float DistanceSquaredOf(std::uint64_t key) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32U));
}

void SortBucket(std::uint64_t* first, std::uint64_t* end) {
  if (static_cast<std::size_t>(end - first) > kFewKeys) {
    std::sort(first, end);
    return;
  }
  for (std::uint64_t* next = first + 1; next < end; ++next) {
    const std::uint64_t key = *next;
    std::uint64_t* place = next;
    for (; place != first && place[-1] > key; --place) {
      *place = place[-1];
    }
    *place = key;
  }
}

}  // namespace

// What comes later must be at least as near as the last that is kept.
void NearestKeys::Tighten(Target& target) {
  if (m_count <= m_wanted) {
    return;
  }
  const auto last = m_keys.begin() + static_cast<std::ptrdiff_t>(m_wanted - 1);
  std::nth_element(m_keys.begin(), last, m_keys.begin() + static_cast<std::ptrdiff_t>(m_count));
  m_count = m_wanted;
  m_farthestKey = *last;
  target.radiusSquared = DistanceSquaredOf(*last);
}

// Of the keys that were just taken, those that are as far as the last and of a higher slot: a whole crowd on one spot.
std::size_t NearestKeys::DropFarther(std::size_t taken) {
  std::uint64_t* const keys = m_keys.data();
  const std::size_t end = m_count + taken;
  std::size_t kept = m_count;
  for (std::size_t index = m_count; index < end; ++index) {
    keys[kept] = keys[index];
    kept += keys[index] < m_farthestKey ? 1U : 0U;
  }
  return kept;
}

// Among evenly spread neighbours, squared distances are evenly spread too: as many buckets as keys hold about one key
// each. Where that is not so, the sort within a bucket still makes the order right.
std::span<const std::uint64_t> NearestKeys::SortByBuckets(float reachSquared) {
  const std::span<const std::uint64_t> keys = m_keys.first(m_count);
  const std::size_t buckets = std::clamp(std::bit_ceil(m_count), std::size_t{16}, kMostBuckets);
  const float scale = static_cast<float>(buckets - 1) / reachSquared;
  if (!std::isfinite(scale) || !std::isfinite(reachSquared)) {
    std::sort(m_keys.begin(), m_keys.begin() + static_cast<std::ptrdiff_t>(m_count));
    return keys;
  }
  // Counts stand one place up, so that their sums are where each bucket begins.
  std::array<std::uint32_t, kMostBuckets + 1> ends;
  std::fill_n(ends.begin(), buckets + 1, 0U);
  const auto bucketOf = [scale](std::uint64_t key) {
    return static_cast<std::size_t>(static_cast<std::int32_t>(DistanceSquaredOf(key) * scale));
  };
  for (const std::uint64_t key : keys) {
    ++ends[bucketOf(key) + 1];
  }
  std::size_t last = 0;
  for (std::uint32_t sum = 0; sum < std::min(m_count, m_wanted); ++last) {
    sum += ends[last + 1];
    ends[last + 1] = sum;
  }
  // Of what lies in buckets behind `last` nothing is wanted: it goes where it is overwritten or never read.
  std::uint64_t* const sorted = m_sorted.data();
  const std::size_t trash = m_sorted.size() - 1;
  for (const std::uint64_t key : keys) {
    const std::size_t bucket = bucketOf(key);
    const bool isWanted = bucket < last;
    sorted[isWanted ? ends[bucket] : trash] = key;
    ends[bucket] += isWanted ? 1U : 0U;
  }
  std::size_t first = 0;
  for (std::size_t bucket = 0; bucket < last; ++bucket) {
    SortBucket(sorted + first, sorted + ends[bucket]);
    first = ends[bucket];
  }
  return m_sorted.first(first);
}

// Leaving keys out is quicker than sorting them: a part of the reach that should hold half as many again as are wanted,
// as long as that turns out to be enough.
float NearestKeys::Narrow(float reachSquared) {
  while (m_count > 2 * m_wanted + kFewKeys && std::isfinite(reachSquared)) {
    const float share = 1.5F * static_cast<float>(m_wanted) / static_cast<float>(m_count);
    const float nearer = reachSquared * share;
    const std::uint64_t bound = static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(nearer)) << 32U | 0xFFFF'FFFFU;
    std::uint64_t* const kept = m_sorted.data();
    std::size_t count = 0;
    for (const std::uint64_t key : m_keys.first(m_count)) {
      kept[count] = key;
      count += key <= bound ? 1U : 0U;
    }
    if (count < m_wanted || count == m_count) {
      break;
    }
    std::swap(m_keys, m_sorted);
    m_count = count;
    reachSquared = nearer;
  }
  return reachSquared;
}

std::uint32_t NearestKeys::WriteTo(std::uint32_t* slots, float reachSquared) {
  if (m_count == 0) {
    return 0;
  }
  const float narrowed = Narrow(reachSquared);
  const std::span<const std::uint64_t> sorted = SortByBuckets(std::isfinite(narrowed) ? narrowed : Farthest());
  const std::size_t count = std::min(sorted.size(), m_wanted);
  for (std::size_t index = 0; index < count; ++index) {
    slots[index] = static_cast<std::uint32_t>(sorted[index]);
  }
  return static_cast<std::uint32_t>(count);
}

float NearestKeys::Farthest() const {
  return DistanceSquaredOf(*std::max_element(m_keys.begin(), m_keys.begin() + static_cast<std::ptrdiff_t>(m_count)));
}

}  // namespace muster::tree
