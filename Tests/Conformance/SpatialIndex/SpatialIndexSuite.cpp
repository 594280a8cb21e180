// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialIndexSuite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace muster::conformance {

namespace {

// A value that the index may not leave behind where it writes nothing.
constexpr std::uint32_t kUntouched = 0xDEAD'BEEFU;

}  // namespace

Instance::Instance(const Candidate& candidate, float cellSizeMeters) : m_table{*candidate.table} {
  const mu_spatial_params params{sizeof(mu_spatial_params), 1000, cellSizeMeters, 0};
  EXPECT_EQ(m_table.create(&params, &m_index), MU_OK);
}

Instance::~Instance() {
  m_table.destroy(m_index);
}

void Instance::Rebuild(const Cloud& cloud) {
  m_cloud = cloud;
  const mu_spatial_view view = m_cloud.View();
  EXPECT_EQ(m_table.rebuild(m_index, &view), MU_OK);
}

std::vector<std::uint32_t> Instance::Bits(const mu_sphere_query& query) const {
  const std::uint32_t words = (m_cloud.SlotCapacity() + 63) / 64;
  // The same query between two others, so that a provider that mixes up its batch is found out.
  const mu_sphere_query batch[3]{{0.0F, 0.0F, 0.0F, -1.0F}, query, {0.0F, 0.0F, 0.0F, -1.0F}};
  std::vector<std::uint64_t> bits(words * 3, 0);
  EXPECT_EQ(m_table.query_bits(m_index, batch, 3, bits.data(), words), MU_OK);
  std::vector<std::uint32_t> slots;
  for (std::uint32_t word = 0; word < words; ++word) {
    EXPECT_EQ(bits[word], 0U);
    EXPECT_EQ(bits[2 * words + word], 0U);
    for (std::uint64_t rest = bits[words + word]; rest != 0; rest &= rest - 1) {
      slots.push_back(word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
  return slots;
}

std::vector<std::uint32_t> Instance::Ids(const mu_sphere_query& query, std::uint32_t capacity, bool* overflow) const {
  std::vector<std::uint32_t> slots(capacity + 16, kUntouched);
  mu_id_query_result result{kUntouched, kUntouched};
  EXPECT_EQ(m_table.query_ids(m_index, &query, 1, slots.data(), capacity, &result), MU_OK);
  EXPECT_LE(result.count, capacity);
  EXPECT_LE(result.overflow, 1U);
  EXPECT_TRUE(std::all_of(slots.begin() + capacity, slots.end(), [](std::uint32_t slot) { return slot == kUntouched; }))
      << "written behind the list";
  if (overflow != nullptr) {
    *overflow = result.overflow != 0;
  }
  slots.resize(std::min(result.count, capacity));
  std::sort(slots.begin(), slots.end());
  return slots;
}

std::vector<std::uint32_t> Instance::Nearest(const mu_nearest_query& query, std::uint32_t capacity) const {
  std::vector<std::uint32_t> slots(capacity + 16, kUntouched);
  mu_nearest_result result{kUntouched};
  EXPECT_EQ(m_table.query_nearest(m_index, &query, 1, slots.data(), capacity, &result), MU_OK);
  EXPECT_LE(result.count, std::min(capacity, query.k));
  EXPECT_TRUE(std::all_of(slots.begin() + capacity, slots.end(), [](std::uint32_t slot) { return slot == kUntouched; }))
      << "written behind the list";
  slots.resize(std::min(result.count, capacity));
  return slots;
}

std::vector<mu_slot_pair> Instance::Pairs(std::uint64_t capacity, std::uint64_t* total) const {
  constexpr mu_slot_pair kNoPair{kUntouched, kUntouched};
  std::vector<mu_slot_pair> pairs(static_cast<std::size_t>(capacity) + 4, kNoPair);
  EXPECT_EQ(m_table.candidate_pairs(m_index, pairs.data(), capacity, total), MU_OK);
  for (std::size_t index = static_cast<std::size_t>(capacity); index < pairs.size(); ++index) {
    EXPECT_EQ(pairs[index].a, kUntouched) << "written behind the list";
  }
  pairs.resize(static_cast<std::size_t>(std::min(*total, capacity)));
  std::sort(pairs.begin(), pairs.end(), [](const mu_slot_pair& left, const mu_slot_pair& right) {
    return std::pair{left.a, left.b} < std::pair{right.a, right.b};
  });
  return pairs;
}

mu_spatial_stats Instance::Stats() const {
  mu_spatial_stats stats{};
  stats.struct_size = sizeof(stats);
  m_table.stats(m_index, &stats);
  return stats;
}

std::string Describe(const std::string& cloud, const mu_sphere_query& query) {
  return cloud + ": (" + std::to_string(query.x) + ", " + std::to_string(query.y) + ", " + std::to_string(query.z) +
         ") radius " + std::to_string(query.radius);
}

void ExpectRightAnswers(const Instance& index, const Cloud& cloud, const std::vector<mu_sphere_query>& queries,
                        const std::string& what) {
  for (const mu_sphere_query& query : queries) {
    const std::vector<std::uint32_t> expected = Matches(cloud, query);
    ASSERT_EQ(index.Bits(query), expected) << Describe(what, query);
    ASSERT_EQ(index.Ids(query, cloud.Count()), expected) << Describe(what, query);
    const mu_nearest_query nearest{query.x, query.y, query.z, query.radius, 20, UINT32_MAX};
    ASSERT_EQ(index.Nearest(nearest, 20), Nearest(cloud, nearest)) << Describe(what, query);
  }
  const std::vector<mu_slot_pair> pairs = Pairs(cloud);
  std::uint64_t total = 0;
  ASSERT_EQ(index.Pairs(pairs.size(), &total), pairs) << what;
  ASSERT_EQ(total, pairs.size()) << what;
}

}  // namespace muster::conformance
