// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What every snapshot codec promises, whoever wrote it. Which version the other end has is settled before the first
// record (muster.snapshot_codec/0 has no version in its bodies): here a change of bytes without one is caught.
#include "SnapshotCodecSuite.h"

#include "Core/Vector.h"

#include <array>
#include <cmath>
#include <thread>

namespace muster::conformance {
namespace {

TEST_P(SnapshotCodec, SaysWhoItIsAndHowLongARecordCanBe) {
  EXPECT_GT(info.name.size, 0U);
  EXPECT_GE(info.wire_version, 1U);
  EXPECT_GT(info.max_bits, 0U);
  EXPECT_EQ(info.max_bits % 8, 0U);
  EXPECT_LE(info.max_bits, 1'024U);
  EXPECT_GE(codec().struct_size, sizeof(mu_snapshot_codec_v0));
}

TEST_P(SnapshotCodec, GivesBackEveryAbsoluteRecordExactly) {
  for (int i = 0; i < 5'000; ++i) {
    const mu_canonical_record record = Quantise(codec(), RandomState(random));
    const Body body = Encode(codec(), record);
    mu_canonical_record decoded{};
    std::uint32_t bits = 0;
    ASSERT_EQ(Decode(body.bytes, 0, nullptr, 0, decoded, bits), MU_OK);
    ASSERT_EQ(bits, body.bits);
    ASSERT_TRUE(IsSame(decoded, record));
  }
}

TEST_P(SnapshotCodec, GivesBackEveryAnchoredRecordExactly) {
  for (int i = 0; i < 5'000; ++i) {
    const Pair pair = RandomPair();
    const Body body = Encode(codec(), pair.record, &pair.anchor, pair.age);
    mu_canonical_record decoded{};
    std::uint32_t bits = 0;
    ASSERT_EQ(Decode(body.bytes, 0, &pair.anchor, pair.age, decoded, bits), MU_OK);
    ASSERT_EQ(bits, body.bits);
    ASSERT_TRUE(IsSame(decoded, pair.record));
  }
}

TEST_P(SnapshotCodec, IsFineWithAnAnchorEqualToTheRecord) {
  const mu_canonical_record record = Quantise(codec(), GoldenState());
  for (std::uint32_t age = 0; age <= kMaxAge; ++age) {
    const Body body = Encode(codec(), record, &record, age);
    mu_canonical_record decoded{};
    std::uint32_t bits = 0;
    ASSERT_EQ(Decode(body.bytes, 0, &record, age, decoded, bits), MU_OK);
    EXPECT_TRUE(IsSame(decoded, record));
  }
}

TEST_P(SnapshotCodec, ReadsARecordAtAnyBitOfAMessage) {
  for (std::uint32_t shift = 0; shift < 64; ++shift) {
    const Pair pair = RandomPair();
    const Body body = Encode(codec(), pair.record, &pair.anchor, pair.age);
    std::vector<std::uint8_t> message((shift + body.bits + 7) / 8, 0xFF);
    for (std::uint32_t bit = 0; bit < body.bits; ++bit) {
      const std::uint32_t to = shift + bit;
      const auto mask = static_cast<std::uint8_t>(1U << (to % 8));
      const bool isSet = (body.bytes[bit / 8] >> (bit % 8) & 1) != 0;
      message[to / 8] = static_cast<std::uint8_t>(isSet ? message[to / 8] | mask : message[to / 8] & ~mask);
    }
    mu_canonical_record decoded{};
    std::uint32_t bits = 0;
    ASSERT_EQ(Decode(message, shift, &pair.anchor, pair.age, decoded, bits), MU_OK);
    EXPECT_EQ(bits, body.bits);
    EXPECT_TRUE(IsSame(decoded, pair.record));
  }
}

TEST_P(SnapshotCodec, EncodesAnySplitOfABatchAlike) {
  for (const std::size_t count : {1u, 63u, 64u, 65u, 1'000u}) {
    const std::vector<mu_encode_item> items = RandomItems(count);
    const std::vector<Body> alone = EncodeInShares(items, 1);
    for (const std::size_t share : {std::size_t{2}, std::size_t{7}, std::size_t{63}, std::size_t{64}, count}) {
      const std::vector<Body> together = EncodeInShares(items, share);
      ASSERT_EQ(together.size(), alone.size());
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(together[i].bits, alone[i].bits) << i << " of " << count << " by " << share;
        ASSERT_EQ(together[i].bytes, alone[i].bytes) << i << " of " << count << " by " << share;
      }
    }
    for (const Body& body : alone) {
      const std::uint32_t unusedBits = static_cast<std::uint32_t>(body.bytes.size() * 8) - body.bits;
      ASSERT_EQ(body.bytes.back() >> (8 - unusedBits), 0) << "unused bits of the last byte are zero";
    }
  }
}

TEST_P(SnapshotCodec, EncodesTheSameTwice) {
  const std::vector<mu_encode_item> items = RandomItems(65);
  const std::vector<Body> first = EncodeInShares(items, 65);
  for (int again = 0; again < 3; ++again) {
    const std::vector<Body> next = EncodeInShares(items, 65);
    for (std::size_t i = 0; i < items.size(); ++i) {
      ASSERT_EQ(next[i].bytes, first[i].bytes);
    }
  }
}

TEST_P(SnapshotCodec, TakesEmptyBatches) {
  mu_codec_columns nothing{};
  nothing.struct_size = sizeof(mu_codec_columns);
  EXPECT_EQ(codec().quantise(&nothing, nullptr, 0, nullptr), MU_OK);
  EXPECT_EQ(codec().encode(nullptr, 0, nullptr, info.max_bits / 8), MU_OK);
}

TEST_P(SnapshotCodec, GivesTheSameBitsToSeveralThreadsAtOnce) {
  const std::vector<mu_encode_item> items = RandomItems(200);
  const std::vector<Body> expected = EncodeInShares(items, 200);
  std::array<std::size_t, 3> differences{};
  std::vector<std::thread> threads;
  for (std::size_t& count : differences) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        for (std::size_t i = 0; i < items.size(); ++i) {
          mu_encode_item item = items[i];
          std::vector<std::uint8_t> bytes(info.max_bits / 8);
          const mu_status status = codec().encode(&item, 1, bytes.data(), info.max_bits / 8);
          bytes.resize((item.bit_count + 7) / 8);
          mu_canonical_record decoded{};
          std::uint32_t bits = 0;
          const mu_status read = Decode(bytes, 0, item.anchor, item.anchor_age_ticks, decoded, bits);
          count += status != MU_OK || bytes != expected[i].bytes || read != MU_OK || !IsSame(decoded, *item.record);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(differences, (std::array<std::size_t, 3>{}));
}

TEST_P(SnapshotCodec, QuantisesABatchAsItQuantisesEachAlone) {
  std::vector<EntityState> states;
  for (int i = 0; i < 50; ++i) {
    states.push_back(RandomState(random));
  }
  const std::vector<mu_canonical_record> batch = Quantise(codec(), states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_TRUE(IsSame(batch[i], Quantise(codec(), states[i])));
  }
}

TEST_P(SnapshotCodec, KeepsEveryFieldWithinItsStep) {
  const Golden promised = ReadGolden(GetParam());
  for (int i = 0; i < 5'000; ++i) {
    EntityState state = RandomState(random);
    for (double& axis : state.position) {
      axis = std::fmod(axis, 0x1p37);
    }
    for (float& axis : state.velocity) {
      axis = std::fmod(axis, 2'047.0F);
    }
    const EntityState shown = StateOf(Dequantise(Quantise(codec(), state)));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_LE(std::fabs(shown.position[axis] - state.position[axis]), 0.5 / 64.0);
      ASSERT_LE(std::fabs(shown.velocity[axis] - state.velocity[axis]), 0.5F / 16.0F);
    }
    const Quatf meant =
        Normalised(Quatf{state.orientation[0], state.orientation[1], state.orientation[2], state.orientation[3]});
    const Quatf got{shown.orientation[0], shown.orientation[1], shown.orientation[2], shown.orientation[3]};
    ASSERT_LE(AngleBetween(meant, got), 0.007F);
    ASSERT_LE(std::fabs(shown.health - state.health), promised.maxHealthError + 1e-6);
    ASSERT_LE(std::fabs(shown.throttle - state.throttle), promised.maxThrottleError + 1e-6);
    ASSERT_EQ(shown.status, state.status);
  }
}

TEST_P(SnapshotCodec, QuantisesWhatItShowsToTheSameRecord) {
  for (int i = 0; i < 20'000; ++i) {
    const mu_canonical_record record = Quantise(codec(), RandomState(random));
    ASSERT_TRUE(IsSame(Quantise(codec(), StateOf(Dequantise(record))), record));
  }
}

TEST_P(SnapshotCodec, QuantisesQuarterTurnsToTheSameRecord) {
  // Two parts of equal size: rounding decides which one is left out.
  for (std::size_t first = 0; first < 4; ++first) {
    for (std::size_t second = 0; second < 4; ++second) {
      for (const float sign : {1.0F, -1.0F}) {
        EntityState state;
        state.orientation = {};
        state.orientation[first] = 0.70710678F;
        state.orientation[second] = first == second ? 1.0F : sign * 0.70710678F;
        const mu_canonical_record record = Quantise(codec(), state);
        EXPECT_TRUE(IsSame(Quantise(codec(), StateOf(Dequantise(record))), record));
      }
    }
  }
}

TEST_P(SnapshotCodec, WritesTheGoldenBytes) {
  // Other bytes need another wire version, with a golden file of its own: that is how both ends tell them apart.
  const Golden wanted = ReadGolden(GetParam());
  const Golden now = MeasureGolden(codec());
  EXPECT_EQ(now.absolute, wanted.absolute);
  EXPECT_EQ(now.anchored, wanted.anchored);
  EXPECT_EQ(now.digest, wanted.digest);
}

INSTANTIATE_TEST_SUITE_P(Codecs, SnapshotCodec, ::testing::ValuesIn(CodecsUnderTest()),
                         [](const auto& codec) { return codec.param.testName; });

}  // namespace
}  // namespace muster::conformance
