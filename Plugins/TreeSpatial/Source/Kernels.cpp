// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Kernels.h"

#include <emmintrin.h>

#include "KernelsAvx2.h"

namespace muster::tree {

namespace {

constexpr std::size_t kLanes = 4;

struct Lanes {
  __m128 x, y, z, radiusSquared;

  explicit Lanes(const Target& target)
      : x{_mm_set1_ps(target.x)},
        y{_mm_set1_ps(target.y)},
        z{_mm_set1_ps(target.z)},
        radiusSquared{_mm_set1_ps(target.radiusSquared)} {}
};

// One place for the order of operations of the exact test.
inline __m128 SumOfSquares(__m128 dx, __m128 dy, __m128 dz) {
  return _mm_add_ps(_mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dz, dz)), _mm_mul_ps(dy, dy));
}

inline __m128 DistanceSquared(const PointColumns& points, std::size_t first, const Lanes& target) {
  return SumOfSquares(_mm_sub_ps(_mm_loadu_ps(points.x + first), target.x),
                      _mm_sub_ps(_mm_loadu_ps(points.y + first), target.y),
                      _mm_sub_ps(_mm_loadu_ps(points.z + first), target.z));
}

inline unsigned MaskOf(__m128 lanes) {
  return static_cast<unsigned>(_mm_movemask_ps(lanes));
}

// Of the lanes of four that belong to a span of `count` points from `first` on.
inline unsigned SpanMask(std::size_t first, std::size_t count) {
  return count - first < kLanes ? (1U << (count - first)) - 1U : 0xFU;
}

inline __m128 Nearest(const float* low, const float* high, __m128 place) {
  const __m128 outside = _mm_max_ps(_mm_sub_ps(_mm_load_ps(low), place), _mm_sub_ps(place, _mm_load_ps(high)));
  return _mm_max_ps(outside, _mm_setzero_ps());
}

inline __m128 Farthest(const float* low, const float* high, __m128 place) {
  const __m128 sign = _mm_set1_ps(-0.0F);
  return _mm_max_ps(_mm_andnot_ps(sign, _mm_sub_ps(_mm_load_ps(low), place)),
                    _mm_andnot_ps(sign, _mm_sub_ps(_mm_load_ps(high), place)));
}

inline __m128 FarthestSquaredOf(const BoxNode& node, std::size_t lane, const Lanes& target) {
  return SumOfSquares(Farthest(node.lowX + lane, node.highX + lane, target.x),
                      Farthest(node.lowY + lane, node.highY + lane, target.y),
                      Farthest(node.lowZ + lane, node.highZ + lane, target.z));
}

BoxHits TestBoxes(const BoxNode& node, const Target& target) {
  const Lanes lanes{target};
  BoxHits hits{0, 0};
  for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
    const __m128 nearest = SumOfSquares(Nearest(node.lowX + lane, node.highX + lane, lanes.x),
                                        Nearest(node.lowY + lane, node.highY + lane, lanes.y),
                                        Nearest(node.lowZ + lane, node.highZ + lane, lanes.z));
    hits.near |= MaskOf(_mm_cmple_ps(nearest, lanes.radiusSquared)) << lane;
    hits.inside |= MaskOf(_mm_cmple_ps(FarthestSquaredOf(node, lane, lanes), lanes.radiusSquared)) << lane;
  }
  return hits;
}

void FarthestSquared(const BoxNode& node, const Target& target, float* out) {
  const Lanes lanes{target};
  for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
    _mm_storeu_ps(out + lane, FarthestSquaredOf(node, lane, lanes));
  }
}

void CopySlots(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
  std::size_t index = 0;
  for (; index + kLanes <= count; index += kLanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + index),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + index)));
  }
  for (; index < count; ++index) {
    to[index] = from[index];
  }
}

std::size_t FilterSlots(const PointColumns& points, std::size_t count, const Target& target, std::uint32_t* out) {
  const Lanes lanes{target};
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const unsigned mask =
        MaskOf(_mm_cmple_ps(DistanceSquared(points, first, lanes), lanes.radiusSquared)) & SpanMask(first, count);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      out[hits] = points.slots[first + lane];
      hits += (mask >> lane) & 1U;
    }
  }
  return hits;
}

std::size_t FilterKeys(const PointColumns& points, std::size_t count, const Target& target, std::uint32_t ignoredSlot,
                       std::uint64_t* out) {
  const Lanes lanes{target};
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const __m128 distanceSquared = DistanceSquared(points, first, lanes);
    alignas(16) std::uint32_t bits[kLanes];
    _mm_store_si128(reinterpret_cast<__m128i*>(bits), _mm_castps_si128(distanceSquared));
    const unsigned mask = MaskOf(_mm_cmple_ps(distanceSquared, lanes.radiusSquared)) & SpanMask(first, count);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t slot = points.slots[first + lane];
      out[hits] = static_cast<std::uint64_t>(bits[lane]) << 32U | slot;
      hits += (mask >> lane) & static_cast<unsigned>(slot != ignoredSlot);
    }
  }
  return hits;
}

std::uint64_t TestBlock(const PointColumns& points, std::size_t count, std::size_t readable, const Target& target) {
  const Lanes lanes{target};
  std::uint64_t bits = 0;
  std::size_t first = 0;
  for (; first < count && first + kLanes <= readable; first += kLanes) {
    const unsigned mask = MaskOf(_mm_cmple_ps(DistanceSquared(points, first, lanes), lanes.radiusSquared));
    bits |= static_cast<std::uint64_t>(mask & SpanMask(first, count)) << first;
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
  const Lanes lanes{target};
  std::size_t hits = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const __m128 sum = _mm_add_ps(_mm_loadu_ps(points.radius + first), _mm_set1_ps(radius));
    unsigned mask = MaskOf(_mm_cmple_ps(DistanceSquared(points, first, lanes), _mm_mul_ps(sum, sum))) &
                    MaskOf(_mm_cmpge_ps(sum, _mm_setzero_ps())) & SpanMask(first, count);
    for (; mask != 0; mask &= mask - 1) {
      out[hits++] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctz(mask));
    }
  }
  return hits;
}

std::uint64_t SpreadBits(std::uint64_t bits, std::uint64_t mask) {
  if (mask == ~std::uint64_t{0}) {
    return bits;
  }
  std::uint64_t spread = 0;
  for (; mask != 0; mask &= mask - 1) {
    spread |= (bits & 1U) != 0 ? mask & (~mask + 1) : 0;
    bits >>= 1U;
  }
  return spread;
}

constexpr Kernels kBaseline{&CopySlots,  &TestBoxes, &FarthestSquared, &FilterSlots,
                            &FilterKeys, &TestBlock, &FilterTouching,  &SpreadBits};

}  // namespace

const Kernels& BaselineKernels() {
  return kBaseline;
}

const Kernels& BestKernels() {
  const bool hasAll = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
  return hasAll ? Avx2Kernels() : kBaseline;
}

}  // namespace muster::tree
