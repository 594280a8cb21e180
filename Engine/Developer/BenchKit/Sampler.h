// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Takes samples of a group's cases in turn.
//
//   const std::vector<Summary> summaries = SampleGroup(group, options, clock, [] { return g_stop.load(); });
//
// In each round every case that still has time is sampled once, in an order that is drawn anew (seeded) for each round,
// so no case always runs behind the same other. A case is done when it has spent its share of the group's time or has
// the samples it may take; it has at least `minSamples` then, unless it was stopped or has spent ten times its share, when
// three are enough.
//
// A sample in which the scheduler took the core away is set aside and counts only when the machine leaves too few others.
#pragma once

#include "BenchKit/Case.h"
#include "BenchKit/Statistics.h"
#include "Core/Clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace muster::bench {

struct SamplerOptions {
  /// Of one case: for how long it may be sampled, what it needs beforehand not counted.
  std::chrono::nanoseconds caseTime = std::chrono::milliseconds(60);
  std::size_t minSamples = 9;
  std::size_t maxSamples = 151;
  /// Of one sample of a hot case, roughly.
  std::chrono::nanoseconds hotSampleTime = std::chrono::microseconds(400);
  /// The least a sample of a tick case takes; shorter passes are repeated so that the clock's own price does not count.
  std::chrono::nanoseconds tickSampleTime = std::chrono::microseconds(10);
  std::uint64_t seed = 1;
};

/// One summary a case, in nanoseconds a unit. A case that was stopped before its first sample has none (`samples` 0).
/// [main]
std::vector<Summary> SampleGroup(const Group& group, const SamplerOptions& options, const IClock& clock,
                                 const std::function<bool()>& isStopping);

}  // namespace muster::bench
