// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The fixture of the suite; the promises are in SnapshotCodecTests.cpp, and HostileCodecTests.cpp has those about bytes
// and values that nobody should have sent.
#pragma once

#include "CodecUnderTest.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace muster::conformance {

inline constexpr std::uint32_t kMaxAge = 64;

class SnapshotCodec : public ::testing::TestWithParam<CodecUnderTest> {
 protected:
  void SetUp() override {
    ASSERT_NE(GetParam().table, nullptr);
    codec().info(&info);
  }

  /// Encodes items in the given shares, each into a buffer that ends where its last body may end.
  std::vector<Body> EncodeInShares(std::vector<mu_encode_item> items, std::size_t share) {
    const std::uint32_t stride = info.max_bits / 8;
    std::vector<Body> bodies;
    for (std::size_t from = 0; from < items.size(); from += share) {
      const std::size_t count = std::min(share, items.size() - from);
      const test::GuardedBuffer guarded{count * stride};
      std::memset(guarded.Bytes().data(), 0xEE, guarded.Bytes().size());
      EXPECT_EQ(codec().encode(&items[from], static_cast<std::uint32_t>(count), guarded.Bytes().data(), stride), MU_OK);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t bits = items[from + i].bit_count;
        EXPECT_LE(bits, info.max_bits);
        const std::uint8_t* begin = guarded.Bytes().data() + i * stride;
        bodies.push_back({std::vector<std::uint8_t>(begin, begin + (bits + 7) / 8), bits});
      }
    }
    return bodies;
  }

  const mu_snapshot_codec_v0& codec() const { return *GetParam().table; }

  mu_status Decode(std::span<const std::uint8_t> bytes, std::uint64_t bit, const mu_canonical_record* anchor,
                   std::uint32_t age, mu_canonical_record& record, std::uint32_t& bits) const {
    return codec().decode({bytes.data(), bytes.size()}, bit, anchor, age, &record, &bits);
  }

  mu_record_values Dequantise(const mu_canonical_record& record) const {
    mu_record_values values{};
    EXPECT_EQ(codec().dequantise(&record, &values), MU_OK);
    return values;
  }

  /// Items over pairs that live as long as the fixture: every third absolute.
  std::vector<mu_encode_item> RandomItems(std::size_t count) {
    pairs.clear();
    for (std::size_t i = 0; i < count; ++i) {
      pairs.push_back(RandomPair());
    }
    std::vector<mu_encode_item> items;
    for (std::size_t i = 0; i < count; ++i) {
      const bool isAnchored = i % 3 != 0;
      items.push_back({&pairs[i].record, isAnchored ? &pairs[i].anchor : nullptr, isAnchored ? pairs[i].age : 0, 0});
    }
    return items;
  }

  /// A record, an anchor it may have, and their age.
  struct Pair {
    mu_canonical_record record;
    mu_canonical_record anchor;
    std::uint32_t age;
  };
  Pair RandomPair() {
    const EntityState anchor = RandomState(random);
    const auto age = static_cast<std::uint32_t>(random.NextBelow(kMaxAge + 1));
    const EntityState record = random.NextChance(0.2) ? RandomState(random) : FlownOn(anchor, age, random);
    return {Quantise(codec(), record), Quantise(codec(), anchor), age};
  }

  Random random{20'260'101};
  std::vector<Pair> pairs;
  mu_codec_info info{};
};

}  // namespace muster::conformance
