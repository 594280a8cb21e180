// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A spatial index that answers by looking at everything: enough to prove which code runs. Fixtures derive their faults
// from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

  mu_status QueryNearest(std::span<const mu_nearest_query>, std::uint32_t*, std::uint32_t, mu_nearest_result*) const {
    return MU_E_NOT_SUPPORTED;
  }

  mu_status CandidatePairs(std::span<mu_slot_pair>, std::uint64_t&) const { return MU_E_NOT_SUPPORTED; }

  /// The version stands in `cells`, so that a test sees which library answers.
  void Stats(mu_spatial_stats& stats) const { stats.cells = NumberOfVersion(MUSTER_PLUGIN_VERSION); }

 private:
  [[nodiscard]] bool IsWithin(const mu_sphere_query& query, std::uint32_t i) const {
    return mu_spatial_is_within(m_view.x[i], m_view.y[i], m_view.z[i], query.x, query.y, query.z, query.radius) != 0;
  }

  mu_spatial_view m_view{};
};

}  // namespace muster::fixture
