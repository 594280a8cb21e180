// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/WeightedMix.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

namespace muster {
namespace {

const Error kFailure{{2042, "SpawnMixInvalid"}, "The mix cannot be used.", "", "Write another."};

TEST(WeightedMix, ReadsNamesAndWeightsWithBlanksAroundThem) {
  const auto mix = WeightedMix::Parse(" loiter : 60 ,pursuit,\tloiter:1000000", kFailure);
  ASSERT_TRUE(mix.HasValue()) << mix.Failure().ToString();
  ASSERT_EQ(mix->Parts().size(), 3U);
  EXPECT_EQ(mix->Parts()[0].name, "loiter");
  EXPECT_EQ(mix->Parts()[0].weight, 60U);
  EXPECT_EQ(mix->Parts()[1].name, "pursuit");
  EXPECT_EQ(mix->Parts()[1].weight, 1U);
  EXPECT_EQ(mix->Parts()[2].weight, WeightedMix::kMaxWeight);
}

TEST(WeightedMix, GivesTheCallersErrorWithACause) {
  for (const char* text : {"", ",", "a,", "a:", "a:0", "a:-1", "a:+1", "a:x", "a:1.5", "a:1000001", "a:1:2", ":5", " ",
                           "a:99999999999999999999"}) {
    const auto mix = WeightedMix::Parse(text, kFailure);
    ASSERT_FALSE(mix.HasValue()) << text;
    EXPECT_EQ(mix.Failure().code, kFailure.code);
    EXPECT_EQ(mix.Failure().sentence, kFailure.sentence);
    EXPECT_FALSE(mix.Failure().cause.empty());
  }
}

TEST(WeightedMix, DealsByCumulativeWeightAtAnyCount) {
  const auto mix = WeightedMix::Parse("a:80,b:15,c:5", kFailure);
  std::array<int, 3> counts{};
  for (std::uint32_t i = 0; i < 100; ++i) {
    ++counts[mix->PartOf(i, 100)];
  }
  EXPECT_EQ(counts, (std::array<int, 3>{80, 15, 5}));
  EXPECT_EQ(mix->PartOf(0, 1), 0U);
  EXPECT_EQ(mix->PartOf(0xFFFF'FFFEU, 0xFFFF'FFFFU), 2U);
}

}  // namespace
}  // namespace muster
