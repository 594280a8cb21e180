// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/LinearIndex.h"

#include "PluginApi/PluginTables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::simulation {
namespace {

class LinearIndex {
 public:
  void Rebuild(const mu_spatial_view& view) { m_view = view; }

  void QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const {
    for (const mu_sphere_query& query : queries) {
      ForEachMatch(query, [bits](std::uint32_t slot) {
        bits[slot / 64] |= std::uint64_t{1} << (slot % 64);
        return true;
      });
      bits += words;
    }
  }

  void QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                mu_id_query_result* results) const {
    for (const mu_sphere_query& query : queries) {
      mu_id_query_result result{};
      ForEachMatch(query, [&result, slots, capacity](std::uint32_t slot) {
        if (result.count == capacity) {
          result.overflow = 1;
          return false;
        }
        slots[result.count++] = slot;
        return true;
      });
      *results++ = result;
      slots += capacity;
    }
  }

  void QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                    mu_nearest_result* results) const {
    std::vector<std::pair<float, std::uint32_t>> found;
    for (const mu_nearest_query& query : queries) {
      found.clear();
      ForEachMatch({query.x, query.y, query.z, query.radius}, [&](std::uint32_t slot, std::uint32_t index) {
        if (slot != query.ignore_slot) {
          found.emplace_back(
              mu_spatial_distance_squared(m_view.x[index], m_view.y[index], m_view.z[index], query.x, query.y, query.z),
              slot);
        }
        return true;
      });
      const std::size_t wanted = std::min<std::size_t>(found.size(), std::min(query.k, capacity));
      std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(wanted), found.end());
      for (std::size_t place = 0; place < wanted; ++place) {
        slots[place] = found[place].second;
      }
      *results++ = {static_cast<std::uint32_t>(wanted)};
      slots += capacity;
    }
  }

  void CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
    count = 0;
    for (std::uint32_t a = 0; a < m_view.count; ++a) {
      if (!IsFinite(a)) {
        continue;
      }
      for (std::uint32_t b = a + 1; b < m_view.count; ++b) {
        if (IsFinite(b) && mu_spatial_is_within(m_view.x[a], m_view.y[a], m_view.z[a], m_view.x[b], m_view.y[b],
                                                m_view.z[b], m_view.radius[a] + m_view.radius[b]) != 0) {
          if (count < pairs.size()) {
            pairs[count] = {m_view.slots[a], m_view.slots[b]};
          }
          ++count;
        }
      }
    }
  }

  void Stats(mu_spatial_stats& stats) const {
    stats.cells = 1;
    stats.bytes = sizeof(*this);
  }

 private:
  bool IsFinite(std::uint32_t index) const {
    return std::isfinite(m_view.x[index]) && std::isfinite(m_view.y[index]) && std::isfinite(m_view.z[index]);
  }

  /// In slot order, `body(slot)` or `body(slot, index)`, until it returns false.
  template <class Body>
  void ForEachMatch(const mu_sphere_query& query, Body&& body) const {
    if (std::isnan(query.x) || std::isnan(query.y) || std::isnan(query.z)) {
      return;
    }
    for (std::uint32_t index = 0; index < m_view.count; ++index) {
      if (mu_spatial_is_within(m_view.x[index], m_view.y[index], m_view.z[index], query.x, query.y, query.z,
                               query.radius) == 0 ||
          !IsFinite(index)) {
        continue;
      }
      if constexpr (std::is_invocable_v<Body, std::uint32_t, std::uint32_t>) {
        if (!body(m_view.slots[index], index)) {
          return;
        }
      } else if (!body(m_view.slots[index])) {
        return;
      }
    }
  }

  mu_spatial_view m_view{};
};

}  // namespace

const mu_spatial_index_v0& LinearIndexTable() {
  return plugin::SpatialIndexTable<LinearIndex>::kTable;
}

}  // namespace muster::simulation
