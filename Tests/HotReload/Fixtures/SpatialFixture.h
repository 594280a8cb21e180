// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A spatial index that answers by looking at everything: enough to prove which code runs. Fixtures derive their faults
// from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "PluginApi/Plugin.h"

namespace muster::fixture {

/// 10000 * major + 100 * minor + patch of the version this library was compiled with.
constexpr std::uint32_t NumberOfVersion(const char* text) {
  std::uint32_t parts[3] = {0, 0, 0};
  std::size_t part = 0;
  for (; *text != '\0' && part < 3; ++text) {
    if (*text == '.') {
      ++part;
    } else {
      parts[part] = parts[part] * 10 + static_cast<std::uint32_t>(*text - '0');
    }
  }
  return parts[0] * 10000 + parts[1] * 100 + parts[2];
}

class SpatialFixture {
 public:
  explicit SpatialFixture(const mu_spatial_params&) {}

  void Rebuild(const mu_spatial_view& view) { m_view = view; }

  void QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const {
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::uint32_t i = 0; i < m_view.count; ++i) {
        if (IsWithin(queries[q], i)) {
          const std::uint32_t slot = m_view.slots[i];
          bits[q * words + slot / 64] |= std::uint64_t{1} << (slot % 64);
        }
      }
    }
  }

  void QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                mu_id_query_result* results) const {
    for (std::size_t q = 0; q < queries.size(); ++q) {
      results[q] = mu_id_query_result{0, 0};
      for (std::uint32_t i = 0; i < m_view.count; ++i) {
        if (!IsWithin(queries[q], i)) {
          continue;
        }
        if (results[q].count == capacity) {
          results[q].overflow = 1;
          break;
        }
        slots[q * capacity + results[q].count++] = m_view.slots[i];
      }
    }
  }

  void QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                    mu_nearest_result* results) const {
    for (const mu_nearest_query& query : queries) {
      std::vector<std::pair<float, std::uint32_t>> found;
      for (std::uint32_t i = 0; i < m_view.count; ++i) {
        if (m_view.slots[i] != query.ignore_slot && IsWithin({query.x, query.y, query.z, query.radius}, i)) {
          found.emplace_back(
              mu_spatial_distance_squared(m_view.x[i], m_view.y[i], m_view.z[i], query.x, query.y, query.z),
              m_view.slots[i]);
        }
      }
      std::sort(found.begin(), found.end());
      found.resize(std::min<std::size_t>(found.size(), std::min(query.k, capacity)));
      for (std::size_t place = 0; place < found.size(); ++place) {
        slots[place] = found[place].second;
      }
      *results++ = mu_nearest_result{static_cast<std::uint32_t>(found.size())};
      slots += capacity;
    }
  }

  void CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
    count = 0;
    for (std::uint32_t a = 0; a < m_view.count; ++a) {
      for (std::uint32_t b = a + 1; b < m_view.count; ++b) {
        if (IsFinite(a) && IsWithin({m_view.x[a], m_view.y[a], m_view.z[a], m_view.radius[a] + m_view.radius[b]}, b)) {
          if (count < pairs.size()) {
            pairs[count] = mu_slot_pair{m_view.slots[a], m_view.slots[b]};
          }
          ++count;
        }
      }
    }
  }

  /// The version stands in `cells`, so that a test sees which library answers.
  void Stats(mu_spatial_stats& stats) const { stats.cells = NumberOfVersion(MUSTER_PLUGIN_VERSION); }

 private:
  [[nodiscard]] bool IsFinite(std::uint32_t i) const {
    return std::isfinite(m_view.x[i]) && std::isfinite(m_view.y[i]) && std::isfinite(m_view.z[i]);
  }

  [[nodiscard]] bool IsWithin(const mu_sphere_query& query, std::uint32_t i) const {
    return IsFinite(i) &&
           mu_spatial_is_within(m_view.x[i], m_view.y[i], m_view.z[i], query.x, query.y, query.z, query.radius) != 0;
  }

  mu_spatial_view m_view{};
};

}  // namespace muster::fixture
