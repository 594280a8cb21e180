// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/FixedStepLoop.h"

#include "Core/Assert.h"

#include <algorithm>

namespace muster::simulation {
namespace {

constexpr std::uint64_t kNanosPerSecond = 1'000'000'000;
constexpr std::uint64_t kHz = static_cast<std::uint64_t>(kTickHz);

/// Rounded up, so that a clock that reads exactly this has the tick due.
constexpr std::uint64_t NanosOfStep(std::uint64_t step) {
  return step / kHz * kNanosPerSecond + (step % kHz * kNanosPerSecond + kHz - 1) / kHz;
}

/// The greatest step whose NanosOfStep is not beyond `nanos`.
constexpr std::uint64_t StepAtNanos(std::uint64_t nanos) {
  return nanos / kNanosPerSecond * kHz + nanos % kNanosPerSecond * kHz / kNanosPerSecond;
}

}  // namespace

FixedStepLoop::FixedStepLoop(IClock& clock, const FixedStepConfig& config)
    : m_clock{clock}, m_maxCatchupTicks{config.maxCatchupTicks}, m_start{clock.Now()} {
  MUSTER_ASSERT(config.maxCatchupTicks >= 1, "a loop that may run no tick");
}

void FixedStepLoop::Resynchronise() {
  m_start = m_clock.Now();
  m_scheduled = 0;
}

MonotonicTime FixedStepLoop::DeadlineOf(std::uint64_t scheduled) const {
  return m_start + std::chrono::nanoseconds{static_cast<std::int64_t>(NanosOfStep(scheduled))};
}

std::uint32_t FixedStepLoop::TakeDue() {
  const auto elapsed = static_cast<std::uint64_t>((m_clock.Now() - m_start).count());
  const std::uint64_t due = std::max<std::uint64_t>(StepAtNanos(elapsed), m_scheduled + 1) - m_scheduled;
  const std::uint64_t taken = std::min<std::uint64_t>(due, m_maxCatchupTicks);
  // The dropped steps are taken off at once, so that those that run are not late by what was given up.
  m_scheduled += due - taken;
  m_dropped.fetch_add(due - taken, std::memory_order_relaxed);
  return static_cast<std::uint32_t>(taken);
}

void FixedStepLoop::NoteStart() {
  ++m_scheduled;
  if (m_clock.Now() - DeadlineOf(m_scheduled) > kTickDuration / 4) {
    m_late.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace muster::simulation
