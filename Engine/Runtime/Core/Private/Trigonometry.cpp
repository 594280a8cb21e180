// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Trigonometry.h"

#include <cmath>
#include <cstdint>

namespace muster {
namespace {

// pi/2 in two parts: the first has 33 significant bits, so that its product with a quadrant number below 2^20 is exact.
constexpr double kHalfPiHigh = 0x1.921fb544p+0;
constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;
constexpr double kTwoOverPi = 0.63661977236758134308;
constexpr double kDirectReductionLimit = 1.0e6;

// Both for |x| <= pi/4, error below 1e-11.
double SineSeries(double x) noexcept {
  const double s = x * x;
  return x * (1.0 + s * (-1.0 / 6.0 +
                         s * (1.0 / 120.0 + s * (-1.0 / 5040.0 + s * (1.0 / 362880.0 + s * (-1.0 / 39916800.0))))));
}

double CosineSeries(double x) noexcept {
  const double s = x * x;
  return 1.0 + s * (-1.0 / 2.0 +
                    s * (1.0 / 24.0 +
                         s * (-1.0 / 720.0 + s * (1.0 / 40320.0 + s * (-1.0 / 3628800.0 + s * (1.0 / 479001600.0))))));
}

// For |x| <= tan(pi/8), error below 1e-11.
double ArcTangentSeries(double x) noexcept {
  const double s = x * x;
  double sum = 1.0 / 25.0;
  for (int n = 23; n >= 1; n -= 2) {
    sum = 1.0 / n - s * sum;
  }
  return x * sum;
}

double ArcTangentOfRatio(double smaller, double larger) noexcept {
  constexpr double tangentOfEighth = 0.41421356237309504880;
  const double ratio = smaller / larger;
  if (ratio <= tangentOfEighth) {
    return ArcTangentSeries(ratio);
  }
  return kPiDouble / 4.0 + ArcTangentSeries((ratio - 1.0) / (ratio + 1.0));
}

double AngleOf(double y, double x) noexcept {
  if (std::isnan(x) || std::isnan(y)) {
    return x + y;
  }
  const double absX = std::fabs(x);
  const double absY = std::fabs(y);
  if (absX == 0.0 && absY == 0.0) {
    return 0.0;
  }
  double angle = 0.0;
  if (std::isinf(absX) && std::isinf(absY)) {
    angle = kPiDouble / 4.0;
  } else if (absY <= absX) {
    angle = ArcTangentOfRatio(absY, absX);
  } else {
    angle = kPiDouble / 2.0 - ArcTangentOfRatio(absX, absY);
  }
  if (x < 0.0) {
    angle = kPiDouble - angle;
  }
  return y < 0.0 ? -angle : angle;
}

double ClampToUnit(double value) noexcept {
  // Written so that NaN passes through.
  if (value > 1.0) {
    return 1.0;
  }
  return value < -1.0 ? -1.0 : value;
}

}  // namespace

SineCosine SinCos(float radians) noexcept {
  double angle = static_cast<double>(radians);
  if (!std::isfinite(angle)) {
    const float none = radians - radians;
    return {none, none};
  }
  if (std::fabs(angle) > kDirectReductionLimit) {
    angle = std::fmod(angle, 2.0 * kPiDouble);
  }
  const double quadrantReal = std::floor(angle * kTwoOverPi + 0.5);
  const double rest = (angle - quadrantReal * kHalfPiHigh) - quadrantReal * kHalfPiLow;
  const auto quadrant = static_cast<std::int64_t>(quadrantReal) & 3;
  const double sine = SineSeries(rest);
  const double cosine = CosineSeries(rest);
  switch (quadrant) {
    case 0:
      return {static_cast<float>(sine), static_cast<float>(cosine)};
    case 1:
      return {static_cast<float>(cosine), static_cast<float>(-sine)};
    case 2:
      return {static_cast<float>(-sine), static_cast<float>(-cosine)};
    default:
      return {static_cast<float>(-cosine), static_cast<float>(sine)};
  }
}

float Atan2(float y, float x) noexcept {
  return static_cast<float>(AngleOf(static_cast<double>(y), static_cast<double>(x)));
}

float Acos(float cosine) noexcept {
  const double c = ClampToUnit(static_cast<double>(cosine));
  return static_cast<float>(AngleOf(std::sqrt((1.0 - c) * (1.0 + c)), c));
}

float Asin(float sine) noexcept {
  const double s = ClampToUnit(static_cast<double>(sine));
  return static_cast<float>(AngleOf(s, std::sqrt((1.0 - s) * (1.0 + s))));
}

}  // namespace muster
