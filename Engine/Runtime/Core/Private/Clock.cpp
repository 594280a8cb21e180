// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Clock.h"

#include "Core/Assert.h"

#include <cerrno>
#include <ctime>

namespace muster {
namespace {

constexpr std::chrono::nanoseconds::rep kNanosecondsPerSecond = 1'000'000'000;

}  // namespace

MonotonicTime SteadyClock::Now() const {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return MonotonicTime{std::chrono::nanoseconds{now.tv_sec * kNanosecondsPerSecond + now.tv_nsec}};
}

void SteadyClock::SleepUntil(MonotonicTime deadline) {
  const auto nanoseconds = deadline.time_since_epoch().count();
  if (nanoseconds <= 0) {
    return;
  }
  timespec until{};
  until.tv_sec = nanoseconds / kNanosecondsPerSecond;
  until.tv_nsec = nanoseconds % kNanosecondsPerSecond;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

MonotonicTime ManualClock::Now() const {
  return MonotonicTime{std::chrono::nanoseconds{m_now.load(std::memory_order_acquire)}};
}

void ManualClock::SleepUntil(MonotonicTime deadline) {
  const auto target = deadline.time_since_epoch().count();
  auto now = m_now.load(std::memory_order_relaxed);
  while (now < target && !m_now.compare_exchange_weak(now, target, std::memory_order_acq_rel)) {
  }
}

void ManualClock::Advance(std::chrono::nanoseconds duration) {
  MUSTER_ASSERT(duration.count() >= 0, "time does not go back");
  m_now.fetch_add(duration.count(), std::memory_order_acq_rel);
}

}  // namespace muster
