// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Motion/NarrowPhase.h"

#include <algorithm>
#include <cmath>

namespace muster::motion {
namespace {

/// First root of |offset + velocity * t| = reach within [0, step]; negative when there is none. In double: at high
/// speeds the discriminant is a small difference of large numbers.
double FirstTouch(const Vec3d& offset, const Vec3d& velocity, double reach, double step) noexcept {
  const double c = LengthSquared(offset) - reach * reach;
  if (c <= 0.0) {
    return 0.0;
  }
  const double b = Dot(offset, velocity);
  const double a = LengthSquared(velocity);
  const double discriminant = b * b - a * c;
  if (!(b < 0.0) || !(discriminant >= 0.0)) {
    return -1.0;
  }
  // The stable form: c over the larger of the two sums.
  const double time = c / (-b + std::sqrt(discriminant));
  return time <= step ? time : -1.0;
}

}  // namespace

std::optional<Contact> SweepSpheres(const MovingSphere& a, const MovingSphere& b, float stepSeconds) noexcept {
  const double step = static_cast<double>(stepSeconds);
  const Vec3d velocity = ToDouble(b.velocity) - ToDouble(a.velocity);
  const Vec3d end = b.position - a.position;
  const Vec3d start = end - velocity * step;
  const double reach = static_cast<double>(a.radius) + static_cast<double>(b.radius);
  if (!(std::isfinite(LengthSquared(start)) && std::isfinite(LengthSquared(velocity)) && reach >= 0.0)) {
    return std::nullopt;
  }
  const double time = FirstTouch(start, velocity, reach, step);
  if (time < 0.0) {
    return std::nullopt;
  }
  Contact contact;
  contact.timeSeconds = static_cast<float>(time);
  contact.relativeSpeedMps = static_cast<float>(Length(velocity));
  const Vec3d normal = Normalised(start + velocity * time, Vec3d{1.0, 0.0, 0.0});
  contact.normal = ToFloat(normal);
  contact.closingSpeedMps = static_cast<float>(std::max(0.0, -Dot(velocity, normal)));
  contact.overlapMeters = static_cast<float>(std::max(0.0, reach - Length(end)));
  return contact;
}

float ImpactDamage(float relativeSpeedMps, const ImpactLimits& limits) noexcept {
  if (!(relativeSpeedMps > limits.harmlessMps)) {
    return 0.0F;
  }
  return std::min(1.0F, (relativeSpeedMps - limits.harmlessMps) / (limits.fatalMps - limits.harmlessMps));
}

}  // namespace muster::motion
