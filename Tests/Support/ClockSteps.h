// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"

#include <chrono>

namespace muster::test {

/// Lets `total` pass in steps, the last one shorter if need be, and calls `onStep(now)` after each.
template <class F>
void StepClock(ManualClock& clock, std::chrono::nanoseconds total, std::chrono::nanoseconds step, F&& onStep) {
  const MonotonicTime end = clock.Now() + total;
  while (clock.Now() < end) {
    const std::chrono::nanoseconds left = end - clock.Now();
    clock.Advance(left < step ? left : step);
    onStep(clock.Now());
  }
}

/// A moment so many seconds after a clock's origin.
[[nodiscard]] inline MonotonicTime AtSeconds(double seconds) {
  return MonotonicTime{} + std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace muster::test
