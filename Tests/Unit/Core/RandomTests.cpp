// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Support/AssertionExpectation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <unordered_set>

namespace muster {
namespace {

TEST(Random, RepeatsItselfForTheSameSeedAndAtAnyPlace) {
  Random first(42);
  Random second(42);
  Random other(43);
  int same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t value = first.Next();
    ASSERT_EQ(second.Next(), value);
    ASSERT_EQ(Random::At(42, i), value);
    same += other.Next() == value ? 1 : 0;
  }
  EXPECT_EQ(same, 0);
}

/// Spawns and link faults are drawn from these; a change moves every deterministic scenario.
TEST(Random, HasTheseNumbersEverywhere) {
  Digest64 digest;
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    digest.Update(random.Next());
    digest.Update(random.NextUnit());
    digest.Update(random.NextBelow(1'000'003));
  }
  EXPECT_EQ(digest.Value(), 16363207625023108600u);
}

TEST(Random, ForksStreamsByNumberOnly) {
  Random parent(9);
  Random early = parent.Fork(3);
  static_cast<void>(parent.Next());
  Random late = parent.Fork(3);
  EXPECT_EQ(early.Next(), late.Next());

  std::unordered_set<std::uint64_t> firsts;
  for (std::uint64_t stream = 0; stream < 10'000; ++stream) {
    firsts.insert(parent.Fork(stream).Next());
  }
  EXPECT_EQ(firsts.size(), 10'000u);
}

TEST(Random, StaysInItsRangesAndFillsThemEvenly) {
  Random random(3);
  constexpr int samples = 100'000;
  std::array<int, 10> buckets{};
  std::array<int, 7> dice{};
  double sum = 0.0;
  for (int i = 0; i < samples; ++i) {
    const double unit = random.NextUnit();
    ASSERT_GE(unit, 0.0);
    ASSERT_LT(unit, 1.0);
    ++buckets[static_cast<std::size_t>(unit * 10)];
    sum += unit;
    const float unitFloat = random.NextUnitFloat();
    ASSERT_GE(unitFloat, 0.0f);
    ASSERT_LT(unitFloat, 1.0f);
    const std::uint64_t die = random.NextBelow(7);
    ASSERT_LT(die, 7u);
    ++dice[die];
    const double between = random.NextBetween(-3.0, 5.0);
    ASSERT_GE(between, -3.0);
    ASSERT_LT(between, 5.0);
  }
  EXPECT_NEAR(sum / samples, 0.5, 0.005);
  for (const int count : buckets) {
    EXPECT_NEAR(count, samples / 10, 500);
  }
  for (const int count : dice) {
    EXPECT_NEAR(count, samples / 7, 600);
  }
}

TEST(Random, DrawsEvenlyBelowBoundsThatDoNotDivideThePowerOfTwo) {
  // With a plain remainder the lower third of such a bound would come up twice as often.
  constexpr std::uint64_t bound = (std::uint64_t{3} << 62);
  Random random(8);
  int low = 0;
  for (int i = 0; i < 30'000; ++i) {
    low += random.NextBelow(bound) < bound / 3 ? 1 : 0;
  }
  EXPECT_NEAR(low, 10'000, 400);
  EXPECT_EQ(random.NextBelow(1), 0u);
}

TEST(Random, RefusesAnEmptyRange) {
  Random random(1);
  EXPECT_ASSERTION(static_cast<void>(random.NextBelow(0)), "no number is below zero");
}

TEST(Random, ChancesComeAsOftenAsTheySay) {
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) {
    hits += random.NextChance(0.03) ? 1 : 0;
    ASSERT_FALSE(random.NextChance(0.0));
    ASSERT_TRUE(random.NextChance(1.0));
  }
  EXPECT_NEAR(hits, 3000, 250);
}

}  // namespace
}  // namespace muster
