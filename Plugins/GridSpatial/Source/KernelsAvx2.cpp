// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Eight lanes. The functions, not the file, are compiled for AVX2, so that nothing else in here (an inline function of
// a library, say) can end up in a program that runs without it.
#include "KernelsAvx2.h"

#include <immintrin.h>

#include <array>

#define MUSTER_GRID_AVX2 __attribute__((target("avx2")))

namespace muster::grid {

namespace {

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

constexpr unsigned TailMask(std::size_t lanes) {
  return (1U << lanes) - 1U;
}

// Bit i: lane i of the eight points is within the radius; the order of operations of the exact test.
MUSTER_GRID_AVX2 inline unsigned TestEight(const PointColumns& points, std::size_t first, const __m256& x,
                                           const __m256& y, const __m256& z, const __m256& radiusSquared) {
  const __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(points.x + first), x);
  const __m256 dy = _mm256_sub_ps(_mm256_loadu_ps(points.y + first), y);
  const __m256 dz = _mm256_sub_ps(_mm256_loadu_ps(points.z + first), z);
  const __m256 flat = _mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dz, dz));
  const __m256 distanceSquared = _mm256_add_ps(flat, _mm256_mul_ps(dy, dy));
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(distanceSquared, radiusSquared, _CMP_LE_OQ)));
}

MUSTER_GRID_AVX2 std::size_t FilterSlots(const PointColumns& points, std::size_t count, const Target& target,
                                         std::uint32_t* out) {
  const __m256 x = _mm256_set1_ps(target.x);
  const __m256 y = _mm256_set1_ps(target.y);
  const __m256 z = _mm256_set1_ps(target.z);
  const __m256 radiusSquared = _mm256_set1_ps(target.radiusSquared);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += 8) {
    unsigned mask = TestEight(points, first, x, y, z, radiusSquared);
    if (count - first < 8) {
      mask &= TailMask(count - first);
    }
    const __m256i slots = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(points.slots + first));
    const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kPackTable[mask])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + hits), _mm256_permutevar8x32_epi32(slots, order));
    hits += static_cast<unsigned>(__builtin_popcount(mask));
  }
  return hits;
}

MUSTER_GRID_AVX2 std::uint64_t TestBlock(const PointColumns& points, std::size_t count, const Target& target) {
  const __m256 x = _mm256_set1_ps(target.x);
  const __m256 y = _mm256_set1_ps(target.y);
  const __m256 z = _mm256_set1_ps(target.z);
  const __m256 radiusSquared = _mm256_set1_ps(target.radiusSquared);
  std::uint64_t bits = 0;
  std::size_t first = 0;
  for (; first + 8 <= count; first += 8) {
    bits |= static_cast<std::uint64_t>(TestEight(points, first, x, y, z, radiusSquared)) << first;
  }
  for (; first < count; ++first) {
    const float dx = points.x[first] - target.x;
    const float dy = points.y[first] - target.y;
    const float dz = points.z[first] - target.z;
    bits |= static_cast<std::uint64_t>((dx * dx + dz * dz) + dy * dy <= target.radiusSquared) << first;
  }
  return bits;
}

MUSTER_GRID_AVX2 std::size_t FilterTouching(const PointColumns& points, std::size_t count, const Target& target,
                                            float radius, std::uint32_t* out) {
  const __m256 x = _mm256_set1_ps(target.x);
  const __m256 y = _mm256_set1_ps(target.y);
  const __m256 z = _mm256_set1_ps(target.z);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += 8) {
    const __m256 sum = _mm256_add_ps(_mm256_loadu_ps(points.radius + first), _mm256_set1_ps(radius));
    const __m256 isSumUsable = _mm256_cmp_ps(sum, _mm256_setzero_ps(), _CMP_GE_OQ);
    const __m256 radiusSquared = _mm256_mul_ps(sum, sum);
    unsigned mask =
        TestEight(points, first, x, y, z, radiusSquared) & static_cast<unsigned>(_mm256_movemask_ps(isSumUsable));
    if (count - first < 8) {
      mask &= TailMask(count - first);
    }
    for (; mask != 0; mask &= mask - 1) {
      out[hits++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctz(mask));
    }
  }
  return hits;
}

constexpr Kernels kAvx2{&FilterSlots, &TestBlock, &FilterTouching};

}  // namespace

const Kernels& Avx2Kernels() {
  return kAvx2;
}

}  // namespace muster::grid
