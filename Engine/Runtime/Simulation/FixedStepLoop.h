// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// When the next tick is due, and how many at once.
//
//   FixedStepLoop loop{clock, {.maxCatchupTicks = 3}};
//   while (!isStopping) {
//     loop.Step([&](Tick tick) { pipeline.RunTick(...); });   // sleeps until a tick is due, then runs what is due
//   }
//
// Tick n of an undisturbed loop is due n/60 s after the start, computed from the start and never summed up, so the rate
// does not drift. A loop that is late runs at most `maxCatchupTicks` at once; the time beyond that is dropped: ticks
// keep their numbers, the schedule moves, and the count of what was lost is a metric.
//
// Threads: the caller owns the thread; Step and Resynchronise are [sim], the counters [any].
#pragma once

#include "Core/Clock.h"
#include "Core/Tick.h"

#include <atomic>
#include <cstdint>
#include <utility>

namespace muster::simulation {

struct FixedStepConfig {
  /// How many ticks one Step may run; at least 1.
  std::uint32_t maxCatchupTicks = 3;
};

class FixedStepLoop {
 public:
  /// `clock` outlives the loop. Tick 1 is due one step from now.
  FixedStepLoop(IClock& clock, const FixedStepConfig& config = {});

  /// Sleeps until a tick is due and runs `body(Tick)` for each that is. Returns how many ran, at least 1.
  template <class Body>
  std::uint32_t Step(Body&& body) {
    m_clock.SleepUntil(NextDeadline());
    const std::uint32_t due = TakeDue();
    for (std::uint32_t i = 0; i < due; ++i) {
      ++m_tick;
      NoteStart();
      body(m_tick);
    }
    return due;
  }

  /// Forgets the time that passed without Step (a pause): the next tick is due one step from now and nothing is
  /// dropped.
  void Resynchronise();

  /// The last tick that was begun; 0 before the first.
  [[nodiscard]] Tick Current() const { return m_tick; }
  [[nodiscard]] MonotonicTime NextDeadline() const { return DeadlineOf(m_scheduled + 1); }

  /// Ticks whose time was dropped since start. [any]
  [[nodiscard]] std::uint64_t DroppedTicks() const { return m_dropped.load(std::memory_order_relaxed); }
  /// Ticks that began more than a quarter step after they were due. [any]
  [[nodiscard]] std::uint64_t LateTicks() const { return m_late.load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] MonotonicTime DeadlineOf(std::uint64_t scheduled) const;
  /// How many ticks to run now; takes dropped time off the schedule.
  std::uint32_t TakeDue();
  void NoteStart();

  IClock& m_clock;
  const std::uint32_t m_maxCatchupTicks;
  MonotonicTime m_start;
  std::uint64_t m_scheduled = 0;  ///< steps since m_start that were run or dropped
  Tick m_tick;
  std::atomic<std::uint64_t> m_dropped{0};
  std::atomic<std::uint64_t> m_late{0};
};

}  // namespace muster::simulation
