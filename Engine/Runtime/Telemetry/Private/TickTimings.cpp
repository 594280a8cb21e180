// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Telemetry/TickTimings.h"

#include "Core/Assert.h"
#include "Telemetry/Percentile.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace muster::telemetry {

std::string_view PhaseName(Phase phase) {
  static constexpr std::array<std::string_view, kPhaseCount> kNames{"maintenance", "sensing", "ai",       "integrate",
                                                                    "collision",   "weapons", "serialize"};
  return kNames[static_cast<std::size_t>(phase)];
}

namespace {

constexpr double kNanosPerMilli = 1e6;

/// Sorts `nanos`.
DurationStats StatsOf(std::vector<std::int64_t>& nanos) {
  std::sort(nanos.begin(), nanos.end());
  double sum = 0;
  for (const std::int64_t value : nanos) {
    sum += static_cast<double>(value);
  }
  const auto at = [&nanos](std::size_t index) { return static_cast<double>(nanos[index]) / kNanosPerMilli; };
  DurationStats stats;
  stats.min = at(0);
  stats.mean = sum / static_cast<double>(nanos.size()) / kNanosPerMilli;
  stats.max = at(nanos.size() - 1);
  stats.p50 = at(NearestRank(nanos.size(), 0.50));
  stats.p95 = at(NearestRank(nanos.size(), 0.95));
  stats.p99 = at(NearestRank(nanos.size(), 0.99));
  return stats;
}

}  // namespace

struct TickTimings::Copy {
  std::uint64_t tick = 0;
  std::int64_t startNanos = 0;
  std::int64_t totalNanos = 0;
  std::array<std::int64_t, kPhaseCount> phaseNanos{};
};

TickTimings::TickTimings(std::size_t windowTicks)
    : m_windowTicks(windowTicks),
      m_ringSize(std::bit_ceil(windowTicks + windowTicks / 8 + 16)),
      m_ring(std::make_unique<Entry[]>(m_ringSize)) {
  MUSTER_ASSERT(windowTicks > 0, "a window of no ticks summarises nothing");
}

void TickTimings::Announce(Phase phase) {
  m_announced.fetch_or(1U << static_cast<unsigned>(phase), std::memory_order_relaxed);
}

void TickTimings::BeginTick(Tick tick, MonotonicTime start) {
  m_tick = tick;
  m_start = start;
  m_current.fill(std::chrono::nanoseconds{0});
}

void TickTimings::AddPhase(Phase phase, std::chrono::nanoseconds spent) {
  m_current[static_cast<std::size_t>(phase)] += spent;
}

void TickTimings::EndTick(MonotonicTime end) {
  // A reader may copy this very entry while it is overwritten, and must notice. It reads a field with acquire; should
  // it see what is released here, it also sees the count that was published before, which tells that the entry is being
  // reused. (Fences would say the same, but the thread sanitizer does not model them.)
  const std::uint64_t index = m_finished.load(std::memory_order_relaxed);
  Entry& entry = m_ring[index & (m_ringSize - 1)];
  entry.tick.store(m_tick.Value(), std::memory_order_release);
  entry.startNanos.store(m_start.time_since_epoch().count(), std::memory_order_release);
  entry.totalNanos.store((end - m_start).count(), std::memory_order_release);
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    entry.phaseNanos[i].store(m_current[i].count(), std::memory_order_release);
  }
  m_finished.store(index + 1, std::memory_order_release);
}

bool TickTimings::ReadEntry(std::uint64_t index, Copy& copy) const {
  const Entry& entry = m_ring[index & (m_ringSize - 1)];
  copy.tick = entry.tick.load(std::memory_order_acquire);
  copy.startNanos = entry.startNanos.load(std::memory_order_acquire);
  copy.totalNanos = entry.totalNanos.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    copy.phaseNanos[i] = entry.phaseNanos[i].load(std::memory_order_acquire);
  }
  // The writer of index + ringSize starts when `finished` equals that; until then the copy is whole.
  return m_finished.load(std::memory_order_relaxed) < index + m_ringSize;
}

TickSummary TickTimings::Summarise(std::size_t lastTicks) const {
  const std::uint64_t finished = m_finished.load(std::memory_order_acquire);
  const std::size_t wanted = lastTicks == 0 ? m_windowTicks : std::min(lastTicks, m_windowTicks);
  const std::uint64_t first = finished > wanted ? finished - wanted : 0;

  TickSummary summary;
  summary.ticksTotal = finished;
  std::vector<Copy> copies;
  copies.reserve(static_cast<std::size_t>(finished - first));
  for (std::uint64_t index = first; index < finished; ++index) {
    Copy copy;
    if (ReadEntry(index, copy)) {
      copies.push_back(copy);
    }
  }
  summary.ticksSampled = copies.size();
  if (copies.empty()) {
    return summary;
  }

  const double windowNanos = static_cast<double>(copies.back().startNanos - copies.front().startNanos);
  summary.windowSeconds = windowNanos / 1e9;
  if (copies.size() > 1 && windowNanos > 0) {
    summary.tickHz = static_cast<double>(copies.size() - 1) / summary.windowSeconds;
  }

  std::vector<std::int64_t> nanos(copies.size());
  const auto fill = [&](auto&& valueOf) {
    std::transform(copies.begin(), copies.end(), nanos.begin(), valueOf);
    return StatsOf(nanos);
  };
  summary.tick = fill([](const Copy& copy) { return copy.totalNanos; });
  const std::uint32_t announced = m_announced.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    if ((announced & (1U << i)) != 0) {
      summary.phases[i] = fill([i](const Copy& copy) { return copy.phaseNanos[i]; });
    }
  }
  summary.other = fill([](const Copy& copy) {
    std::int64_t rest = copy.totalNanos;
    for (const std::int64_t phase : copy.phaseNanos) {
      rest -= phase;
    }
    return std::max<std::int64_t>(rest, 0);
  });
  return summary;
}

std::optional<TickSample> TickTimings::Newest() const {
  const std::uint64_t finished = m_finished.load(std::memory_order_acquire);
  Copy copy;
  if (finished == 0 || !ReadEntry(finished - 1, copy)) {
    return std::nullopt;
  }
  TickSample sample;
  sample.tick = Tick{copy.tick};
  sample.total = std::chrono::nanoseconds{copy.totalNanos};
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    sample.phases[i] = std::chrono::nanoseconds{copy.phaseNanos[i]};
  }
  return sample;
}

}  // namespace muster::telemetry
