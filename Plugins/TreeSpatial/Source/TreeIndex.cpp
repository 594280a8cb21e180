// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TreeIndex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "NearestKeys.h"

namespace muster::tree {

namespace {

// Points a kernel works on at once where its result goes through a buffer on the stack.
constexpr std::size_t kBlock = 512;

// When more than one in so many points is a candidate, a scan in slot order that writes whole words is quicker than
// bits one by one.
constexpr std::uint32_t kScanShare = 12;

// Neighbours found without memory from the heap.
constexpr std::uint32_t kStackNearest = 1024;

// An order is renewed after so many rebuilds though no box has told; neighbours drift apart without leaving their box.
constexpr std::uint32_t kSortEvery = 64;

// The farthest corners of the boxes that hold enough lie well beyond the last neighbour: within this part of their
// squared distance there mostly is enough already, among a third of the candidates.
constexpr float kGuessShare = 0.35F;

struct SlotBuffer {
  std::array<std::uint32_t, kBlock + kKernelSlack> slots;
};

}  // namespace

TreeIndex::TreeIndex(const Kernels& kernels) : m_kernels{kernels}, m_tree{kernels} {}

void TreeIndex::Rebuild(const mu_spatial_view& view) {
  m_words.Build(view);
  if (m_rebuildsSinceSort < kSortEvery && m_order.Follow(view) && m_tree.Fit(view, m_order.Indices()) &&
      !m_tree.HasSpread()) {
    ++m_rebuildsSinceSort;
    return;
  }
  m_order.Sort(view);
  m_tree.Fit(view, m_order.Indices());
  m_tree.NoteWidths();
  m_rebuildsSinceSort = 0;
}

void TreeIndex::QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const {
  for (const mu_sphere_query& query : queries) {
    SetBits(Around(query.x, query.y, query.z, query.radius), bits);
    bits += words;
  }
}

void TreeIndex::SetBits(const Target& target, std::uint64_t* bits) const {
  const std::uint32_t count = m_tree.PointCount();
  // The scan reads the host's columns, where infinite positions would pass an infinite radius.
  const bool canScan = m_order.IsWhole() || std::isfinite(target.radiusSquared);
  const std::uint32_t mostCandidates = canScan ? count / kScanShare + 64 : std::numeric_limits<std::uint32_t>::max();
  if (canScan) {
    const std::uint32_t inside = m_tree.CountInsideAtTop(target);
    if (inside != 0 && inside == count && m_order.IsWhole()) {
      m_words.SetAll(bits);
      return;
    }
    if (inside > mostCandidates) {
      m_words.SetPassing(m_kernels, target, bits);
      return;
    }
  }
  const PointColumns points = m_tree.Points();
  std::uint32_t candidates = 0;
  SlotBuffer buffer;
  m_tree.ForEachSpan(target, [&](std::uint32_t first, std::uint32_t end, bool isInside) {
    candidates += end - first;
    if (candidates > mostCandidates) {
      return false;
    }
    while (first != end) {
      const std::size_t some = std::min<std::size_t>(end - first, kBlock);
      const std::uint32_t* slots = points.slots + first;
      std::size_t hits = some;
      if (!isInside) {
        hits = m_kernels.filterSlots(points.From(first), some, target, buffer.slots.data());
        slots = buffer.slots.data();
      }
      for (std::size_t hit = 0; hit < hits; ++hit) {
        bits[slots[hit] / 64] |= std::uint64_t{1} << (slots[hit] % 64);
      }
      first += static_cast<std::uint32_t>(some);
    }
    return true;
  });
  if (candidates > mostCandidates) {
    m_words.SetPassing(m_kernels, target, bits);  // what was set so far is right too
  }
}

void TreeIndex::QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                         mu_id_query_result* results) const {
  for (const mu_sphere_query& query : queries) {
    *results++ = CollectIds(Around(query.x, query.y, query.z, query.radius), slots, capacity);
    slots += capacity;
  }
}

mu_id_query_result TreeIndex::CollectIds(const Target& target, std::uint32_t* slots, std::uint32_t capacity) const {
  const PointColumns points = m_tree.Points();
  std::size_t written = 0;
  bool isOverflow = false;
  SlotBuffer buffer;
  m_tree.ForEachSpan(target, [&](std::uint32_t first, std::uint32_t end, bool isInside) {
    while (first != end) {
      std::size_t some = end - first;
      const std::size_t room = capacity - written;
      if (isInside) {
        const std::size_t taken = std::min(some, room);
        m_kernels.copySlots(points.slots + first, taken, slots + written);
        written += taken;
        isOverflow = taken < some;
      } else if (room >= some + kKernelSlack) {
        written += m_kernels.filterSlots(points.From(first), some, target, slots + written);
      } else {
        some = std::min(some, kBlock);
        const std::size_t hits = m_kernels.filterSlots(points.From(first), some, target, buffer.slots.data());
        const std::size_t taken = std::min(hits, room);
        m_kernels.copySlots(buffer.slots.data(), taken, slots + written);
        written += taken;
        isOverflow = taken < hits;
      }
      if (isOverflow) {
        return false;
      }
      first += static_cast<std::uint32_t>(some);
    }
    return true;
  });
  return {static_cast<std::uint32_t>(written), isOverflow ? 1U : 0U};
}

void TreeIndex::QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                             mu_nearest_result* results) const {
  for (const mu_nearest_query& query : queries) {
    const std::uint32_t wanted = std::min(std::min(query.k, capacity), m_tree.PointCount());
    results->count = wanted == 0 ? 0 : CollectNearest(query, slots, wanted);
    ++results;
    slots += capacity;
  }
}

std::uint32_t TreeIndex::CollectNearest(const mu_nearest_query& query, std::uint32_t* slots,
                                        std::uint32_t wanted) const {
  const Target whole = Around(query.x, query.y, query.z, query.radius);
  if (IsEmpty(whole)) {
    return 0;
  }
  std::array<std::uint64_t, NearestKeys::RoomFor(kStackNearest)> stackRoom;
  std::vector<std::uint64_t> heapRoom;
  std::span<std::uint64_t> room{stackRoom};
  if (wanted > kStackNearest) {
    heapRoom.resize(NearestKeys::RoomFor(wanted));
    room = heapRoom;
  }
  const PointColumns points = m_tree.Points();
  NearestKeys nearest{room, wanted, m_kernels};
  const float enough = m_tree.EnoughSquared(whole, wanted + (query.ignore_slot != UINT32_MAX ? 1 : 0));
  for (const float reach : {enough * kGuessShare, enough, whole.radiusSquared}) {
    Target target = whole;
    target.radiusSquared = std::min(reach, whole.radiusSquared);
    const bool isLast = target.radiusSquared == whole.radiusSquared;
    nearest.Clear();
    m_tree.ForEachSpan(target, [&](std::uint32_t first, std::uint32_t end, bool /*isInside*/) {
      nearest.Add(points.From(first), end - first, target, query.ignore_slot);
      return true;
    });
    // Everything within the reach was seen, so enough found within it is all that is asked for.
    if (isLast || nearest.HasEnough()) {
      return nearest.WriteTo(slots, target.radiusSquared);
    }
  }
  return 0;  // not reached: the last reach is the query's own
}

void TreeIndex::CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
  const PointColumns points = m_tree.Points();
  std::array<std::uint32_t, kBlock> touching;
  std::uint64_t found = 0;
  // Each pair is found from its larger circle, whose diameter bounds the distance: one giant costs one wide query.
  for (std::uint32_t self = 0; self < m_tree.PointCount(); ++self) {
    const float radius = points.radius[self];
    const Target target = Around(points.x[self], points.y[self], points.z[self], radius + radius);
    m_tree.ForEachSpan(target, [&](std::uint32_t first, std::uint32_t end, bool /*isInside*/) {
      while (first != end) {
        const std::size_t some = std::min<std::size_t>(end - first, kBlock);
        const std::size_t hits = m_kernels.filterTouching(points.From(first), some, target, radius, touching.data());
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
        first += static_cast<std::uint32_t>(some);
      }
      return true;
    });
  }
  count = found;
}

void TreeIndex::Stats(mu_spatial_stats& stats) const {
  stats.cells = m_tree.BoxCount();
  stats.bytes = m_tree.Bytes() + m_order.Bytes() + m_words.Bytes();
}

}  // namespace muster::tree
