// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How long the last ticks took, phase by phase.
//
//   timings.BeginTick(tick, clock.Now());
//   timings.AddPhase(Phase::Ai, spent);          // several stages may share a phase
//   timings.EndTick(clock.Now());
//   const TickSummary summary = timings.Summarise();   // on another thread, e.g. for the metrics file
//
// One thread records ([sim]), any thread summarises ([any]). Recording neither locks nor allocates; a summary copies
// the ring and leaves out what was overwritten meanwhile, so it never stalls a tick.
#pragma once

#include "Core/Clock.h"
#include "Core/Tick.h"
#include "Telemetry/Phase.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace muster::telemetry {

/// Milliseconds over the ticks of the window. Percentiles are nearest-rank.
struct DurationStats {
  double min = 0;
  double mean = 0;
  double max = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
};

struct TickSummary {
  std::uint64_t ticksTotal = 0;  ///< Since start.
  std::size_t ticksSampled = 0;  ///< In the window; the statistics below are over these.
  double windowSeconds = 0;      ///< From the start of the first sampled tick to the start of the last.
  double tickHz = 0;             ///< Over the window; 0 with fewer than two ticks.
  DurationStats tick;
  std::array<std::optional<DurationStats>, kPhaseCount> phases;  ///< Empty for a phase that no stage reports.
  std::optional<DurationStats> other;                            ///< Tick minus the sum of its phases, at least 0.
};

/// One tick's times, for live displays.
struct TickSample {
  Tick tick;
  std::chrono::nanoseconds total{0};
  std::array<std::chrono::nanoseconds, kPhaseCount> phases{};
};

class TickTimings {
 public:
  /// `windowTicks`: how many ticks a summary looks back at most; 3,600 is a minute.
  explicit TickTimings(std::size_t windowTicks = 3'600);

  /// Announces that a stage reports this phase, so that it shows as 0 rather than as absent. [main] before the first
  /// tick.
  void Announce(Phase phase);

  /// [sim]
  void BeginTick(Tick tick, MonotonicTime start);
  void AddPhase(Phase phase, std::chrono::nanoseconds spent);
  void EndTick(MonotonicTime end);

  /// Over the newest `lastTicks` ticks of the window (0: all). [any]
  [[nodiscard]] TickSummary Summarise(std::size_t lastTicks = 0) const;

  /// The newest finished tick. [any]
  [[nodiscard]] std::optional<TickSample> Newest() const;

 private:
  struct Entry {
    std::atomic<std::uint64_t> tick{0};
    std::atomic<std::int64_t> startNanos{0};
    std::atomic<std::int64_t> totalNanos{0};
    std::array<std::atomic<std::int64_t>, kPhaseCount> phaseNanos{};
  };
  struct Copy;
  bool ReadEntry(std::uint64_t index, Copy& copy) const;

  std::size_t m_windowTicks;
  std::size_t m_ringSize;  ///< Power of two, more than the window, so that a reader has room before it is overrun.
  std::unique_ptr<Entry[]> m_ring;
  std::atomic<std::uint64_t> m_finished{0};
  std::atomic<std::uint32_t> m_announced{0};
  Tick m_tick;
  MonotonicTime m_start{};
  std::array<std::chrono::nanoseconds, kPhaseCount> m_current{};
};

}  // namespace muster::telemetry
