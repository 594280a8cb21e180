// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Circle functions whose bits do not depend on the C library: only additions, multiplications, divisions, square
// roots and exact remainders of IEEE doubles, rounded to float once at the end. Results are within one unit in the last
// place of the true value for |angle| <= 1e6; beyond that the angle is first reduced by a double 2*pi. Series are the
// plain power series around zero after reduction to an eighth of the circle. NaN and infinite angles give NaN. [any]
#pragma once

namespace muster {

inline constexpr float kPi = 3.14159265358979323846f;
inline constexpr double kPiDouble = 3.14159265358979323846;

struct SineCosine {
  float sine;
  float cosine;
};

[[nodiscard]] SineCosine SinCos(float radians) noexcept;
[[nodiscard]] inline float Sin(float radians) noexcept {
  return SinCos(radians).sine;
}
[[nodiscard]] inline float Cos(float radians) noexcept {
  return SinCos(radians).cosine;
}

/// The angle of the point (x, y), in [-pi, pi]; zero for the origin, whatever the signs of its zeros.
[[nodiscard]] float Atan2(float y, float x) noexcept;

/// The argument is clamped to [-1, 1] first, so that a dot product of unit vectors may go in as it is.
[[nodiscard]] float Acos(float cosine) noexcept;
[[nodiscard]] float Asin(float sine) noexcept;

}  // namespace muster
