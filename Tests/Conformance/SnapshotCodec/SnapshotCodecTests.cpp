// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What every snapshot codec promises, whoever wrote it.
#include "CodecUnderTest.h"
#include "Support/GuardedBuffer.h"

#include "Core/Vector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace muster::conformance {
namespace {

constexpr std::uint32_t kMaxAge = 64;

class SnapshotCodec : public ::testing::TestWithParam<CodecUnderTest> {
 protected:
  void SetUp() override {
    ASSERT_NE(GetParam().table, nullptr);
    codec().info(&info);
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
  mu_codec_info info{};
};

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

TEST_P(SnapshotCodec, StaysWithinMaxBitsAtTheEndsOfEveryRange) {
  constexpr double huge = std::numeric_limits<double>::infinity();
  constexpr float hugeSpeed = std::numeric_limits<float>::infinity();
  std::vector<mu_canonical_record> records;
  for (const double position : {-huge, -1.0, 0.0, huge}) {
    for (const float speed : {-hugeSpeed, 0.0F, hugeSpeed}) {
      for (const float health : {0.0F, 0.5F, 1.0F}) {
        EntityState state;
        state.position = {position, position, position};
        state.velocity = {speed, speed, speed};
        state.orientation = {0.5F, health, -0.4F, 0.3F};
        state.health = health;
        state.status = 0xFFFFFFFF;
        records.push_back(Quantise(codec(), state));
      }
    }
  }
  for (const mu_canonical_record& record : records) {
    EXPECT_LE(Encode(codec(), record).bits, info.max_bits);
    for (const mu_canonical_record& anchor : records) {
      const Body body = Encode(codec(), record, &anchor, kMaxAge);
      EXPECT_LE(body.bits, info.max_bits);
      mu_canonical_record decoded{};
      std::uint32_t bits = 0;
      ASSERT_EQ(Decode(body.bytes, 0, &anchor, kMaxAge, decoded, bits), MU_OK);
      ASSERT_TRUE(IsSame(decoded, record));
    }
  }
}

TEST_P(SnapshotCodec, RefusesEveryTruncationAndReadsNothingBehindIt) {
  for (int i = 0; i < 40; ++i) {
    const Pair pair = RandomPair();
    const bool isAnchored = i % 2 == 1;
    const mu_canonical_record* anchor = isAnchored ? &pair.anchor : nullptr;
    const Body body = Encode(codec(), pair.record, anchor, isAnchored ? pair.age : 0);
    for (std::uint32_t cut = 0; cut < body.bits; ++cut) {
      // Bits cannot be cut off a byte, so the record is moved up until its last bits fall off the end.
      const std::uint32_t wholeBytes = (cut + 7) / 8;
      const std::uint32_t shift = wholeBytes * 8 - cut;
      const test::GuardedBuffer guarded{wholeBytes};
      std::memset(guarded.Bytes().data(), 0, wholeBytes);
      for (std::uint32_t bit = 0; bit < cut; ++bit) {
        const auto value = static_cast<std::uint8_t>((body.bytes[bit / 8] >> (bit % 8) & 1) << ((bit + shift) % 8));
        guarded.Bytes()[(bit + shift) / 8] = static_cast<std::uint8_t>(guarded.Bytes()[(bit + shift) / 8] | value);
      }
      mu_canonical_record decoded{};
      std::uint32_t bits = 7;
      const mu_status status = Decode(guarded.Bytes(), shift, anchor, isAnchored ? pair.age : 0, decoded, bits);
      ASSERT_TRUE(status == MU_E_TRUNCATED || status == MU_E_MALFORMED) << "cut to " << cut << " bits";
      ASSERT_EQ(bits, 0U);
    }
  }
}

TEST_P(SnapshotCodec, RefusesAPositionBehindTheEnd) {
  const Body body = Encode(codec(), Quantise(codec(), GoldenState()));
  for (const std::uint64_t bit : {std::uint64_t{body.bytes.size() * 8}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    mu_canonical_record decoded{};
    std::uint32_t bits = 7;
    EXPECT_EQ(Decode(body.bytes, bit, nullptr, 0, decoded, bits), MU_E_TRUNCATED);
    EXPECT_EQ(bits, 0U);
  }
  mu_canonical_record decoded{};
  std::uint32_t bits = 7;
  EXPECT_EQ(codec().decode({nullptr, 0}, 0, nullptr, 0, &decoded, &bits), MU_E_TRUNCATED);
}

TEST_P(SnapshotCodec, SurvivesAnyBytesAndNeverGivesARecordThatCannotBe) {
  const test::GuardedBuffer guarded{info.max_bits / 8};
  std::uint32_t taken = 0;
  std::uint32_t refused = 0;
  for (int i = 0; i < 30'000; ++i) {
    const Pair pair = i % 8 == 0 ? RandomPair() : Pair{{}, {}, static_cast<std::uint32_t>(random.NextBelow(65))};
    const bool isAnchored = random.NextChance(0.5);
    const mu_canonical_record* anchor = isAnchored ? &pair.anchor : nullptr;
    std::span<std::uint8_t> bytes;
    std::uint64_t bit = 0;
    if (i % 8 == 0) {
      // A good body with a few bits turned over gets further than noise does.
      const Body body = Encode(codec(), pair.record, anchor, pair.age);
      bytes = guarded.Last(body.bytes.size());
      std::copy(body.bytes.begin(), body.bytes.end(), bytes.begin());
      for (std::uint64_t flips = random.NextBelow(4); flips > 0; --flips) {
        const std::uint64_t flipped = random.NextBelow(bytes.size() * 8);
        bytes[flipped / 8] = static_cast<std::uint8_t>(bytes[flipped / 8] ^ (1U << (flipped % 8)));
      }
    } else {
      bytes = guarded.Last(static_cast<std::size_t>(random.NextBelow(info.max_bits / 8 + 1)));
      for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(i % 2 == 0 ? random.Next() & random.Next() : random.Next());
      }
      bit = random.NextBelow(8);
    }
    mu_canonical_record decoded{};
    std::uint32_t bits = 0;
    const mu_status status = Decode(bytes, bit, anchor, isAnchored ? pair.age : 0, decoded, bits);
    ASSERT_LE(bits, info.max_bits);
    if (status == MU_OK) {
      ++taken;
      ASSERT_GT(bits, 0U);
      const mu_canonical_record again = Quantise(codec(), StateOf(Dequantise(decoded)));
      ASSERT_TRUE(IsSame(again, decoded)) << "a record that quantise could not have made";
    } else {
      ++refused;
      ASSERT_TRUE(status == MU_E_TRUNCATED || status == MU_E_MALFORMED);
    }
  }
  EXPECT_GT(taken, 1'000U) << "too few records were taken for the check above to mean anything";
  EXPECT_GT(refused, 1'000U);
}

TEST_P(SnapshotCodec, TellsTheLengthOfABodyWithoutItsAnchor) {
  for (int i = 0; i < 3'000; ++i) {
    const Pair pair = RandomPair();
    const Body body = Encode(codec(), pair.record, &pair.anchor, pair.age);
    const mu_canonical_record stranger = Quantise(codec(), RandomState(random));
    const mu_canonical_record none{};
    for (const mu_canonical_record* anchor : {&stranger, &none}) {
      mu_canonical_record decoded{};
      std::uint32_t bits = 0;
      const mu_status status = Decode(body.bytes, 0, anchor, pair.age, decoded, bits);
      ASSERT_TRUE(status == MU_OK || status == MU_E_MALFORMED);
      ASSERT_EQ(bits, body.bits);
    }
  }
}

TEST_P(SnapshotCodec, EncodesABatchAsItEncodesEachAlone) {
  std::vector<Pair> pairs;
  std::vector<mu_encode_item> items;
  for (int i = 0; i < 64; ++i) {
    pairs.push_back(RandomPair());
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool isAnchored = i % 3 != 0;
    items.push_back({&pairs[i].record, isAnchored ? &pairs[i].anchor : nullptr, isAnchored ? pairs[i].age : 0, 0});
  }
  const std::uint32_t stride = info.max_bits / 8 + 5;
  std::vector<std::uint8_t> bits(items.size() * stride, 0xEE);
  ASSERT_EQ(codec().encode(items.data(), static_cast<std::uint32_t>(items.size()), bits.data(), stride), MU_OK);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Body alone = Encode(codec(), *items[i].record, items[i].anchor, items[i].anchor_age_ticks);
    ASSERT_EQ(items[i].bit_count, alone.bits);
    ASSERT_EQ(std::memcmp(bits.data() + i * stride, alone.bytes.data(), alone.bytes.size()), 0);
    const std::uint32_t unusedBits = static_cast<std::uint32_t>(alone.bytes.size() * 8) - alone.bits;
    ASSERT_EQ(alone.bytes.back() >> (8 - unusedBits), 0) << "unused bits of the last byte are zero";
  }
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

TEST_P(SnapshotCodec, RefusesAStrideThatIsTooSmall) {
  const mu_canonical_record record = Quantise(codec(), GoldenState());
  mu_encode_item item{&record, nullptr, 0, 0};
  std::vector<std::uint8_t> bits(info.max_bits / 8);
  EXPECT_LT(codec().encode(&item, 1, bits.data(), info.max_bits / 8 - 1), 0);
}

TEST_P(SnapshotCodec, KeepsEveryFieldWithinItsStep) {
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
    ASSERT_LE(std::fabs(shown.health - state.health), GetParam().maxHealthError + 1e-6F);
    ASSERT_LE(std::fabs(shown.throttle - state.throttle), GetParam().maxThrottleError + 1e-6F);
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

TEST_P(SnapshotCodec, TakesWhatIsNoNumberAsZeroAndClampsTheRest) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr float nanF = std::numeric_limits<float>::quiet_NaN();
  EntityState state;
  state.position = {nan, 1e300, -1e300};
  state.velocity = {nanF, 1e30F, -1e30F};
  state.orientation = {nanF, 0.0F, 0.0F, 0.0F};
  state.health = nanF;
  state.throttle = 7.0F;
  state.status = 0xFFFFFF00;
  const mu_canonical_record record = Quantise(codec(), state);
  EXPECT_EQ(record.cell_x, 0);
  EXPECT_EQ(record.offset_x, 0);
  EXPECT_EQ(record.cell_y, (1 << 30) - 1);
  EXPECT_EQ(record.offset_y, (1 << 14) - 1);
  EXPECT_EQ(record.cell_z, -(1 << 30));
  EXPECT_EQ(record.offset_z, 0);
  EXPECT_EQ(record.velocity_x, 0);
  EXPECT_EQ(record.velocity_y, 2'047 * 16);
  EXPECT_EQ(record.velocity_z, -2'047 * 16);
  const EntityState shown = StateOf(Dequantise(record));
  EXPECT_EQ(shown.orientation, (std::array<float, 4>{0.0F, 0.0F, 0.0F, 1.0F}));
  EXPECT_EQ(shown.health, 0.0F);
  EXPECT_EQ(shown.throttle, 1.0F);
  EXPECT_EQ(shown.status, 0U);
}

TEST_P(SnapshotCodec, WritesTheGoldenBytes) {
  const mu_canonical_record record = Quantise(codec(), GoldenState());
  const mu_canonical_record anchor = Quantise(codec(), GoldenAnchorState());
  EXPECT_EQ(Hex(Encode(codec(), record)), GetParam().goldenAbsolute);
  EXPECT_EQ(Hex(Encode(codec(), record, &anchor, 16)), GetParam().goldenAnchored);
}

INSTANTIATE_TEST_SUITE_P(Codecs, SnapshotCodec, ::testing::ValuesIn(CodecsUnderTest()),
                         [](const auto& codec) { return codec.param.testName; });

}  // namespace
}  // namespace muster::conformance
