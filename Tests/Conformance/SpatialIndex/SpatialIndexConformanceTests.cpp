// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialIndexSuite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace muster::conformance {
namespace {

TEST_P(SpatialIndexConformance, FindsExactlyWhoIsWithin) {
  Instance index{GetParam()};
  for (const NamedCloud& named : AllClouds()) {
    index.Rebuild(named.cloud);
    for (const mu_sphere_query& query : QueriesFor(named.cloud, 150, 17)) {
      const std::vector<std::uint32_t> expected = Matches(named.cloud, query);
      ASSERT_EQ(index.Bits(query), expected) << Describe(named.name, query);
      bool overflow = true;
      ASSERT_EQ(index.Ids(query, named.cloud.Count() + 20, &overflow), expected) << Describe(named.name, query);
      ASSERT_FALSE(overflow);
    }
  }
}

TEST_P(SpatialIndexConformance, DecidesOneUlpAroundTheRadius) {
  Instance index{GetParam()};
  const Cloud cloud = Uniform(1000, 3000.0F, Slots::Gaps, 11);
  index.Rebuild(cloud);
  std::size_t included = 0;
  for (std::size_t index_ = 0; index_ < cloud.slots.size(); ++index_) {
    const std::uint32_t slot = cloud.slots[index_];
    mu_sphere_query query{cloud.x[0] + 10.0F, cloud.y[0], cloud.z[0] - 3.0F, 0.0F};
    const float distance = std::sqrt(
        mu_spatial_distance_squared(cloud.x[index_], cloud.y[index_], cloud.z[index_], query.x, query.y, query.z));
    query.radius = std::nextafter(std::nextafter(distance, 0.0F), 0.0F);
    for (int step = 0; step < 5; ++step) {
      const std::vector<std::uint32_t> expected = Matches(cloud, query);
      ASSERT_EQ(index.Bits(query), expected);
      included += std::binary_search(expected.begin(), expected.end(), slot) ? 1U : 0U;
      query.radius = std::nextafter(query.radius, std::numeric_limits<float>::infinity());
    }
  }
  // Both answers were asked for.
  EXPECT_GT(included, cloud.slots.size());
  EXPECT_LT(included, cloud.slots.size() * 5);
}

TEST_P(SpatialIndexConformance, FindsACoincidentPointAtRadiusZero) {
  Instance index{GetParam()};
  const Cloud cloud = Uniform(500, 1000.0F, Slots::Gaps, 12);
  index.Rebuild(cloud);
  for (std::size_t at = 0; at < cloud.slots.size(); at += 7) {
    const mu_sphere_query query{cloud.x[at], cloud.y[at], cloud.z[at], 0.0F};
    EXPECT_EQ(index.Bits(query), std::vector<std::uint32_t>{cloud.slots[at]});
  }
}

TEST_P(SpatialIndexConformance, FindsNeighboursWhoseSquaredDistanceUnderflows) {
  Instance index{GetParam()};
  const Cloud cloud = Tiny(600, 21);
  index.Rebuild(cloud);
  std::size_t most = 0;
  for (std::size_t at = 0; at < cloud.slots.size(); at += 11) {
    for (const float radius : {0.0F, 1e-30F, 3e-23F}) {
      const mu_sphere_query query{cloud.x[at], cloud.y[at], cloud.z[at], radius};
      const std::vector<std::uint32_t> expected = Matches(cloud, query);
      most = std::max(most, expected.size());
      EXPECT_EQ(index.Bits(query), expected);
    }
  }
  EXPECT_GT(most, 20U);
}

TEST_P(SpatialIndexConformance, CutsIdListsAtTheirCapacityAndSaysSo) {
  Instance index{GetParam()};
  for (const Cloud& cloud : {SinglePoint(300), Uniform(3000, 2000.0F, Slots::Gaps, 13)}) {
    index.Rebuild(cloud);
    const mu_sphere_query query{cloud.x[5], cloud.y[5], cloud.z[5], 1500.0F};
    const std::vector<std::uint32_t> expected = Matches(cloud, query);
    const auto all = static_cast<std::uint32_t>(expected.size());
    ASSERT_GT(all, 100U);
    for (const std::uint32_t capacity : {0U, 1U, 7U, 8U, 9U, 64U, all - 1, all, all + 1, all + 8}) {
      bool overflow = false;
      const std::vector<std::uint32_t> slots = index.Ids(query, capacity, &overflow);
      EXPECT_EQ(overflow, capacity < all) << capacity;
      EXPECT_EQ(slots.size(), std::min(capacity, all));
      EXPECT_TRUE(std::includes(expected.begin(), expected.end(), slots.begin(), slots.end())) << capacity;
      EXPECT_EQ(std::adjacent_find(slots.begin(), slots.end()), slots.end()) << "a slot twice";
    }
  }
}

TEST_P(SpatialIndexConformance, ListsTheNearestInOrderOfDistanceThenSlot) {
  Instance index{GetParam()};
  for (const NamedCloud& named : AllClouds()) {
    index.Rebuild(named.cloud);
    std::uint32_t turn = 0;
    for (const mu_sphere_query& sphere : QueriesFor(named.cloud, 80, 19)) {
      const std::uint32_t k = std::vector<std::uint32_t>{1, 2, 8, 32, 100, 5000, 0}[turn % 7];
      const std::uint32_t ignored =
          named.cloud.Count() != 0 && turn % 3 == 0 ? named.cloud.slots[turn % named.cloud.Count()] : UINT32_MAX;
      const mu_nearest_query query{sphere.x, sphere.y, sphere.z, sphere.radius, k, ignored};
      const std::uint32_t capacity = std::max(k, 1U);
      ASSERT_EQ(index.Nearest(query, capacity), Nearest(named.cloud, query))
          << Describe(named.name, sphere) << " k " << k;
      ++turn;
    }
  }
}

TEST_P(SpatialIndexConformance, BreaksTiesOfDistanceByTheLowerSlot) {
  Instance index{GetParam()};
  Cloud cloud;
  for (std::uint32_t ring = 0; ring < 200; ++ring) {
    // Corners of a square: the same distance from the middle to the last bit.
    cloud.Add(ring * 5, ring % 2 == 0 ? 300.0F : -300.0F, 20.0F, ring % 4 < 2 ? 400.0F : -400.0F);
  }
  index.Rebuild(cloud);
  const std::vector<std::uint32_t> nearest = index.Nearest({0.0F, 20.0F, 0.0F, 500.0F, 50, 10}, 64);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t slot = 0; expected.size() < 50; slot += 5) {
    if (slot != 10) {
      expected.push_back(slot);
    }
  }
  EXPECT_EQ(nearest, expected);
  EXPECT_EQ(index.Nearest({0.0F, 20.0F, 0.0F, 500.0F, 50, UINT32_MAX}, 3), (std::vector<std::uint32_t>{0, 5, 10}))
      << "the capacity is a limit as k is";
}

TEST_P(SpatialIndexConformance, FindsEveryPairOfTouchingSpheresOnce) {
  // The reference looks at every two points: once for all candidates.
  static const std::vector<std::vector<mu_slot_pair>> pairs = [] {
    std::vector<std::vector<mu_slot_pair>> all;
    for (const NamedCloud& named : AllClouds()) {
      all.push_back(Pairs(named.cloud));
    }
    return all;
  }();
  Instance index{GetParam()};
  for (std::size_t cloud = 0; cloud < pairs.size(); ++cloud) {
    const NamedCloud& named = AllClouds()[cloud];
    const std::vector<mu_slot_pair>& expected = pairs[cloud];
    index.Rebuild(named.cloud);
    std::uint64_t total = 0;
    ASSERT_EQ(index.Pairs(expected.size() + 10, &total), expected) << named.name;
    ASSERT_EQ(total, expected.size()) << named.name;
  }
}

TEST_P(SpatialIndexConformance, CountsThePairsThatFindNoRoom) {
  Instance index{GetParam()};
  index.Rebuild(SinglePoint(100));
  std::uint64_t total = 0;
  const std::vector<mu_slot_pair> some = index.Pairs(37, &total);
  EXPECT_EQ(total, 4950U);
  EXPECT_EQ(some.size(), 37U);
  EXPECT_EQ(std::adjacent_find(some.begin(), some.end()), some.end());
  EXPECT_TRUE(std::all_of(some.begin(), some.end(), [](const mu_slot_pair& pair) { return pair.a < pair.b; }));
  EXPECT_TRUE(index.Pairs(0, &total).empty());
  EXPECT_EQ(total, 4950U);
}

TEST_P(SpatialIndexConformance, PairsAGiantWithEverybodyInReach) {
  Instance index{GetParam()};
  Cloud cloud = Uniform(1500, 4000.0F, Slots::Gaps, 14);
  for (float& radius : cloud.radius) {
    radius = 5.0F;
  }
  cloud.radius[700] = 3000.0F;
  index.Rebuild(cloud);
  std::uint64_t total = 0;
  const std::vector<mu_slot_pair> expected = Pairs(cloud);
  ASSERT_GT(expected.size(), 400U);
  EXPECT_EQ(index.Pairs(expected.size(), &total), expected);
}

TEST_P(SpatialIndexConformance, ForgetsTheLastTickAtARebuild) {
  Instance index{GetParam()};
  const std::vector<NamedCloud>& clouds = AllClouds();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t first = 0; first < clouds.size(); ++first) {
      index.Rebuild(clouds[(first * 5) % clouds.size()].cloud);
      const Cloud& cloud = clouds[(first * 5) % clouds.size()].cloud;
      const mu_sphere_query everything{0.0F, 0.0F, 0.0F, std::numeric_limits<float>::infinity()};
      EXPECT_EQ(index.Bits(everything), Matches(cloud, everything));
    }
  }
}

TEST_P(SpatialIndexConformance, StandsTenThousandOnOneSpot) {
  Instance index{GetParam()};
  Cloud cloud = SinglePoint(10'000);
  cloud.Add(20'000, 200'000.0F, 0.0F, 200'000.0F);
  index.Rebuild(cloud);
  const mu_sphere_query spot{cloud.x[0], cloud.y[0], cloud.z[0], 0.0F};
  EXPECT_EQ(index.Bits(spot).size(), 10'000U);
  EXPECT_EQ(index.Bits({200'000.0F, 0.0F, 200'000.0F, 1.0F}), std::vector<std::uint32_t>{20'000});
  EXPECT_EQ(index.Nearest({0.0F, 0.0F, 0.0F, 1e6F, 4, 2}, 4), (std::vector<std::uint32_t>{0, 1, 3, 4}));
  bool overflow = false;
  EXPECT_EQ(index.Ids(spot, 100, &overflow).size(), 100U);
  EXPECT_TRUE(overflow);
}

TEST_P(SpatialIndexConformance, BoundsItsMemoryWhateverTheWorldIsLike) {
  std::uint32_t most = 0;
  for (const NamedCloud& named : AllClouds()) {
    most = std::max(most, named.cloud.Count());
  }
  Instance index{GetParam()};
  const auto rebuildAll = [&] {
    for (const NamedCloud& named : AllClouds()) {
      index.Rebuild(named.cloud);
    }
    return index.Stats().bytes;
  };
  rebuildAll();
  const std::uint64_t settled = rebuildAll();
  EXPECT_LE(settled, 1024U * most + (1U << 20U));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(rebuildAll(), settled) << "grew at rebuilds it had seen before";
  }
}

TEST_P(SpatialIndexConformance, AnswersSeveralWorkersAtOnce) {
  Instance index{GetParam()};
  const Cloud cloud = Clustered(2000, 15);
  index.Rebuild(cloud);
  const std::vector<mu_sphere_query> queries = QueriesFor(cloud, 60, 23);
  std::vector<std::vector<std::uint32_t>> expected;
  std::vector<std::vector<std::uint32_t>> expectedNearest;
  for (const mu_sphere_query& query : queries) {
    expected.push_back(Matches(cloud, query));
    expectedNearest.push_back(Nearest(cloud, {query.x, query.y, query.z, query.radius, 16, UINT32_MAX}));
  }
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 3; ++worker) {
    workers.emplace_back([&] {
      for (std::size_t query = 0; query < queries.size(); ++query) {
        EXPECT_EQ(index.Bits(queries[query]), expected[query]);
        EXPECT_EQ(index.Ids(queries[query], 3000), expected[query]);
        const mu_sphere_query& sphere = queries[query];
        const mu_nearest_query nearest{sphere.x, sphere.y, sphere.z, sphere.radius, 16, UINT32_MAX};
        EXPECT_EQ(index.Nearest(nearest, 16), expectedNearest[query]);
      }
    });
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
}

TEST_P(SpatialIndexConformance, LeavesTwoInstancesApart) {
  Instance one{GetParam()};
  Instance other{GetParam()};
  const Cloud cloud = Clustered(600, 16);
  const Cloud elsewhere = WorldCorners(500, 17);
  one.Rebuild(cloud);
  other.Rebuild(elsewhere);
  ExpectRightAnswers(one, cloud, QueriesFor(cloud, 20, 24), "one");
  ExpectRightAnswers(other, elsewhere, QueriesFor(elsewhere, 20, 25), "the other");
}

TEST_P(SpatialIndexConformance, SaysWhatItsTableHolds) {
  const mu_spatial_index_v0& table = *GetParam().table;
  EXPECT_GE(table.struct_size, sizeof(mu_spatial_index_v0));
  mu_spatial_index* index = nullptr;
  EXPECT_EQ(table.create(nullptr, &index), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(index, nullptr);
}

}  // namespace
}  // namespace muster::conformance
