// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Ticks in a row, sizes around every power of two, whole batches, and wishes for cells.
#include "SpatialIndexSuite.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace muster::conformance {
namespace {

/// A world whose entities move, die, are born into the lowest free slot, and now and then are somewhere else at once.
class MovingCloud {
 public:
  MovingCloud(std::uint32_t count, std::uint64_t seed) : m_random{seed} {
    m_cloud = Clustered(count, seed);
    for (std::uint32_t index = 0; index < count; ++index) {
      m_velocity.push_back({Between(-30.0, 30.0), Between(-30.0, 30.0)});
    }
  }

  const Cloud& Now() const { return m_cloud; }

  void Move() {
    for (std::size_t index = 0; index < m_cloud.slots.size(); ++index) {
      m_cloud.x[index] += m_velocity[index].x;
      m_cloud.z[index] += m_velocity[index].z;
    }
  }
  void Teleport(std::uint32_t share) {
    for (std::size_t index = 0; index < m_cloud.slots.size(); ++index) {
      if (m_random.NextBelow(share) == 0) {
        m_cloud.x[index] = Between(-40'000.0, 40'000.0);
        m_cloud.z[index] = Between(-40'000.0, 40'000.0);
      }
    }
  }
  /// Break some positions, or mend all that are broken.
  void Break(std::uint32_t share) {
    for (float& y : m_cloud.y) {
      y = m_random.NextBelow(share) == 0 ? std::numeric_limits<float>::quiet_NaN() : y;
    }
  }
  void Mend() {
    std::replace_if(
        m_cloud.y.begin(), m_cloud.y.end(), [](float y) { return !(y == y); }, 30.0F);
  }
  void Reap(std::uint32_t share) {
    Cloud left;
    std::vector<Velocity> velocities;
    for (std::size_t index = 0; index < m_cloud.slots.size(); ++index) {
      if (m_random.NextBelow(share) != 0) {
        left.Add(m_cloud.slots[index], m_cloud.x[index], m_cloud.y[index], m_cloud.z[index], m_cloud.radius[index]);
        velocities.push_back(m_velocity[index]);
      }
    }
    m_cloud = left;
    m_velocity = velocities;
  }
  void Spawn(std::uint32_t count) {
    Cloud grown;
    std::vector<Velocity> velocities;
    std::uint32_t next = 0;
    std::size_t old = 0;
    while (old < m_cloud.slots.size() || count != 0) {
      if (old < m_cloud.slots.size() && m_cloud.slots[old] == next) {
        grown.Add(next, m_cloud.x[old], m_cloud.y[old], m_cloud.z[old], m_cloud.radius[old]);
        velocities.push_back(m_velocity[old++]);
      } else if (count != 0) {
        grown.Add(next, Between(-25'000.0, 25'000.0), 10.0F, Between(-25'000.0, 25'000.0), 25.0F);
        velocities.push_back({Between(-300.0, 300.0), Between(-300.0, 300.0)});
        --count;
      }
      ++next;
    }
    m_cloud = grown;
    m_velocity = velocities;
  }

 private:
  struct Velocity {
    float x, z;
  };
  float Between(double low, double high) { return static_cast<float>(m_random.NextBetween(low, high)); }

  Random m_random;
  Cloud m_cloud;
  std::vector<Velocity> m_velocity;
};

TEST_P(SpatialIndexConformance, StaysRightThroughTwoHundredTicks) {
  Instance index{GetParam()};
  MovingCloud world{700, 31};
  for (std::uint32_t tick = 0; tick < 200; ++tick) {
    world.Move();
    if (tick % 3 == 1) {
      world.Reap(100);
      world.Spawn(tick % 2 == 0 ? 7 : 9);
    }
    if (tick == 60 || tick == 61) {
      world.Teleport(5);
    }
    if (tick == 100) {
      world.Reap(2);
    }
    if (tick == 120) {
      world.Spawn(400);
    }
    if (tick % 50 == 40) {
      world.Break(200);
    }
    if (tick % 50 == 43) {
      world.Mend();
    }
    index.Rebuild(world.Now());
    if (tick % 10 == 0 || (tick >= 60 && tick < 64) || tick % 50 == 41 || tick == 121) {
      ExpectRightAnswers(index, world.Now(), QueriesFor(world.Now(), 12, tick), "tick " + std::to_string(tick));
    }
  }
}

TEST_P(SpatialIndexConformance, AnswersAfterManyTicksAsAFreshOneDoes) {
  Instance old{GetParam()};
  MovingCloud world{1500, 32};
  for (int tick = 0; tick < 150; ++tick) {
    world.Move();
    old.Rebuild(world.Now());
  }
  Instance fresh{GetParam()};
  fresh.Rebuild(world.Now());
  for (const mu_sphere_query& query : QueriesFor(world.Now(), 100, 33)) {
    EXPECT_EQ(old.Bits(query), fresh.Bits(query));
    EXPECT_EQ(old.Ids(query, 2000), fresh.Ids(query, 2000));
    const mu_nearest_query nearest{query.x, query.y, query.z, query.radius, 33, world.Now().slots[7]};
    EXPECT_EQ(old.Nearest(nearest, 40), fresh.Nearest(nearest, 40));
  }
  std::uint64_t oldTotal = 0;
  std::uint64_t freshTotal = 0;
  EXPECT_EQ(old.Pairs(100'000, &oldTotal), fresh.Pairs(100'000, &freshTotal));
  EXPECT_EQ(oldTotal, freshTotal);
}

TEST_P(SpatialIndexConformance, HoldsAnySmallNumberInAnyOrderOfSizes) {
  Instance index{GetParam()};
  for (const std::uint32_t count : {65U, 0U, 1U, 64U, 2U, 63U, 3U, 15U, 16U, 17U, 257U, 0U, 255U, 256U, 31U, 33U}) {
    const Cloud cloud = Uniform(count, 900.0F, count % 2 == 0 ? Slots::Gaps : Slots::Dense, count);
    index.Rebuild(cloud);
    ExpectRightAnswers(index, cloud, QueriesFor(cloud, 16, count), "count " + std::to_string(count));
    const Cloud spot = SinglePoint(count);
    index.Rebuild(spot);
    ExpectRightAnswers(index, spot, QueriesFor(spot, 4, count), "count on one spot " + std::to_string(count));
  }
}

TEST_P(SpatialIndexConformance, ObeysNoWishForCellsThatWouldCostAnAnswerOrItsMemory) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<Cloud> clouds{Uniform(700, 25'000.0F, Slots::Gaps, 41), Extreme(700, 42), SinglePoint(200),
                                  WorldCorners(300, 43)};
  for (const float wish : {1e-30F, 1e-3F, 1.0F, 100.0F, 1000.0F, 1e5F, 1e9F, 1e20F, -1.0F, -kInfinity, kInfinity,
                           std::numeric_limits<float>::quiet_NaN()}) {
    Instance index{GetParam(), wish};
    for (const Cloud& cloud : clouds) {
      index.Rebuild(cloud);
      ExpectRightAnswers(index, cloud, QueriesFor(cloud, 12, 44), "cells of " + std::to_string(wish));
    }
    EXPECT_LE(index.Stats().bytes, 1024U * 700U + (1U << 20U)) << wish;
  }
}

TEST_P(SpatialIndexConformance, KeepsTheAnswersOfABatchApart) {
  Instance index{GetParam()};
  const Cloud cloud = Clustered(900, 45);
  index.Rebuild(cloud);
  const std::vector<mu_sphere_query> queries = QueriesFor(cloud, 40, 46);
  const auto count = static_cast<std::uint32_t>(queries.size());
  const mu_spatial_index_v0& table = index.Table();

  const std::uint32_t words = (cloud.SlotCapacity() + 63) / 64 + 3;  // more than needed is allowed
  std::vector<std::uint64_t> bits(std::size_t{words} * count + 1, 0);
  bits.back() = 0xA5A5U;
  ASSERT_EQ(table.query_bits(index.Raw(), queries.data(), count, bits.data(), words), MU_OK);
  EXPECT_EQ(bits.back(), 0xA5A5U) << "written behind the batch";

  constexpr std::uint32_t kCapacity = 950;
  std::vector<std::uint32_t> ids(std::size_t{kCapacity} * count);
  std::vector<mu_id_query_result> idResults(count);
  ASSERT_EQ(table.query_ids(index.Raw(), queries.data(), count, ids.data(), kCapacity, idResults.data()), MU_OK);

  std::vector<mu_nearest_query> nearest;
  for (const mu_sphere_query& query : queries) {
    const std::uint32_t turn = static_cast<std::uint32_t>(nearest.size());
    nearest.push_back({query.x, query.y, query.z, query.radius, turn % 9, cloud.slots[turn]});
  }
  constexpr std::uint32_t kMostNearest = 6;
  std::vector<std::uint32_t> neighbours(std::size_t{kMostNearest} * count);
  std::vector<mu_nearest_result> nearestResults(count);
  ASSERT_EQ(
      table.query_nearest(index.Raw(), nearest.data(), count, neighbours.data(), kMostNearest, nearestResults.data()),
      MU_OK);

  for (std::uint32_t query = 0; query < count; ++query) {
    const std::vector<std::uint32_t> expected = Matches(cloud, queries[query]);
    std::vector<std::uint64_t> expectedBits(words, 0);
    for (const std::uint32_t slot : expected) {
      expectedBits[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    EXPECT_TRUE(std::equal(expectedBits.begin(), expectedBits.end(), bits.begin() + std::ptrdiff_t{words} * query))
        << Describe("bits", queries[query]);
    auto* const first = ids.data() + std::size_t{kCapacity} * query;
    std::sort(first, first + idResults[query].count);
    EXPECT_EQ(std::vector<std::uint32_t>(first, first + idResults[query].count), expected);
    std::vector<std::uint32_t> expectedNearest = Nearest(cloud, nearest[query]);
    expectedNearest.resize(std::min<std::size_t>(expectedNearest.size(), kMostNearest));
    const auto* const neighbour = neighbours.data() + std::size_t{kMostNearest} * query;
    EXPECT_EQ(std::vector<std::uint32_t>(neighbour, neighbour + nearestResults[query].count), expectedNearest);
  }

  EXPECT_EQ(table.query_bits(index.Raw(), nullptr, 0, nullptr, words), MU_OK);
  EXPECT_EQ(table.query_ids(index.Raw(), nullptr, 0, nullptr, 8, nullptr), MU_OK);
  EXPECT_EQ(table.query_nearest(index.Raw(), nullptr, 0, nullptr, 8, nullptr), MU_OK);
}

}  // namespace
}  // namespace muster::conformance
