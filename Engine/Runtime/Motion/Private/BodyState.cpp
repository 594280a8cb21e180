// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Motion/BodyState.h"

#include <algorithm>
#include <cmath>

namespace muster::motion {
namespace {

float Clamped(float value, float low, float high) noexcept {
  return std::isfinite(value) ? std::clamp(value, low, high) : 0.0F;
}

}  // namespace

Control Sanitised(const Control& control) noexcept {
  return {Clamped(control.throttle, 0.0F, 1.0F), Clamped(control.elevator, -1.0F, 1.0F),
          Clamped(control.aileron, -1.0F, 1.0F), Clamped(control.rudder, -1.0F, 1.0F), control.afterburner};
}

}  // namespace muster::motion
