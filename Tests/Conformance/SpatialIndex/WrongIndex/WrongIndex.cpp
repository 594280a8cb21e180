// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A spatial index that keeps every promise, until its setting `mistake` names one to break. Proof that the suite can
// say no.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "PluginApi/Plugin.h"

namespace {

class WrongIndex {
 public:
  WrongIndex(const muster::plugin::Host& host, const mu_spatial_params& params)
      : m_mistake{host.ConfigText("mistake").value_or("none")}, m_wish{params.cell_size_meters} {}

  void Rebuild(const mu_spatial_view& view) {
    ++m_rebuilds;
    if (Makes("keeps_old_positions") && m_rebuilds > 4 && view.count == m_x.size()) {
      m_view = view;
      return;  // a refit that was forgotten
    }
    if (Makes("grows")) {
      m_leak.resize(m_leak.size() + 1000);
    }
    m_view = view;
    m_x.assign(view.x, view.x + view.count);
  }

  void QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const {
    for (const mu_sphere_query& query : queries) {
      for (const std::uint32_t index : Matches(query)) {
        const std::uint32_t slot = m_view.slots[index];
        bits[slot / 64] |= std::uint64_t{1} << (slot % 64);
      }
      bits += Makes("packs_its_batch") ? (m_view.slot_capacity + 63) / 64 : words;
    }
  }

  void QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                mu_id_query_result* results) const {
    for (const mu_sphere_query& query : queries) {
      const std::vector<std::uint32_t> matches = Matches(query);
      const std::size_t room = capacity + (Makes("writes_behind_the_list") ? 1U : 0U);
      const std::size_t count = std::min<std::size_t>(matches.size(), room);
      for (std::size_t place = 0; place < count; ++place) {
        slots[place] = m_view.slots[matches[Makes("lists_a_slot_twice") ? place / 2 * 2 : place]];
      }
      const bool isFull = matches.size() >= capacity;
      const bool isOverflow = Makes("cries_overflow_when_full") ? isFull && capacity != 0 : matches.size() > capacity;
      *results++ = {static_cast<std::uint32_t>(std::min<std::size_t>(count, capacity)), isOverflow ? 1U : 0U};
      slots += capacity;
    }
  }

  void QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                    mu_nearest_result* results) const {
    for (const mu_nearest_query& query : queries) {
      std::vector<std::pair<float, std::uint32_t>> found;
      for (const std::uint32_t index : Matches({query.x, query.y, query.z, query.radius})) {
        const std::uint32_t slot = m_view.slots[index];
        if (slot != query.ignore_slot || Makes("ignores_nobody")) {
          found.emplace_back(
              mu_spatial_distance_squared(m_x[index], m_view.y[index], m_view.z[index], query.x, query.y, query.z),
              Makes("breaks_ties_by_higher_slot") ? UINT32_MAX - slot : slot);
        }
      }
      std::sort(found.begin(), found.end());
      const std::size_t wanted = std::min<std::size_t>(found.size(), std::min(query.k, capacity));
      found.resize(wanted);
      if (Makes("lists_nearest_unsorted")) {
        std::reverse(found.begin(), found.end());
      }
      for (std::size_t place = 0; place < wanted; ++place) {
        const std::uint32_t slot = found[place].second;
        slots[place] = Makes("breaks_ties_by_higher_slot") ? UINT32_MAX - slot : slot;
      }
      *results++ = {static_cast<std::uint32_t>(wanted)};
      slots += capacity;
    }
  }

  void CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
    count = 0;
    for (std::uint32_t a = 0; a < m_view.count; ++a) {
      for (std::uint32_t b = a + 1; b < m_view.count; ++b) {
        const float reach = Makes("misses_giants") ? 2.0F * std::min(m_view.radius[a], m_view.radius[b])
                                                   : m_view.radius[a] + m_view.radius[b];
        if (IsFinite(a) && IsFinite(b) &&
            mu_spatial_is_within(m_x[a], m_view.y[a], m_view.z[a], m_x[b], m_view.y[b], m_view.z[b], reach) != 0) {
          if (count < pairs.size()) {
            const mu_slot_pair pair{m_view.slots[a], m_view.slots[b]};
            pairs[count] = Makes("swaps_pairs") ? mu_slot_pair{pair.b, pair.a} : pair;
          } else if (Makes("counts_only_written_pairs")) {
            return;
          }
          ++count;
        }
      }
    }
  }

  void Stats(mu_spatial_stats& stats) const { stats.bytes = m_leak.capacity() * sizeof(float); }

 private:
  [[nodiscard]] bool Makes(const char* mistake) const { return m_mistake == mistake; }

  [[nodiscard]] bool IsFinite(std::uint32_t index) const {
    return (std::isfinite(m_x[index]) && std::isfinite(m_view.y[index]) && std::isfinite(m_view.z[index])) ||
           Makes("finds_the_infinite");
  }

  [[nodiscard]] std::vector<std::uint32_t> Matches(const mu_sphere_query& query) const {
    std::vector<std::uint32_t> matches;
    if (std::isnan(query.x) || std::isnan(query.y) || std::isnan(query.z)) {
      return matches;
    }
    for (std::uint32_t index = 0; index < m_view.count; ++index) {
      if (IsFinite(index) && IsWithin(query, index)) {
        matches.push_back(index);
      }
    }
    return matches;
  }

  [[nodiscard]] bool IsWithin(const mu_sphere_query& query, std::uint32_t index) const {
    const float y = Makes("is_flat") ? query.y : m_view.y[index];
    const float squared = mu_spatial_distance_squared(m_x[index], y, m_view.z[index], query.x, query.y, query.z);
    if (Makes("takes_negative_radii")) {
      return squared <= query.radius * query.radius;
    }
    if (Makes("drops_the_boundary")) {
      return query.radius >= 0.0F && squared < query.radius * query.radius;
    }
    if (Makes("tests_in_doubles")) {
      const double dx = static_cast<double>(m_x[index]) - static_cast<double>(query.x);
      const double dy = static_cast<double>(y) - static_cast<double>(query.y);
      const double dz = static_cast<double>(m_view.z[index]) - static_cast<double>(query.z);
      const auto radius = static_cast<double>(query.radius);
      return radius >= 0.0 && dx * dx + dy * dy + dz * dz <= radius * radius;
    }
    if (Makes("obeys_tiny_cells") && m_wish > 0.0F && m_wish < 2.0F && std::fabs(m_x[index] - query.x) > 4096.0F) {
      return false;
    }
    return query.radius >= 0.0F && squared <= query.radius * query.radius;
  }

  std::string m_mistake;
  float m_wish;
  std::uint32_t m_rebuilds = 0;
  mu_spatial_view m_view{};
  std::vector<float> m_x;
  std::vector<float> m_leak;
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<WrongIndex>);
