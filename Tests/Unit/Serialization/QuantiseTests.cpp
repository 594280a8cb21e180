// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Core/Vector.h"
#include "Serialization/Quantise.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace muster::serialization {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kWorstAngle = 0.0048f;  // as PackQuaternion states it
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(FloatRange, IsExactAtItsEndsAndWithinHalfAStepBetween) {
  Random random(11);
  for (unsigned bits = 1; bits <= 32; ++bits) {
    const FloatRange range{-37.5, 112.0, bits};
    EXPECT_EQ(Dequantise(range, Quantise(range, range.low)), range.low);
    EXPECT_EQ(Dequantise(range, Quantise(range, range.high)), range.high);
    for (int i = 0; i < 200; ++i) {
      const double value = random.NextBetween(range.low, range.high);
      const double back = Dequantise(range, Quantise(range, value));
      ASSERT_LE(std::fabs(back - value), range.Step() * 0.5000001) << bits << " bits";
    }
  }
}

TEST(FloatRange, KeepsCodesThroughARoundTrip) {
  const FloatRange range{-1.0, 1.0, 12};
  for (std::uint32_t code = 0; code <= range.MaxCode(); ++code) {
    ASSERT_EQ(Quantise(range, Dequantise(range, code)), code);
  }
}

TEST(FloatRange, SendsWhatIsOutsideToTheNearerEndAndNanToTheLowOne) {
  const FloatRange range{0.0, 10.0, 8};
  EXPECT_EQ(Quantise(range, -1e300), 0u);
  EXPECT_EQ(Quantise(range, -kInfinity), 0u);
  EXPECT_EQ(Quantise(range, 1e300), 255u);
  EXPECT_EQ(Quantise(range, kInfinity), 255u);
  EXPECT_EQ(Quantise(range, kNan), 0u);
  EXPECT_EQ(Dequantise(range, 4'000'000'000u), 10.0);
}

TEST(QuantiseStep, RoundsToTheNearestStepAndClampsWhatNoIntegerHolds) {
  EXPECT_EQ(QuantiseStep(1.24, 0.5), 2);
  EXPECT_EQ(QuantiseStep(1.25, 0.5), 3);
  EXPECT_EQ(QuantiseStep(-1.26, 0.5), -3);
  EXPECT_EQ(DequantiseStep(-3, 0.5), -1.5);
  EXPECT_EQ(QuantiseStep(kNan, 0.5), 0);
  EXPECT_EQ(QuantiseStep(kInfinity, 0.5), std::int64_t{1} << 62);
  EXPECT_EQ(QuantiseStep(-1e300, 0.5), -(std::int64_t{1} << 62));
}

TEST(ZigZag, InterleavesSignsAndInverts) {
  EXPECT_EQ(ZigZag(0), 0u);
  EXPECT_EQ(ZigZag(-1), 1u);
  EXPECT_EQ(ZigZag(1), 2u);
  for (const std::int32_t value :
       {0, 1, -1, 77, -78, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_EQ(UnZigZag(ZigZag(value)), value);
  }
}

Quatf RandomRotation(Random& random) {
  return Normalised(Quatf{random.NextBetween(-1.0f, 1.0f), random.NextBetween(-1.0f, 1.0f),
                          random.NextBetween(-1.0f, 1.0f), random.NextBetween(-1.0f, 1.0f)});
}

QuaternionParts PartsOf(const Quatf& q) {
  return {q.x, q.y, q.z, q.w};
}

Quatf RotationOf(const QuaternionParts& parts) {
  return {parts[0], parts[1], parts[2], parts[3]};
}

TEST(PackQuaternion, StaysWithinTheStatedAngle) {
  Random random(5);
  float worst = 0.0f;
  for (int i = 0; i < 200'000; ++i) {
    const Quatf rotation = RandomRotation(random);
    worst = std::max(worst, AngleBetween(rotation, RotationOf(UnpackQuaternion(PackQuaternion(PartsOf(rotation))))));
  }
  EXPECT_LE(worst, kWorstAngle);
  EXPECT_GE(worst, 0.9f * kWorstAngle) << "the stated bound is too generous";
}

TEST(PackQuaternion, KeepsNoRotationExactly) {
  const QuaternionParts none{0.0f, 0.0f, 0.0f, 1.0f};
  EXPECT_EQ(UnpackQuaternion(PackQuaternion(none)), none);
}

TEST(PackQuaternion, GivesBothSignsAndAllLengthsOneCode) {
  Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const QuaternionParts q = PartsOf(RandomRotation(random));
    const QuaternionParts negated{-q[0], -q[1], -q[2], -q[3]};
    const QuaternionParts doubled{q[0] * 2, q[1] * 2, q[2] * 2, q[3] * 2};
    ASSERT_EQ(PackQuaternion(q), PackQuaternion(negated));
    ASSERT_EQ(PackQuaternion(q), PackQuaternion(doubled));
  }
}

TEST(PackQuaternion, KeepsCodesThroughARoundTrip) {
  Random random(8);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t code = PackQuaternion(PartsOf(RandomRotation(random)));
    const std::uint32_t again = PackQuaternion(UnpackQuaternion(code));
    // On the border, where two parts are equally large, the other one may take over; the rotation is then the same.
    if (again != code) {
      ASSERT_LE(AngleBetween(RotationOf(UnpackQuaternion(code)), RotationOf(UnpackQuaternion(again))), kWorstAngle);
    }
  }
}

TEST(PackQuaternion, TakesWhatHasNoDirectionForNoRotation) {
  const auto nan = static_cast<float>(kNan);
  const auto infinity = static_cast<float>(kInfinity);
  const std::uint32_t none = PackQuaternion({0, 0, 0, 1});
  EXPECT_EQ(PackQuaternion({0, 0, 0, 0}), none);
  EXPECT_EQ(PackQuaternion({nan, 0, 0, 1}), none);
  EXPECT_EQ(PackQuaternion({0, infinity, 0, 1}), none);
}

TEST(UnpackQuaternion, IsOfUnitLengthForAnyBits) {
  Random random(9);
  for (int i = 0; i < 100'000; ++i) {
    const QuaternionParts q = UnpackQuaternion(static_cast<std::uint32_t>(random.Next()));
    const double squares = std::pow(q[0], 2.0) + std::pow(q[1], 2.0) + std::pow(q[2], 2.0) + std::pow(q[3], 2.0);
    ASSERT_NEAR(squares, 1.0, 1e-6);
  }
}

TEST(ExpGolomb, ReadsBackEveryOrderAndTakesTheBitsItSays) {
  Random random(12);
  for (unsigned order = 0; order <= kMaxExpGolombOrder; ++order) {
    const test::GuardedBuffer buffer(2048);
    BitWriter writer(buffer.Bytes());
    std::vector<std::uint32_t> values{
        0, 1, 2, 3, std::numeric_limits<std::uint32_t>::max(), std::numeric_limits<std::uint32_t>::max() - 1};
    for (int i = 0; i < 200; ++i) {
      values.push_back(static_cast<std::uint32_t>(random.Next() >> (32 + random.NextBelow(32))));
    }
    for (const std::uint32_t value : values) {
      const std::size_t before = writer.BitPosition();
      WriteExpGolomb(writer, value, order);
      ASSERT_EQ(writer.BitPosition() - before, ExpGolombBits(value, order)) << value << " order " << order;
    }
    ASSERT_FALSE(writer.Overflowed());
    writer.Finish();
    BitReader reader(buffer.Bytes(), writer.BitPosition());
    for (const std::uint32_t value : values) {
      ASSERT_EQ(ReadExpGolomb(reader, order), value);
    }
    EXPECT_FALSE(reader.Failed());
    EXPECT_EQ(reader.BitsLeft(), 0u);
  }
}

TEST(ExpGolomb, IsShortForSmallNumbers) {
  EXPECT_EQ(ExpGolombBits(0, 0), 1u);
  EXPECT_EQ(ExpGolombBits(1, 0), 3u);
  EXPECT_EQ(ExpGolombBits(7, 3), 4u);
  EXPECT_EQ(ExpGolombBits(8, 3), 6u);
}

TEST(ExpGolomb, RefusesWhatIsAboveTheMaximumOrNo32BitNumber) {
  std::array<std::uint8_t, 16> bytes{};
  BitWriter writer(bytes);
  WriteExpGolomb(writer, 100, 2);
  writer.Finish();
  BitReader bounded(bytes);
  EXPECT_EQ(ReadExpGolomb(bounded, 2, 99), 0u);
  EXPECT_TRUE(bounded.Failed());

  BitWriter forged(bytes);
  forged.WriteBits(std::uint64_t{1} << 32, 33);
  forged.WriteBits(1, 32);  // one above the greatest number
  forged.Finish();
  BitReader reader(bytes);
  EXPECT_EQ(ReadExpGolomb(reader, 0), 0u);
  EXPECT_TRUE(reader.Failed());

  bytes.fill(0);
  BitReader zeros(bytes);
  EXPECT_EQ(ReadExpGolomb(zeros, 0), 0u);
  EXPECT_TRUE(zeros.Failed());
}

TEST(ExpGolomb, WritesItsLongestFormWholeOrNotAtAll) {
  std::array<std::uint8_t, 8> bytes{};
  BitWriter writer(bytes);
  WriteExpGolomb(writer, std::numeric_limits<std::uint32_t>::max(), 0);
  EXPECT_TRUE(writer.Overflowed());
  EXPECT_EQ(writer.BitPosition(), 0u);
}

TEST(ExpGolomb, CarriesSigns) {
  std::array<std::uint8_t, 64> bytes{};
  const std::array<std::int32_t, 5> values{0, -1, 1, std::numeric_limits<std::int32_t>::min(),
                                           std::numeric_limits<std::int32_t>::max()};
  BitWriter writer(bytes);
  for (const std::int32_t value : values) {
    WriteSignedExpGolomb(writer, value, 4);
  }
  writer.Finish();
  BitReader reader(bytes);
  for (const std::int32_t value : values) {
    EXPECT_EQ(ReadSignedExpGolomb(reader, 4), value);
  }
  EXPECT_FALSE(reader.Failed());
}

}  // namespace
}  // namespace muster::serialization
