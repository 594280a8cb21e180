// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The inner loops over spans of points: the exact test of mu_spatial_is_within on several lanes at once. Every version
// does the same single operations in the same order (no fused multiply-add), so all of them agree to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace muster::grid {

/// How far a kernel may read behind a span and write behind its last hit.
inline constexpr std::size_t kKernelSlack = 8;

/// Points as columns.
struct PointColumns {
  const float* x;
  const float* y;
  const float* z;
  const float* radius;
  const std::uint32_t* slots;

  PointColumns From(std::size_t first) const {
    return {x + first, y + first, z + first, radius + first, slots + first};
  }
};

struct Target {
  float x;
  float y;
  float z;
  float radiusSquared;
};

struct Kernels {
  /// Not memmove, whose long copies were seen to take thirty times as long for some alignments (AMD Zen 3).
  void (*copySlots)(const std::uint32_t* from, std::size_t count, std::uint32_t* to);

  /// Writes the slots of the points that pass to `out` (room for `count + kKernelSlack`) and returns how many.
  /// Reads up to kKernelSlack points behind the span.
  std::size_t (*filterSlots)(const PointColumns& points, std::size_t count, const Target& target, std::uint32_t* out);

  /// As filterSlots, but writes keys of squared distance (upper half; its bits order as it does, for it is never
  /// negative) and slot, and leaves out `ignoredSlot`.
  std::size_t (*filterKeys)(const PointColumns& points, std::size_t count, const Target& target,
                            std::uint32_t ignoredSlot, std::uint64_t* out);

  /// Bit i of the result: point i passes; `count` <= 64. Reads nothing behind `readable` points (>= count), which may
  /// be more than there are bits.
  std::uint64_t (*testBlock)(const PointColumns& points, std::size_t count, std::size_t readable, const Target& target);

  /// As filterSlots for circles that touch: writes the indices in the span of the points whose centre is within
  /// (target's radius + their radius) of the target, where that sum is not negative.
  std::size_t (*filterTouching)(const PointColumns& points, std::size_t count, const Target& target, float radius,
                                std::uint32_t* out);

  /// Moves the lowest bits of `bits` to the places of the bits set in `mask`, in order.
  std::uint64_t (*spreadBits)(std::uint64_t bits, std::uint64_t mask);
};

/// For every x86-64 processor.
const Kernels& BaselineKernels();
/// The fastest ones this processor runs.
const Kernels& BestKernels();

}  // namespace muster::grid
