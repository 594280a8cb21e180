// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The inner loops: the exact test of mu_spatial_is_within on several points, and what it bounds on several boxes. Every
// version does the same single operations in the same order (no fused multiply-add), so all agree to the last bit.
//
// Why boxes are exact. Subtraction, product and sum round monotonically, so the test's own operations on the nearest
// and the farthest corner of a box bound the rounded squared distance of each point in it: a box is left out, or taken
// whole, only where the test would have said so for each of its points.
#pragma once

#include <cstddef>
#include <cstdint>

namespace muster::tree {

/// Points of a block, and children of a node.
inline constexpr std::uint32_t kWidth = 16;

/// How far a kernel may read behind a span of the tree's own columns, and write behind its last hit.
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

/// Sixteen boxes. A lane that holds nothing has its low bounds at +infinity and its high ones at -infinity.
struct alignas(64) BoxNode {
  float lowX[kWidth];
  float highX[kWidth];
  float lowY[kWidth];
  float highY[kWidth];
  float lowZ[kWidth];
  float highZ[kWidth];
};

struct Target {
  float x;
  float y;
  float z;
  float radiusSquared;  ///< NaN matches nothing
};

/// A bit for each lane of a node.
struct BoxHits {
  std::uint32_t near;    ///< some point of the box may pass
  std::uint32_t inside;  ///< every point of the box passes
};

struct Kernels {
  /// Not memmove, whose long copies were seen to take thirty times as long for some alignments (AMD Zen 3).
  void (*copySlots)(const std::uint32_t* from, std::size_t count, std::uint32_t* to);

  /// Meaningless in lanes that hold nothing.
  BoxHits (*testBoxes)(const BoxNode& node, const Target& target);

  /// Squared distance of the farthest corner of each box to `out` (16 floats).
  void (*farthestSquared)(const BoxNode& node, const Target& target, float* out);

  /// Writes the slots of the points that pass to `out` (room for `count + kKernelSlack`) and returns how many.
  /// Reads up to kKernelSlack points behind the span.
  std::size_t (*filterSlots)(const PointColumns& points, std::size_t count, const Target& target, std::uint32_t* out);

  /// As filterSlots, but writes keys of squared distance (upper half; its bits order as it does) and slot, and leaves
  /// out `ignoredSlot`.
  std::size_t (*filterKeys)(const PointColumns& points, std::size_t count, const Target& target,
                            std::uint32_t ignoredSlot, std::uint64_t* out);

  /// Bit i of the result: point i passes; `count` <= 64. Reads nothing behind `readable` points (>= count), which may
  /// be more than there are bits.
  std::uint64_t (*testBlock)(const PointColumns& points, std::size_t count, std::size_t readable, const Target& target);

  /// As filterSlots for circles that touch: writes the indices in the span of the points whose centre is within
  /// (`radius` + their radius) of the target, where that sum is not negative.
  std::size_t (*filterTouching)(const PointColumns& points, std::size_t count, const Target& target, float radius,
                                std::uint32_t* out);

  /// Moves the lowest bits of `bits` to the places of the bits set in `mask`, in order.
  std::uint64_t (*spreadBits)(std::uint64_t bits, std::uint64_t mask);
};

/// For every x86-64 processor.
const Kernels& BaselineKernels();
/// The fastest ones this processor runs.
const Kernels& BestKernels();

}  // namespace muster::tree
