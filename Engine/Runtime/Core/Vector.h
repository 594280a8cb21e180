// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Vectors and rotations as plain structs. Right-handed, +Y up, metres, radians. Everything here is IEEE arithmetic in a
// fixed order, so results are the same bits everywhere as long as the code is built without contraction. [any]
#pragma once

#include "Core/Trigonometry.h"

#include <cmath>

namespace muster {

template <class T>
struct Vec3 {
  T x{};
  T y{};
  T z{};

  constexpr Vec3& operator+=(const Vec3& other) noexcept {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
  constexpr Vec3& operator-=(const Vec3& other) noexcept {
    x -= other.x;
    y -= other.y;
    z -= other.z;
    return *this;
  }
  constexpr Vec3& operator*=(T factor) noexcept {
    x *= factor;
    y *= factor;
    z *= factor;
    return *this;
  }

  friend constexpr Vec3 operator+(Vec3 left, const Vec3& right) noexcept { return left += right; }
  friend constexpr Vec3 operator-(Vec3 left, const Vec3& right) noexcept { return left -= right; }
  friend constexpr Vec3 operator-(const Vec3& v) noexcept { return {-v.x, -v.y, -v.z}; }
  friend constexpr Vec3 operator*(Vec3 v, T factor) noexcept { return v *= factor; }
  friend constexpr Vec3 operator*(T factor, Vec3 v) noexcept { return v *= factor; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) noexcept = default;
};

/// A position in the world, or anything that needs its precision.
using Vec3d = Vec3<double>;
/// A velocity, a direction, an offset within a cell.
using Vec3f = Vec3<float>;

[[nodiscard]] constexpr Vec3f ToFloat(const Vec3d& v) noexcept {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

[[nodiscard]] constexpr Vec3d ToDouble(const Vec3f& v) noexcept {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

template <class T>
[[nodiscard]] constexpr T Dot(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
[[nodiscard]] constexpr Vec3<T> Cross(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
[[nodiscard]] constexpr T LengthSquared(const Vec3<T>& v) noexcept {
  return Dot(v, v);
}

template <class T>
[[nodiscard]] inline T Length(const Vec3<T>& v) noexcept {
  return std::sqrt(LengthSquared(v));
}

/// The vector at length one, or `fallback` for a vector too short to have a direction (also for NaN).
template <class T>
[[nodiscard]] inline Vec3<T> Normalised(const Vec3<T>& v, const Vec3<T>& fallback = {}) noexcept {
  const T length = Length(v);
  return length > static_cast<T>(1e-12) ? v * (static_cast<T>(1) / length) : fallback;
}

/// `a` at zero, `b` at one.
template <class T>
[[nodiscard]] constexpr Vec3<T> Lerp(const Vec3<T>& a, const Vec3<T>& b, T t) noexcept {
  return a + (b - a) * t;
}

/// `v` after `seconds` at a constant velocity.
[[nodiscard]] constexpr Vec3d Integrate(const Vec3d& position, const Vec3f& velocity, double seconds) noexcept {
  return position + ToDouble(velocity) * seconds;
}

/// A rotation. The default is none. Operations expect unit length unless they say otherwise.
struct Quatf {
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float w = 1.0f;

  /// `a * b` rotates by `b` first, then by `a`.
  friend constexpr Quatf operator*(const Quatf& a, const Quatf& b) noexcept {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  }
  friend constexpr bool operator==(const Quatf&, const Quatf&) noexcept = default;
};

[[nodiscard]] constexpr float Dot(const Quatf& a, const Quatf& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// The inverse rotation.
[[nodiscard]] constexpr Quatf Conjugate(const Quatf& q) noexcept {
  return {-q.x, -q.y, -q.z, q.w};
}

/// Any quaternion at length one; no rotation for one too short to have a direction (also for NaN).
[[nodiscard]] inline Quatf Normalised(const Quatf& q) noexcept {
  const float length = std::sqrt(Dot(q, q));
  if (!(length > 1e-12f)) {
    return {};
  }
  const float scale = 1.0f / length;
  return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

/// `axis` has length one; the turn is counter-clockwise when looking against it.
[[nodiscard]] inline Quatf FromAxisAngle(const Vec3f& axis, float radians) noexcept {
  const SineCosine half = SinCos(radians * 0.5f);
  return {axis.x * half.sine, axis.y * half.sine, axis.z * half.sine, half.cosine};
}

[[nodiscard]] constexpr Vec3f Rotate(const Quatf& q, const Vec3f& v) noexcept {
  const Vec3f axis{q.x, q.y, q.z};
  const Vec3f twice = Cross(axis, v) * 2.0f;
  return v + twice * q.w + Cross(axis, twice);
}

/// Turns by an angular velocity (radians per second, world frame) for a time short against a full turn; first order,
/// renormalised.
[[nodiscard]] inline Quatf Integrate(const Quatf& q, const Vec3f& angularVelocity, float seconds) noexcept {
  const float half = 0.5f * seconds;
  const Quatf spin{angularVelocity.x * half, angularVelocity.y * half, angularVelocity.z * half, 0.0f};
  const Quatf change = spin * q;
  return Normalised(Quatf{q.x + change.x, q.y + change.y, q.z + change.z, q.w + change.w});
}

/// The same with the angular velocity in the body's own frame.
[[nodiscard]] inline Quatf IntegrateBody(const Quatf& q, const Vec3f& bodyAngularVelocity, float seconds) noexcept {
  return Integrate(q, Rotate(q, bodyAngularVelocity), seconds);
}

/// Between two rotations along the shorter way, linear and renormalised: right at both ends, at most a few
/// hundredths of the angle off the even speed between rotations up to a quarter turn apart.
[[nodiscard]] inline Quatf Nlerp(const Quatf& a, const Quatf& b, float t) noexcept {
  const float sign = Dot(a, b) < 0.0f ? -1.0f : 1.0f;
  const float s = 1.0f - t;
  const float u = t * sign;
  return Normalised(Quatf{a.x * s + b.x * u, a.y * s + b.y * u, a.z * s + b.z * u, a.w * s + b.w * u});
}

/// How far apart two rotations are, in radians, in [0, pi].
[[nodiscard]] inline float AngleBetween(const Quatf& a, const Quatf& b) noexcept {
  const Quatf difference = Conjugate(a) * b;
  const float sine = Length(Vec3f{difference.x, difference.y, difference.z});
  return 2.0f * Atan2(sine, std::fabs(difference.w));
}

}  // namespace muster
