// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialSubject.h"

#include "Core/Assert.h"

#include <algorithm>
#include <utility>

namespace muster::bench {
namespace {

class ProviderSubject final : public ISpatialSubject {
 public:
  ProviderSubject(std::string label, std::string subject, const mu_spatial_index_v0& table, float cellSizeMeters)
      : m_label{std::move(label)}, m_subject{std::move(subject)}, m_table{table} {
    const mu_spatial_params params{sizeof(mu_spatial_params), 1024, cellSizeMeters, 0};
    Require(m_table.create(&params, &m_index));
  }
  ~ProviderSubject() override { m_table.destroy(m_index); }
  ProviderSubject(const ProviderSubject&) = delete;
  ProviderSubject& operator=(const ProviderSubject&) = delete;

  std::string Label() const override { return m_label; }
  std::string Subject() const override { return m_subject; }

  void Rebuild(const Cloud& cloud) override {
    m_view = cloud.View();
    Require(m_table.rebuild(m_index, &m_view));
  }

  void Gather(std::span<const mu_sphere_query> queries, SlotLists& lists) override {
    m_results.resize(queries.size());
    Require(m_table.query_ids(m_index, queries.data(), Count(queries), lists.slots.data(), lists.capacity,
                              m_results.data()));
    for (std::size_t query = 0; query < queries.size(); ++query) {
      MUSTER_ASSERT(m_results[query].overflow == 0, "there is room for every match");
      lists.counts[query] = m_results[query].count;
    }
  }

  void Nearest(std::span<const mu_nearest_query> queries, SlotLists& lists) override {
    m_nearest.resize(queries.size());
    Require(m_table.query_nearest(m_index, queries.data(), Count(queries), lists.slots.data(), lists.capacity,
                                  m_nearest.data()));
    for (std::size_t query = 0; query < queries.size(); ++query) {
      lists.counts[query] = m_nearest[query].count;
    }
  }

  void Mark(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) override {
    Require(m_table.query_bits(m_index, queries.data(), Count(queries), bits, words));
  }

 private:
  template <class Query>
  static std::uint32_t Count(std::span<const Query> queries) {
    return static_cast<std::uint32_t>(queries.size());
  }
  static void Require(mu_status status) { MUSTER_ASSERT_ALWAYS(status == MU_OK, "the provider failed"); }

  std::string m_label;
  std::string m_subject;
  const mu_spatial_index_v0& m_table;
  mu_spatial_index* m_index = nullptr;
  mu_spatial_view m_view{};
  std::vector<mu_id_query_result> m_results{};
  std::vector<mu_nearest_result> m_nearest{};
};

class BruteForce final : public ISpatialSubject {
 public:
  std::string Label() const override { return "brute"; }
  std::string Subject() const override { return "loop over all points"; }

  void Rebuild(const Cloud& cloud) override { m_cloud = &cloud; }

  void Gather(std::span<const mu_sphere_query> queries, SlotLists& lists) override {
    for (std::size_t query = 0; query < queries.size(); ++query) {
      std::uint32_t* const first = lists.At(query);
      std::uint32_t* next = first;
      ForEachMatch(queries[query], [&](std::uint32_t slot) { *next++ = slot; });
      lists.counts[query] = static_cast<std::uint32_t>(next - first);
    }
  }

  void Nearest(std::span<const mu_nearest_query> queries, SlotLists& lists) override {
    for (std::size_t query = 0; query < queries.size(); ++query) {
      const mu_nearest_query& asked = queries[query];
      m_keys.clear();
      ForEachMatch({asked.x, asked.y, asked.z, asked.radius}, [&](std::uint32_t slot) {
        m_keys.emplace_back(mu_spatial_distance_squared(m_cloud->x[slot], m_cloud->y[slot], m_cloud->z[slot], asked.x,
                                                        asked.y, asked.z),
                            slot);
      });
      const std::size_t count = std::min<std::size_t>({asked.k, lists.capacity, m_keys.size()});
      const auto middle = m_keys.begin() + static_cast<std::ptrdiff_t>(count);
      std::partial_sort(m_keys.begin(), middle, m_keys.end());
      std::transform(m_keys.begin(), middle, lists.At(query), [](const auto& key) { return key.second; });
      lists.counts[query] = static_cast<std::uint32_t>(count);
    }
  }

  void Mark(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) override {
    for (const mu_sphere_query& query : queries) {
      ForEachMatch(query, [&](std::uint32_t slot) { bits[slot / 64] |= std::uint64_t{1} << (slot % 64); });
      bits += words;
    }
  }

 private:
  template <class Body>
  void ForEachMatch(const mu_sphere_query& query, Body&& body) const {
    const Cloud& cloud = *m_cloud;
    for (std::size_t index = 0; index < cloud.slots.size(); ++index) {
      if (mu_spatial_is_within(cloud.x[index], cloud.y[index], cloud.z[index], query.x, query.y, query.z,
                               query.radius) != 0) {
        body(cloud.slots[index]);
      }
    }
  }

  const Cloud* m_cloud = nullptr;
  std::vector<std::pair<float, std::uint32_t>> m_keys{};
};

}  // namespace

std::unique_ptr<ISpatialSubject> MakeProviderSubject(std::string label, std::string subject,
                                                     const mu_spatial_index_v0& table, float cellSizeMeters) {
  return std::make_unique<ProviderSubject>(std::move(label), std::move(subject), table, cellSizeMeters);
}

std::unique_ptr<ISpatialSubject> MakeBruteForce() {
  return std::make_unique<BruteForce>();
}

}  // namespace muster::bench
