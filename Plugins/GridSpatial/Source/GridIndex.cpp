// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GridIndex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "NearestKeys.h"

namespace muster::grid {

namespace {

// Points a kernel works on at once where its result goes through a buffer on the stack.
constexpr std::size_t kBlock = 1024;

// When more than one in so many points is a candidate, a scan in slot order that writes whole words is quicker than
// bits one by one.
constexpr std::uint32_t kScanShare = 12;

// Neighbours found without memory from the heap.
constexpr std::uint32_t kStackNearest = 1024;

// A guessed radius that was too small is doubled so often before the query's own radius is taken.
constexpr int kMostGuesses = 6;

struct SlotBuffer {
  std::array<std::uint32_t, kBlock + kKernelSlack> slots;
};

}  // namespace

GridIndex::GridIndex(float wishedCellMeters, const Kernels& kernels) : m_kernels{kernels}, m_grid{wishedCellMeters} {}

void GridIndex::Rebuild(const mu_spatial_view& view) {
  m_grid.Build(view);
  m_words.Build(view);
  m_isWhole = m_grid.PointCount() == view.count;
}

void GridIndex::QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const {
  for (const mu_sphere_query& query : queries) {
    SetBits(Ball::Around(query.x, query.y, query.z, query.radius), bits);
    bits += words;
  }
}

void GridIndex::SetBits(const Ball& ball, std::uint64_t* bits) const {
  const PointColumns points = m_grid.Points();
  // The scan reads the host's columns, where infinite positions would pass an infinite radius.
  const bool canScan = m_isWhole || std::isfinite(ball.target.radiusSquared);
  if (m_isWhole && m_grid.IsAllInside(ball)) {
    m_words.SetAll(bits);
    return;
  }
  const std::uint32_t mostCandidates =
      canScan ? m_grid.PointCount() / kScanShare + 64 : std::numeric_limits<std::uint32_t>::max();
  if (canScan && m_grid.EstimateCandidates(ball) > mostCandidates) {
    m_words.SetPassing(m_kernels, ball.target, bits);
    return;
  }
  std::uint32_t candidates = 0;
  SlotBuffer buffer;
  m_grid.ForEachSpan(ball, [&](std::uint32_t first, std::uint32_t end, bool isInside) {
    candidates += end - first;
    if (candidates > mostCandidates) {
      return false;
    }
    while (first != end) {
      const std::size_t count = std::min<std::size_t>(end - first, kBlock);
      const std::uint32_t* slots = points.slots + first;
      std::size_t hits = count;
      if (!isInside) {
        hits = m_kernels.filterSlots(points.From(first), count, ball.target, buffer.slots.data());
        slots = buffer.slots.data();
      }
      for (std::size_t hit = 0; hit < hits; ++hit) {
        bits[slots[hit] / 64] |= std::uint64_t{1} << (slots[hit] % 64);
      }
      first += static_cast<std::uint32_t>(count);
    }
    return true;
  });
  if (candidates > mostCandidates) {
    m_words.SetPassing(m_kernels, ball.target, bits);  // what was set so far is right too
  }
}

void GridIndex::QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                         mu_id_query_result* results) const {
  for (const mu_sphere_query& query : queries) {
    *results++ = CollectIds(Ball::Around(query.x, query.y, query.z, query.radius), slots, capacity);
    slots += capacity;
  }
}

mu_id_query_result GridIndex::CollectIds(const Ball& ball, std::uint32_t* slots, std::uint32_t capacity) const {
  const PointColumns points = m_grid.Points();
  std::size_t written = 0;
  bool isOverflow = false;
  SlotBuffer buffer;
  m_grid.ForEachSpan(ball, [&](std::uint32_t first, std::uint32_t end, bool isInside) {
    while (first != end) {
      std::size_t count = end - first;
      const std::size_t room = capacity - written;
      if (isInside) {
        const std::size_t taken = std::min(count, room);
        m_kernels.copySlots(points.slots + first, taken, slots + written);
        written += taken;
        isOverflow = taken < count;
      } else if (room >= count + kKernelSlack) {
        written += m_kernels.filterSlots(points.From(first), count, ball.target, slots + written);
      } else {
        count = std::min(count, kBlock);
        const std::size_t hits = m_kernels.filterSlots(points.From(first), count, ball.target, buffer.slots.data());
        const std::size_t taken = std::min(hits, room);
        m_kernels.copySlots(buffer.slots.data(), taken, slots + written);
        written += taken;
        isOverflow = taken < hits;
      }
      if (isOverflow) {
        return false;
      }
      first += static_cast<std::uint32_t>(count);
    }
    return true;
  });
  return {static_cast<std::uint32_t>(written), isOverflow ? 1U : 0U};
}

void GridIndex::QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                             mu_nearest_result* results) const {
  for (const mu_nearest_query& query : queries) {
    const std::uint32_t wanted = std::min(std::min(query.k, capacity), m_grid.PointCount());
    results->count = wanted == 0 ? 0 : CollectNearest(query, slots, wanted);
    ++results;
    slots += capacity;
  }
}

std::uint32_t GridIndex::CollectNearest(const mu_nearest_query& query, std::uint32_t* slots,
                                        std::uint32_t wanted) const {
  const Ball whole = Ball::Around(query.x, query.y, query.z, query.radius);
  if (whole.IsEmpty()) {
    return 0;
  }
  std::array<std::uint64_t, NearestKeys::RoomFor(kStackNearest)> stackRoom;
  std::vector<std::uint64_t> heapRoom;
  std::span<std::uint64_t> room{stackRoom};
  if (wanted > kStackNearest) {
    heapRoom.resize(NearestKeys::RoomFor(wanted));
    room = heapRoom;
  }
  const PointColumns points = m_grid.Points();
  NearestKeys nearest{room, wanted, m_kernels};
  float radius = m_grid.GuessRadius(query.x, query.y, query.z, wanted);
  for (int guess = 0;; ++guess) {
    const bool isWhole = !(radius < query.radius) || guess == kMostGuesses;
    const Ball ball = isWhole ? whole : Ball::Around(query.x, query.y, query.z, radius);
    Target target = ball.target;
    nearest.Clear();
    m_grid.ForEachSpan(ball, [&](std::uint32_t first, std::uint32_t end, bool /*isInside*/) {
      nearest.Add(points.From(first), end - first, target, query.ignore_slot);
      return true;
    });
    // Everything within the ball was seen, so enough found within it is all that is asked for.
    if (isWhole || nearest.HasEnough()) {
      return nearest.WriteTo(slots, target.radiusSquared);
    }
    radius *= 2.0F;
  }
}

void GridIndex::CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
  const PointColumns points = m_grid.Points();
  std::array<std::uint32_t, kBlock> touching;
  std::uint64_t found = 0;
  // Each pair is found from its larger circle, whose diameter bounds the distance: one giant costs one wide query.
  for (std::uint32_t self = 0; self < m_grid.PointCount(); ++self) {
    const float radius = points.radius[self];
    const Ball ball = Ball::Around(points.x[self], points.y[self], points.z[self], radius + radius);
    m_grid.ForEachSpan(ball, [&](std::uint32_t first, std::uint32_t end, bool /*isInside*/) {
      while (first != end) {
        const std::size_t block = std::min<std::size_t>(end - first, kBlock);
        const std::size_t hits =
            m_kernels.filterTouching(points.From(first), block, ball.target, radius, touching.data());
        for (std::size_t hit = 0; hit < hits; ++hit) {
          const std::uint32_t other = first + touching[hit];
          const float otherRadius = points.radius[other];
          if (otherRadius < radius || (otherRadius == radius && other < self)) {
            if (found < pairs.size()) {
              const std::uint32_t slot = points.slots[self];
              const std::uint32_t otherSlot = points.slots[other];
              pairs[found] = {std::min(slot, otherSlot), std::max(slot, otherSlot)};
            }
            ++found;
          }
        }
        first += static_cast<std::uint32_t>(block);
      }
      return true;
    });
  }
  count = found;
}

void GridIndex::Stats(mu_spatial_stats& stats) const {
  stats.cells = m_grid.CellCount();
  stats.bytes = m_grid.Bytes();
}

}  // namespace muster::grid
