// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The nearest so many of a stream of points. Points are keys of squared distance (its bits order as it does, for it is
// never negative) and slot, so that ties fall to the lower slot and no two keys are equal.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "Kernels.h"

namespace muster::grid {

class NearestList {
 public:
  /// `room` holds at least twice `wanted` keys and some to spare.
  NearestList(std::span<std::uint64_t> room, std::size_t wanted, float radiusSquared)
      : m_keys{room}, m_wanted{wanted}, m_bound{radiusSquared} {}

  void Clear(float radiusSquared) {
    m_count = 0;
    m_bound = radiusSquared;
  }

  /// Takes the points of a span that are within the radius and not farther than what is known to suffice.
  void Add(const PointColumns& points, std::size_t count, const Target& target, std::uint32_t ignoredSlot) {
    std::size_t next = 0;
    while (next < count) {
      if (m_count == m_keys.size()) {
        Tighten();
      }
      const std::size_t end = std::min(count, next + (m_keys.size() - m_count));
      for (; next < end; ++next) {
        const float dx = points.x[next] - target.x;
        const float dy = points.y[next] - target.y;
        const float dz = points.z[next] - target.z;
        const float distanceSquared = (dx * dx + dz * dz) + dy * dy;
        const std::uint32_t slot = points.slots[next];
        m_keys[m_count] = static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(distanceSquared)) << 32U | slot;
        m_count += static_cast<std::size_t>(distanceSquared <= m_bound) & static_cast<std::size_t>(slot != ignoredSlot);
      }
    }
  }

  bool HasEnough() const { return m_count >= m_wanted; }

  /// Writes the nearest, in order; returns how many.
  std::uint32_t WriteTo(std::uint32_t* slots) {
    if (m_count > m_wanted) {
      Tighten();
    }
    std::sort(m_keys.begin(), m_keys.begin() + static_cast<std::ptrdiff_t>(m_count));
    for (std::size_t index = 0; index < m_count; ++index) {
      slots[index] = static_cast<std::uint32_t>(m_keys[index]);
    }
    return static_cast<std::uint32_t>(m_count);
  }

 private:
  /// Keeps the nearest `m_wanted` keys. What comes later must be at least as near as the last of them.
  void Tighten() {
    const auto last = m_keys.begin() + static_cast<std::ptrdiff_t>(m_wanted - 1);
    std::nth_element(m_keys.begin(), last, m_keys.begin() + static_cast<std::ptrdiff_t>(m_count));
    m_count = m_wanted;
    m_bound = std::bit_cast<float>(static_cast<std::uint32_t>(*last >> 32U));
  }

  std::span<std::uint64_t> m_keys;
  std::size_t m_wanted;
  std::size_t m_count = 0;
  float m_bound;
};

}  // namespace muster::grid
