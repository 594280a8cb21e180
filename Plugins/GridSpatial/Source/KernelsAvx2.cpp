// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Eight lanes. The functions, not the file, are compiled for AVX2, so that nothing else in here (an inline function of
// a library, say) can end up in a program that runs without it.
#include "KernelsAvx2.h"

#include <immintrin.h>

#include <algorithm>
#include <array>

#define MUSTER_GRID_AVX2 __attribute__((target("avx2,bmi2,popcnt")))

namespace muster::grid {

namespace {

constexpr std::size_t kLanes = 8;

// For each mask of eight lanes, the lanes that are set, packed to the front, one a byte.
constexpr std::array<std::uint64_t, 256> MakePackTable() {
  std::array<std::uint64_t, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned next = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1U) != 0) {
        table[mask] |= static_cast<std::uint64_t>(lane) << (8 * next);
        ++next;
      }
    }
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> kPackTable = MakePackTable();

struct Lanes {
  __m256 x, y, z, radiusSquared;
};

MUSTER_GRID_AVX2 inline Lanes Spread(const Target& target) {
  return {_mm256_set1_ps(target.x), _mm256_set1_ps(target.y), _mm256_set1_ps(target.z),
          _mm256_set1_ps(target.radiusSquared)};
}

// One place for the order of operations of the exact test.
MUSTER_GRID_AVX2 inline __m256 SumOfSquares(const __m256& dx, const __m256& dy, const __m256& dz) {
  return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dz, dz)), _mm256_mul_ps(dy, dy));
}

MUSTER_GRID_AVX2 inline __m256 DistanceSquared(const PointColumns& points, std::size_t first, const Lanes& target) {
  return SumOfSquares(_mm256_sub_ps(_mm256_loadu_ps(points.x + first), target.x),
                      _mm256_sub_ps(_mm256_loadu_ps(points.y + first), target.y),
                      _mm256_sub_ps(_mm256_loadu_ps(points.z + first), target.z));
}

MUSTER_GRID_AVX2 inline unsigned IsAtMost(const __m256& left, const __m256& right) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(left, right, _CMP_LE_OQ)));
}

// Of the lanes of eight that belong to a span of `count` points from `first` on.
inline unsigned SpanMask(std::size_t first, std::size_t count) {
  return count - first < kLanes ? (1U << (count - first)) - 1U : 0xFFU;
}

MUSTER_GRID_AVX2 inline __m256i PackOrder(unsigned mask) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kPackTable[mask])));
}

MUSTER_GRID_AVX2 inline __m256i LoadSlots(const PointColumns& points, std::size_t first) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(points.slots + first));
}

MUSTER_GRID_AVX2 void CopySlots(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
  std::size_t index = 0;
  for (; index + kLanes <= count; index += kLanes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + index),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + index)));
  }
  for (; index < count; ++index) {
    to[index] = from[index];
  }
}

MUSTER_GRID_AVX2 std::size_t FilterSlots(const PointColumns& points, std::size_t count, const Target& target,
                                         std::uint32_t* out) {
  const Lanes lanes = Spread(target);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const unsigned mask = IsAtMost(DistanceSquared(points, first, lanes), lanes.radiusSquared) & SpanMask(first, count);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + hits),
                        _mm256_permutevar8x32_epi32(LoadSlots(points, first), PackOrder(mask)));
    hits += static_cast<unsigned>(__builtin_popcount(mask));
  }
  return hits;
}

MUSTER_GRID_AVX2 std::size_t FilterKeys(const PointColumns& points, std::size_t count, const Target& target,
                                        std::uint32_t ignoredSlot, std::uint64_t* out) {
  const Lanes lanes = Spread(target);
  const __m256i ignored = _mm256_set1_epi32(static_cast<int>(ignoredSlot));
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const __m256 distanceSquared = DistanceSquared(points, first, lanes);
    const __m256i slots = LoadSlots(points, first);
    const unsigned isIgnored =
        static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(slots, ignored))));
    const unsigned mask = IsAtMost(distanceSquared, lanes.radiusSquared) & ~isIgnored & SpanMask(first, count);
    const __m256i order = PackOrder(mask);
    const __m256i packedSlots = _mm256_permutevar8x32_epi32(slots, order);
    const __m256i packedDistances = _mm256_permutevar8x32_epi32(_mm256_castps_si256(distanceSquared), order);
    const __m256i low = _mm256_unpacklo_epi32(packedSlots, packedDistances);   // keys 0 1 4 5
    const __m256i high = _mm256_unpackhi_epi32(packedSlots, packedDistances);  // keys 2 3 6 7
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + hits), _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + hits + 4), _mm256_permute2x128_si256(low, high, 0x31));
    hits += static_cast<unsigned>(__builtin_popcount(mask));
  }
  return hits;
}

MUSTER_GRID_AVX2 std::uint64_t TestBlock(const PointColumns& points, std::size_t count, std::size_t readable,
                                         const Target& target) {
  const Lanes lanes = Spread(target);
  std::uint64_t bits = 0;
  std::size_t first = 0;
  const std::size_t whole = readable >= 64 ? count : std::min(count, readable / kLanes * kLanes);
  for (; first < whole; first += kLanes) {
    const unsigned mask = IsAtMost(DistanceSquared(points, first, lanes), lanes.radiusSquared);
    bits |= static_cast<std::uint64_t>(mask) << first;
  }
  for (; first < count; ++first) {
    const float dx = points.x[first] - target.x;
    const float dy = points.y[first] - target.y;
    const float dz = points.z[first] - target.z;
    bits |= static_cast<std::uint64_t>((dx * dx + dz * dz) + dy * dy <= target.radiusSquared) << first;
  }
  return count < 64 ? bits & ((std::uint64_t{1} << count) - 1) : bits;
}

MUSTER_GRID_AVX2 std::size_t FilterTouching(const PointColumns& points, std::size_t count, const Target& target,
                                            float radius, std::uint32_t* out) {
  const Lanes lanes = Spread(target);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const __m256 sum = _mm256_add_ps(_mm256_loadu_ps(points.radius + first), _mm256_set1_ps(radius));
    unsigned mask = IsAtMost(DistanceSquared(points, first, lanes), _mm256_mul_ps(sum, sum)) &
                    IsAtMost(_mm256_setzero_ps(), sum) & SpanMask(first, count);
    for (; mask != 0; mask &= mask - 1) {
      out[hits++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctz(mask));
    }
  }
  return hits;
}

MUSTER_GRID_AVX2 std::uint64_t SpreadBits(std::uint64_t bits, std::uint64_t mask) {
  return _pdep_u64(bits, mask);
}

constexpr Kernels kAvx2{&CopySlots, &FilterSlots, &FilterKeys, &TestBlock, &FilterTouching, &SpreadBits};

}  // namespace

const Kernels& Avx2Kernels() {
  return kAvx2;
}

}  // namespace muster::grid
