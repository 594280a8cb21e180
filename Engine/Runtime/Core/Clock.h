// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Time that only goes forward. Whoever measures or waits takes an `IClock&`, so that a server and its clients also
// run in one process on virtual time and tests never sleep.
#pragma once

#include <atomic>
#include <chrono>

namespace muster {

/// Tags the engine's time points so that they cannot be mixed with those of `std::chrono::steady_clock`.
/// It has no `now()`: time comes from an `IClock`.
struct MonotonicTimeline {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<MonotonicTimeline, duration>;
  static constexpr bool is_steady = true;
};

/// A moment on a clock's own timeline; only differences mean anything.
using MonotonicTime = MonotonicTimeline::time_point;

class IClock {
 public:
  virtual ~IClock() = default;

  /// Never less than an earlier answer. [any]
  [[nodiscard]] virtual MonotonicTime Now() const = 0;

  /// Returns when `Now() >= deadline`, at once if it is past. [any]
  virtual void SleepUntil(MonotonicTime deadline) = 0;
};

/// The machine's monotonic clock. Sleeps against an absolute deadline, so a loop's period does not creep, and goes
/// back to sleep after a signal. [any]
class SteadyClock final : public IClock {
 public:
  [[nodiscard]] MonotonicTime Now() const override;
  void SleepUntil(MonotonicTime deadline) override;
};

/// Virtual time for tests and in-process simulation. Sleeping is what lets time pass: `SleepUntil` moves the clock
/// to the deadline and returns. Thread-safe; with several sleepers the clock is at the latest deadline asked for. [any]
class ManualClock final : public IClock {
 public:
  explicit ManualClock(MonotonicTime start = MonotonicTime{}) noexcept : m_now(start.time_since_epoch().count()) {}

  [[nodiscard]] MonotonicTime Now() const override;
  void SleepUntil(MonotonicTime deadline) override;

  /// Lets `duration` pass; it must not be negative.
  void Advance(std::chrono::nanoseconds duration);

 private:
  std::atomic<std::chrono::nanoseconds::rep> m_now;
};

}  // namespace muster
