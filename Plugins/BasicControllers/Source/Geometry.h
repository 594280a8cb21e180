// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The little geometry that steering needs. Only IEEE arithmetic and square roots, so that answers are the same bits
// everywhere.
#pragma once

#include <algorithm>
#include <cmath>

namespace muster::basic {

inline constexpr float kGravity = 9.80665F;

/// Within the limits; what is not a number is zero, so that a broken tick leaves nothing behind in a memory.
constexpr float Bounded(float value, float low, float high) {
  return value >= low && value <= high ? value : (value > high ? high : (value < low ? low : 0.0F));
}

struct Vector {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;

  friend constexpr Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vector operator*(Vector a, float s) { return {a.x * s, a.y * s, a.z * s}; }
};

constexpr float Dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline float Length(Vector a) {
  return std::sqrt(Dot(a, a));
}

/// The part over the ground.
constexpr Vector Level(Vector a) {
  return {a.x, 0.0F, a.z};
}

/// At length one, or `fallback` where there is no direction.
inline Vector Direction(Vector a, Vector fallback) {
  const float length = Length(a);
  return length > 1e-3F ? a * (1.0F / length) : fallback;
}

/// A quarter turn clockwise seen from above.
constexpr Vector RightOf(Vector level) {
  return {-level.z, 0.0F, level.x};
}

/// The angle of the point (x, y), within 1.1e-4 rad. A minimax polynomial over an eighth of the circle.
inline float Angle(float y, float x) {
  const float absX = std::fabs(x);
  const float absY = std::fabs(y);
  const float larger = std::max(absX, absY);
  if (!(larger > 0.0F)) {
    return 0.0F;
  }
  const float ratio = std::min(absX, absY) / larger;
  const float s = ratio * ratio;
  float angle = ratio * (0.99921406F + s * (-0.32117494F + s * (0.14626446F + s * -0.03898651F)));
  angle = absY > absX ? 1.57079633F - angle : angle;
  angle = x < 0.0F ? 3.14159265F - angle : angle;
  return y < 0.0F ? -angle : angle;
}

/// From one level direction to another, radians, positive to the right, within +-pi.
inline float TurnTo(Vector from, Vector to) {
  return Angle(from.x * to.z - from.z * to.x, from.x * to.x + from.z * to.z);
}

}  // namespace muster::basic
