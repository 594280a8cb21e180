// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The nearest so many of a stream of points, as keys of squared distance and slot: ties fall to the lower slot, and no
// two keys are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "Kernels.h"

namespace muster::tree {

class NearestKeys {
 public:
  /// Keys that a list for `wanted` neighbours needs room for.
  static constexpr std::size_t kMostAtOnce = 256;
  static constexpr std::size_t RoomFor(std::size_t wanted) { return 2 * CapacityFor(wanted); }

  NearestKeys(std::span<std::uint64_t> room, std::size_t wanted, const Kernels& kernels)
      : m_keys{room.first(CapacityFor(wanted))},
        m_sorted{room.subspan(CapacityFor(wanted))},
        m_wanted{wanted},
        m_kernels{kernels} {}

  void Clear() {
    m_count = 0;
    m_farthestKey = UINT64_MAX;
  }

  /// Takes the points of a span that pass and may be among the nearest. `target` is narrowed to what is known to
  /// suffice.
  void Add(PointColumns points, std::size_t count, Target& target, std::uint32_t ignoredSlot) {
    while (count != 0) {
      const std::size_t some = count < kMostAtOnce ? count : kMostAtOnce;
      if (m_count + some + kKernelSlack > m_keys.size()) {
        Tighten(target);
      }
      const std::size_t taken = m_kernels.filterKeys(points, some, target, ignoredSlot, m_keys.data() + m_count);
      m_count = m_farthestKey == UINT64_MAX ? m_count + taken : DropFarther(taken);
      points = points.From(some);
      count -= some;
    }
  }

  bool HasEnough() const { return m_count >= m_wanted; }

  /// Writes the nearest, in order; returns how many. Nothing was added from farther than `reachSquared`.
  std::uint32_t WriteTo(std::uint32_t* slots, float reachSquared);

 private:
  static constexpr std::size_t CapacityFor(std::size_t wanted) { return wanted * 2 + kMostAtOnce + kKernelSlack; }

  void Tighten(Target& target);
  std::size_t DropFarther(std::size_t taken);
  float Narrow(float reachSquared);
  float Farthest() const;
  std::span<const std::uint64_t> SortByBuckets(float reachSquared);

  std::span<std::uint64_t> m_keys;
  std::span<std::uint64_t> m_sorted;
  std::size_t m_wanted;
  std::size_t m_count = 0;
  std::uint64_t m_farthestKey = UINT64_MAX;  // of those that Tighten kept
  const Kernels& m_kernels;
};

}  // namespace muster::tree
