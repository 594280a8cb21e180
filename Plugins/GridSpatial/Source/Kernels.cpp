// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Kernels.h"

#include <emmintrin.h>

#include "KernelsAvx2.h"

namespace muster::grid {

namespace {

// Bit i: lane i of the four points is within the radius. One place for the order of operations of the exact test.
inline unsigned TestFour(const PointColumns& points, std::size_t first, __m128 x, __m128 y, __m128 z,
                         __m128 radiusSquared) {
  const __m128 dx = _mm_sub_ps(_mm_loadu_ps(points.x + first), x);
  const __m128 dy = _mm_sub_ps(_mm_loadu_ps(points.y + first), y);
  const __m128 dz = _mm_sub_ps(_mm_loadu_ps(points.z + first), z);
  const __m128 flat = _mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dz, dz));
  const __m128 distanceSquared = _mm_add_ps(flat, _mm_mul_ps(dy, dy));
  return static_cast<unsigned>(_mm_movemask_ps(_mm_cmple_ps(distanceSquared, radiusSquared)));
}

constexpr unsigned TailMask(std::size_t lanes) {
  return (1U << lanes) - 1U;
}

std::size_t FilterSlots(const PointColumns& points, std::size_t count, const Target& target, std::uint32_t* out) {
  const __m128 x = _mm_set1_ps(target.x);
  const __m128 y = _mm_set1_ps(target.y);
  const __m128 z = _mm_set1_ps(target.z);
  const __m128 radiusSquared = _mm_set1_ps(target.radiusSquared);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += 4) {
    unsigned mask = TestFour(points, first, x, y, z, radiusSquared);
    if (count - first < 4) {
      mask &= TailMask(count - first);
    }
    for (std::size_t lane = 0; lane < 4; ++lane) {
      out[hits] = points.slots[first + lane];
      hits += (mask >> lane) & 1U;
    }
  }
  return hits;
}

std::uint64_t TestBlock(const PointColumns& points, std::size_t count, const Target& target) {
  const __m128 x = _mm_set1_ps(target.x);
  const __m128 y = _mm_set1_ps(target.y);
  const __m128 z = _mm_set1_ps(target.z);
  const __m128 radiusSquared = _mm_set1_ps(target.radiusSquared);
  std::uint64_t bits = 0;
  std::size_t first = 0;
  for (; first + 4 <= count; first += 4) {
    bits |= static_cast<std::uint64_t>(TestFour(points, first, x, y, z, radiusSquared)) << first;
  }
  for (; first < count; ++first) {
    const float dx = points.x[first] - target.x;
    const float dy = points.y[first] - target.y;
    const float dz = points.z[first] - target.z;
    bits |= static_cast<std::uint64_t>((dx * dx + dz * dz) + dy * dy <= target.radiusSquared) << first;
  }
  return bits;
}

std::size_t FilterTouching(const PointColumns& points, std::size_t count, const Target& target, float radius,
                           std::uint32_t* out) {
  const __m128 x = _mm_set1_ps(target.x);
  const __m128 y = _mm_set1_ps(target.y);
  const __m128 z = _mm_set1_ps(target.z);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += 4) {
    const __m128 sum = _mm_add_ps(_mm_loadu_ps(points.radius + first), _mm_set1_ps(radius));
    const __m128 isSumUsable = _mm_cmpge_ps(sum, _mm_setzero_ps());
    unsigned mask =
        TestFour(points, first, x, y, z, _mm_mul_ps(sum, sum)) & static_cast<unsigned>(_mm_movemask_ps(isSumUsable));
    if (count - first < 4) {
      mask &= TailMask(count - first);
    }
    for (; mask != 0; mask &= mask - 1) {
      out[hits++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctz(mask));
    }
  }
  return hits;
}

constexpr Kernels kBaseline{&FilterSlots, &TestBlock, &FilterTouching};

}  // namespace

const Kernels& BaselineKernels() {
  return kBaseline;
}

const Kernels& BestKernels() {
  return __builtin_cpu_supports("avx2") != 0 ? Avx2Kernels() : kBaseline;
}

}  // namespace muster::grid
