// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Core/Vector.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace muster {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void ExpectNear(const Vec3f& actual, const Vec3f& expected, float tolerance = 1e-5f) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
}

TEST(Trigonometry, AgreesWithTheLibraryWithinAMillionth) {
  Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    const float range = i % 2 == 0 ? 10.0f : 1.0e6f;
    const float angle = random.NextBetween(-range, range);
    const SineCosine mine = SinCos(angle);
    ASSERT_NEAR(mine.sine, std::sin(static_cast<double>(angle)), 1e-6) << angle;
    ASSERT_NEAR(mine.cosine, std::cos(static_cast<double>(angle)), 1e-6) << angle;
    const float y = random.NextBetween(-5.0f, 5.0f);
    const float x = random.NextBetween(-5.0f, 5.0f);
    ASSERT_NEAR(Atan2(y, x), std::atan2(static_cast<double>(y), static_cast<double>(x)), 1e-6) << y << ' ' << x;
    const float unit = random.NextBetween(-1.0f, 1.0f);
    ASSERT_NEAR(Acos(unit), std::acos(static_cast<double>(unit)), 1e-6) << unit;
    ASSERT_NEAR(Asin(unit), std::asin(static_cast<double>(unit)), 1e-6) << unit;
  }
}

TEST(Trigonometry, IsExactOnTheAxes) {
  EXPECT_EQ(Sin(0.0f), 0.0f);
  EXPECT_EQ(Cos(0.0f), 1.0f);
  EXPECT_EQ(Sin(kPi / 2), 1.0f);
  EXPECT_EQ(Cos(kPi), -1.0f);
  EXPECT_EQ(Atan2(0.0f, 1.0f), 0.0f);
  EXPECT_EQ(Atan2(1.0f, 0.0f), kPi / 2);
  EXPECT_EQ(Atan2(-1.0f, 0.0f), -kPi / 2);
  EXPECT_EQ(Atan2(0.0f, -1.0f), kPi);
  EXPECT_EQ(Atan2(0.0f, 0.0f), 0.0f);
  EXPECT_EQ(Atan2(-0.0f, -0.0f), 0.0f);
  EXPECT_EQ(Acos(1.0f), 0.0f);
  EXPECT_EQ(Acos(-1.0f), kPi);
}

TEST(Trigonometry, AnswersForEveryFloat) {
  EXPECT_TRUE(std::isnan(Sin(kNan)));
  EXPECT_TRUE(std::isnan(Cos(kInfinity)));
  EXPECT_TRUE(std::isnan(Atan2(kNan, 1.0f)));
  EXPECT_EQ(Atan2(kInfinity, kInfinity), kPi / 4);
  EXPECT_EQ(Acos(1.5f), 0.0f);
  EXPECT_EQ(Acos(-1.5f), kPi);
  EXPECT_TRUE(std::isnan(Acos(kNan)));
  Random random(2);
  for (int i = 0; i < 100'000; ++i) {
    const float anything = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next()));
    if (std::isfinite(anything)) {
      const SineCosine both = SinCos(anything);
      ASSERT_NEAR(both.sine * both.sine + both.cosine * both.cosine, 1.0f, 1e-6f) << anything;
    }
  }
}

/// Guards the bits themselves: they are part of what a recorded trace replays to, on every machine and compiler.
TEST(Trigonometry, HasTheseBitsEverywhere) {
  Digest64 digest;
  for (int i = -20'000; i <= 20'000; ++i) {
    const float angle = static_cast<float>(i) * 0.37f;
    const SineCosine both = SinCos(angle);
    digest.Update(both.sine);
    digest.Update(both.cosine);
    digest.Update(Atan2(both.sine, both.cosine));
    digest.Update(Acos(both.cosine));
  }
  EXPECT_EQ(digest.Value(), 3764135036320294351u);
}

TEST(Vec3, DoesItsArithmetic) {
  constexpr Vec3f a{1, 2, 3};
  constexpr Vec3f b{4, -5, 6};
  static_assert(a + b == Vec3f{5, -3, 9});
  static_assert(a - b == Vec3f{-3, 7, -3});
  static_assert(-a == Vec3f{-1, -2, -3});
  static_assert(a * 2.0f == 2.0f * a);
  static_assert(Dot(a, b) == 12.0f);
  static_assert(Cross(Vec3f{1, 0, 0}, Vec3f{0, 1, 0}) == Vec3f{0, 0, 1}, "right-handed");
  EXPECT_EQ(Length(Vec3d{3, 4, 12}), 13.0);
  EXPECT_EQ(Lerp(a, b, 0.5f), (Vec3f{2.5f, -1.5f, 4.5f}));
  EXPECT_EQ(ToFloat(ToDouble(a)), a);
  EXPECT_EQ(Integrate(Vec3d{1e9, 0, 0}, Vec3f{0.5f, 0, 0}, 2.0), (Vec3d{1e9 + 1, 0, 0}));
}

TEST(Vec3, NormalisesOrFallsBack) {
  ExpectNear(Normalised(Vec3f{0, 10, 0}), {0, 1, 0});
  EXPECT_EQ(Normalised(Vec3f{}, Vec3f{1, 0, 0}), (Vec3f{1, 0, 0}));
  EXPECT_EQ(Normalised(Vec3f{kNan, 0, 0}, Vec3f{0, 0, 1}), (Vec3f{0, 0, 1}));
}

TEST(Quatf, RotatesCounterClockwise) {
  const Quatf quarter = FromAxisAngle({0, 1, 0}, kPi / 2);
  ExpectNear(Rotate(quarter, {1, 0, 0}), {0, 0, -1});
  ExpectNear(Rotate(Conjugate(quarter), Rotate(quarter, {1, 2, 3})), {1, 2, 3});
  const Quatf pitch = FromAxisAngle({1, 0, 0}, kPi / 2);
  ExpectNear(Rotate(quarter * pitch, {0, 0, 1}), Rotate(quarter, Rotate(pitch, {0, 0, 1})));
}

TEST(Quatf, NormalisesOrFallsBackToNoRotation) {
  EXPECT_EQ(Normalised(Quatf{0, 0, 0, 5}), Quatf{});
  EXPECT_EQ(Normalised(Quatf{0, 0, 0, 0}), Quatf{});
  EXPECT_EQ(Normalised(Quatf{kNan, 0, 0, 1}), Quatf{});
}

TEST(Quatf, IntegratesAFullTurnBackToItsStart) {
  Quatf rotation = FromAxisAngle(Normalised(Vec3f{1, 2, 3}), 0.7f);
  const Quatf start = rotation;
  for (int step = 0; step < 600; ++step) {
    rotation = Integrate(rotation, {0, 2 * kPi / 10.0f, 0}, 1.0f / 60.0f);
  }
  EXPECT_LT(AngleBetween(start, rotation), 0.01f);
  EXPECT_NEAR(Dot(rotation, rotation), 1.0f, 1e-5f);
}

TEST(Quatf, IntegratesInTheBodysFrameWhenAsked) {
  const Quatf yawed = FromAxisAngle({0, 1, 0}, kPi / 2);
  const Quatf rolled = IntegrateBody(yawed, {0.1f, 0, 0}, 1.0f);
  ExpectNear(Rotate(rolled, {1, 0, 0}), Rotate(yawed, {1, 0, 0}));
}

TEST(Quatf, InterpolatesAlongTheShorterWay) {
  const Quatf a = FromAxisAngle({0, 1, 0}, 0.2f);
  const Quatf b = FromAxisAngle({0, 1, 0}, 0.6f);
  const Quatf sameAsB{-b.x, -b.y, -b.z, -b.w};
  EXPECT_NEAR(AngleBetween(Nlerp(a, sameAsB, 0.5f), FromAxisAngle({0, 1, 0}, 0.4f)), 0.0f, 1e-3f);
  EXPECT_NEAR(AngleBetween(a, b), 0.4f, 1e-5f);
  EXPECT_NEAR(AngleBetween(b, sameAsB), 0.0f, 1e-3f);
}

}  // namespace
}  // namespace muster
