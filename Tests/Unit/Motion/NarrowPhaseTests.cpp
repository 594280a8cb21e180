// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Core/Tick.h"
#include "Motion/NarrowPhase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace muster::motion {
namespace {

constexpr double kStep = static_cast<double>(kTickSeconds);

double DistanceAt(const MovingSphere& a, const MovingSphere& b, double time) {
  const Vec3d pa = a.position - ToDouble(a.velocity) * (kStep - time);
  const Vec3d pb = b.position - ToDouble(b.velocity) * (kStep - time);
  return Length(pb - pa);
}

/// The plain reference: looks at 4,096 moments of the step.
struct Sampled {
  bool touches = false;
  double time = 0.0;
  double closest = 1e30;
};
Sampled SampleDensely(const MovingSphere& a, const MovingSphere& b) {
  constexpr int samples = 4'096;
  Sampled result;
  for (int i = 0; i <= samples; ++i) {
    const double time = kStep * i / samples;
    const double distance = DistanceAt(a, b, time);
    result.closest = std::min(result.closest, distance);
    if (!result.touches && distance <= static_cast<double>(a.radius) + static_cast<double>(b.radius)) {
      result.touches = true;
      result.time = time;
    }
  }
  return result;
}

TEST(NarrowPhase, AgreesWithDenseSampling) {
  Random random{11};
  int touching = 0;
  int missing = 0;
  for (int i = 0; i < 3'000; ++i) {
    const auto velocity = [&](float most) {
      return Vec3f{random.NextBetween(-most, most), random.NextBetween(-most, most), random.NextBetween(-most, most)};
    };
    const float speed = i % 2 == 0 ? 600.0F : 60.0F;
    const MovingSphere a{
        {random.NextBetween(-50'000.0, 50'000.0), 500.0, 0.0}, velocity(speed), random.NextBetween(0.5F, 8.0F)};
    MovingSphere b{a.position, velocity(speed), random.NextBetween(0.5F, 8.0F)};
    b.position +=
        Vec3d{random.NextBetween(-14.0, 14.0), random.NextBetween(-14.0, 14.0), random.NextBetween(-14.0, 14.0)};
    const Sampled expected = SampleDensely(a, b);
    const double reach = static_cast<double>(a.radius) + static_cast<double>(b.radius);
    if (std::fabs(expected.closest - reach) < 1e-3) {
      continue;  // the samples cannot tell
    }
    const auto contact = SweepSpheres(a, b, kTickSeconds);
    ASSERT_EQ(contact.has_value(), expected.touches) << "case " << i;
    if (contact) {
      ++touching;
      EXPECT_NEAR(static_cast<double>(contact->timeSeconds), expected.time, kStep / 2'000.0);
      EXPECT_NEAR(Length(contact->normal), 1.0F, 1e-4F);
    } else {
      ++missing;
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(missing, 300);
}

TEST(NarrowPhase, CatchesWhatWouldTunnelThrough) {
  // Nose to nose at 1,200 m/s: 20 m in one step, radii of 1 m.
  const MovingSphere a{{5.0, 0.0, 0.0}, {600.0F, 0.0F, 0.0F}, 1.0F};
  const MovingSphere b{{-5.0, 0.0, 0.0}, {-600.0F, 0.0F, 0.0F}, 1.0F};
  const auto contact = SweepSpheres(a, b, kTickSeconds);
  ASSERT_TRUE(contact);
  EXPECT_NEAR(contact->relativeSpeedMps, 1'200.0F, 0.1F);
  EXPECT_NEAR(contact->closingSpeedMps, 1'200.0F, 0.1F);
  EXPECT_EQ(contact->overlapMeters, 0.0F) << "they are past each other at the end";
}

TEST(NarrowPhase, SeesNoContactBetweenCraftThatPart) {
  const MovingSphere a{{0.0, 0.0, 0.0}, {-50.0F, 0.0F, 0.0F}, 1.0F};
  const MovingSphere b{{5.0, 0.0, 0.0}, {50.0F, 0.0F, 0.0F}, 1.0F};
  EXPECT_FALSE(SweepSpheres(a, b, kTickSeconds));
}

TEST(NarrowPhase, TouchingCountsAndOverlapIsReported) {
  const MovingSphere a{{0.0, 0.0, 0.0}, {}, 1.0F};
  EXPECT_TRUE(SweepSpheres(a, MovingSphere{{2.0, 0.0, 0.0}, {}, 1.0F}, kTickSeconds));
  EXPECT_FALSE(SweepSpheres(a, MovingSphere{{2.001, 0.0, 0.0}, {}, 1.0F}, kTickSeconds));
  const auto same = SweepSpheres(a, MovingSphere{{0.0, 0.0, 0.0}, {}, 1.0F}, kTickSeconds);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->overlapMeters, 2.0F);
  EXPECT_EQ(same->normal, (Vec3f{1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(same->timeSeconds, 0.0F);
}

TEST(NarrowPhase, IgnoresNonFiniteInput) {
  MovingSphere a{{0.0, 0.0, 0.0}, {}, 1.0F};
  const MovingSphere b{{0.5, 0.0, 0.0}, {}, 1.0F};
  a.position.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(SweepSpheres(a, b, kTickSeconds));
  a.position.x = 0.0;
  a.velocity.y = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(SweepSpheres(a, b, kTickSeconds));
  a.velocity.y = 0.0F;
  a.radius = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(SweepSpheres(a, b, kTickSeconds));
}

TEST(ImpactDamage, GrowsFromNothingToAllBetweenItsLimits) {
  const ImpactLimits limits{5.0F, 25.0F};
  EXPECT_EQ(ImpactDamage(0.0F, limits), 0.0F);
  EXPECT_EQ(ImpactDamage(5.0F, limits), 0.0F);
  EXPECT_FLOAT_EQ(ImpactDamage(15.0F, limits), 0.5F);
  EXPECT_EQ(ImpactDamage(25.0F, limits), 1.0F);
  EXPECT_EQ(ImpactDamage(500.0F, limits), 1.0F);
  EXPECT_EQ(ImpactDamage(std::numeric_limits<float>::quiet_NaN(), limits), 0.0F);
}

}  // namespace
}  // namespace muster::motion
