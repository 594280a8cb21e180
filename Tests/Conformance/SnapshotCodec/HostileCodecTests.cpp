// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a codec makes of bytes that were cut, changed or made up, and of state that cannot be.
#include "SnapshotCodecSuite.h"

#include <array>
#include <cmath>
#include <limits>

namespace muster::conformance {
namespace {

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

TEST_P(SnapshotCodec, StopsReadingWhereABodyEnds) {
  for (int i = 0; i < 500; ++i) {
    const Pair pair = RandomPair();
    const bool isAnchored = i % 2 == 1;
    const mu_canonical_record* anchor = isAnchored ? &pair.anchor : nullptr;
    const std::uint32_t age = isAnchored ? pair.age : 0;
    const Body body = Encode(codec(), pair.record, anchor, age);
    // Whatever follows, ones or zeros, nothing or a lot: the same record of the same length.
    for (const std::size_t extra : {std::size_t{0}, std::size_t{1}, std::size_t{64}}) {
      const test::GuardedBuffer guarded{body.bytes.size() + extra};
      std::memset(guarded.Bytes().data(), i % 4 < 2 ? 0xFF : 0x00, guarded.Bytes().size());
      std::copy(body.bytes.begin(), body.bytes.end(), guarded.Bytes().begin());
      mu_canonical_record decoded{};
      std::uint32_t bits = 0;
      ASSERT_EQ(Decode(guarded.Bytes(), 0, anchor, age, decoded, bits), MU_OK);
      ASSERT_EQ(bits, body.bits);
      ASSERT_TRUE(IsSame(decoded, pair.record));
    }
  }
}

TEST_P(SnapshotCodec, RefusesAStrideThatIsTooSmall) {
  const mu_canonical_record record = Quantise(codec(), GoldenState());
  mu_encode_item item{&record, nullptr, 0, 0};
  std::vector<std::uint8_t> bits(info.max_bits / 8);
  EXPECT_LT(codec().encode(&item, 1, bits.data(), info.max_bits / 8 - 1), 0);
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

TEST_P(SnapshotCodec, TakesEveryHostileValueOfEveryField) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::array<double, 14> values{std::numeric_limits<double>::quiet_NaN(),
                                      inf,
                                      -inf,
                                      std::numeric_limits<double>::max(),
                                      std::numeric_limits<double>::lowest(),
                                      std::numeric_limits<double>::denorm_min(),
                                      -0.0,
                                      0x1p62,
                                      -0x1p63,
                                      0x1p38,
                                      -0x1p38,
                                      2047.03125,
                                      -1e-40,
                                      3.5e38};
  std::vector<EntityState> states;
  for (std::size_t field = 0; field < 12; ++field) {
    for (const double value : values) {
      EntityState state = GoldenState();
      const auto narrow = static_cast<float>(value);
      if (field < 3) {
        state.position[field] = value;
      } else if (field < 6) {
        state.velocity[field - 3] = narrow;
      } else if (field < 10) {
        state.orientation[field - 6] = narrow;
      } else {
        (field == 10 ? state.health : state.throttle) = narrow;
      }
      states.push_back(state);
    }
  }
  const std::vector<mu_canonical_record> records = Quantise(codec(), states);
  const mu_canonical_record usual = Quantise(codec(), GoldenState());
  for (const mu_canonical_record& record : records) {
    for (const mu_canonical_record* anchor : {static_cast<const mu_canonical_record*>(nullptr), &usual}) {
      const Body body = Encode(codec(), record, anchor, anchor == nullptr ? 0 : 3);
      mu_canonical_record decoded{};
      std::uint32_t bits = 0;
      ASSERT_EQ(Decode(body.bytes, 0, anchor, anchor == nullptr ? 0 : 3, decoded, bits), MU_OK);
      ASSERT_TRUE(IsSame(decoded, record));
    }
    const EntityState shown = StateOf(Dequantise(record));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_TRUE(std::isfinite(shown.position[axis]) && std::isfinite(shown.velocity[axis]));
    }
    ASSERT_NEAR(shown.orientation[0] * shown.orientation[0] + shown.orientation[1] * shown.orientation[1] +
                    shown.orientation[2] * shown.orientation[2] + shown.orientation[3] * shown.orientation[3],
                1.0F, 1e-3F);
    ASSERT_TRUE(shown.health >= 0.0F && shown.health <= 1.0F && shown.throttle >= 0.0F && shown.throttle <= 1.0F);
  }
}

}  // namespace
}  // namespace muster::conformance
