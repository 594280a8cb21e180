// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "World/LiveRuns.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace muster::world {
namespace {

using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<std::uint64_t> RandomWords(Random& random, std::size_t count) {
  std::vector<std::uint64_t> words;
  for (std::size_t index = 0; index < count; ++index) {
    switch (random.NextBelow(4)) {
      case 0:
        words.push_back(0);
        break;
      case 1:
        words.push_back(~std::uint64_t{0});
        break;
      case 2:
        words.push_back(random.Next());
        break;
      default:
        words.push_back(random.Next() & random.Next() & random.Next());
        break;
    }
  }
  return words;
}

bool IsSet(const std::vector<std::uint64_t>& words, std::uint32_t slot) {
  return (words[slot / 64] >> (slot % 64) & 1U) != 0;
}

TEST(LiveRuns, VisitsEachLiveSlotOnceInOrder) {
  Random random{1};
  for (int round = 0; round < 200; ++round) {
    const std::vector<std::uint64_t> words = RandomWords(random, 9);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t slot = 0; slot < words.size() * 64; ++slot) {
      if (IsSet(words, slot)) {
        expected.push_back(slot + 640);
      }
    }
    std::vector<std::uint32_t> visited;
    ForEachLive(
        words, [&](std::uint32_t slot) { visited.push_back(slot); }, 640);
    EXPECT_EQ(visited, expected);
  }
}

TEST(LiveRuns, JoinsRunsAcrossWords) {
  const std::vector<std::uint64_t> words{0x8000'0000'0000'0001U, ~std::uint64_t{0}, 0x7U, 0, 0x6U};
  Runs runs;
  ForEachRun(words, [&](std::uint32_t first, std::uint32_t count) { runs.emplace_back(first, count); });
  EXPECT_EQ(runs, (Runs{{0, 1}, {63, 68}, {257, 2}}));
}

TEST(LiveRuns, HandsOverDenseWordsWholeAndSparseOnesExactly) {
  const std::uint64_t dense = std::uint64_t{0xFFFF} << 20U;   // 16 bits
  const std::uint64_t sparse = std::uint64_t{0x7FFF} << 20U;  // 15 bits
  Runs runs;
  const std::vector<std::uint64_t> words{dense, 0x1U, sparse};
  ForEachDenseRun(words, [&](std::uint32_t first, std::uint32_t count) { runs.emplace_back(first, count); });
  EXPECT_EQ(runs, (Runs{{0, 65}, {148, 15}}));
}

TEST(LiveRuns, HandsOverSlotsOfSparseWordsOneByOneWhenAskedTo) {
  const std::uint64_t dense = ~std::uint64_t{0} >> 1U;
  const std::vector<std::uint64_t> words{dense, ~std::uint64_t{0}, 0x8000'0000'0000'0001U, 0, dense};
  Runs calls;
  ForEachDenseRun(
      words, [&](std::uint32_t first, std::uint32_t count) { calls.emplace_back(first, count); },
      [&](std::uint32_t slot) { calls.emplace_back(slot, 1); }, 64);
  EXPECT_EQ(calls, (Runs{{64, 128}, {192, 1}, {255, 1}, {320, 64}}));
}

TEST(LiveRuns, CountsBits) {
  Random random{9};
  for (int round = 0; round < 1'000; ++round) {
    const std::uint64_t word = random.Next() & random.Next();
    ASSERT_EQ(detail::CountBits(word), std::popcount(word));
  }
  EXPECT_EQ(detail::CountBits(0), 0);
  EXPECT_EQ(detail::CountBits(~std::uint64_t{0}), 64);
}

TEST(LiveRuns, CoversTheSameSlotsWhicheverLoopIsUsed) {
  Random random{2};
  for (int round = 0; round < 200; ++round) {
    const std::vector<std::uint64_t> words = RandomWords(random, 7);
    std::vector<int> exact(words.size() * 64, 0);
    std::vector<int> dense(words.size() * 64, 0);
    std::uint32_t end = 0;
    ForEachRun(words, [&](std::uint32_t first, std::uint32_t count) {
      EXPECT_TRUE(first > end || end == 0) << "runs that touch are one run";
      end = first + count;
      for (std::uint32_t slot = first; slot < end; ++slot) {
        ++exact[slot];
      }
    });
    ForEachDenseRun(words, [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t slot = first; slot < first + count; ++slot) {
        ++dense[slot];
      }
    });
    std::vector<int> mixed(words.size() * 64, 0);
    ForEachDenseRun(
        words,
        [&](std::uint32_t first, std::uint32_t count) {
          for (std::uint32_t slot = first; slot < first + count; ++slot) {
            ++mixed[slot];
          }
        },
        [&](std::uint32_t slot) { ++mixed[slot]; });
    EXPECT_EQ(mixed, dense);
    for (std::uint32_t slot = 0; slot < exact.size(); ++slot) {
      EXPECT_EQ(exact[slot], IsSet(words, slot) ? 1 : 0);
      EXPECT_LE(dense[slot], 1);
      EXPECT_GE(dense[slot], exact[slot]);
    }
  }
}

}  // namespace
}  // namespace muster::world
