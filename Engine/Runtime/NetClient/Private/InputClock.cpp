// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetClient/InputClock.h"

#include <algorithm>
#include <cmath>

namespace muster::netclient {

namespace {

constexpr double kMaxSlew = 0.02;
/// Slew per tick of error. The loop closes over one round trip, so the gain keeps it stable up to about a second of
/// that.
constexpr double kGain = 0.01;
constexpr double kSmoothing = 1.0 / 8.0;
/// So many answers in a row must agree on an error before it is jumped over: jitter comes and goes.
constexpr std::uint32_t kAgreeing = 8;
constexpr int kJumpEarlyTicks = 5;
constexpr int kJumpLateTicks = 3;
constexpr std::chrono::milliseconds kSettleTime{100};

std::uint64_t TicksIn(std::chrono::microseconds duration) {
  return static_cast<std::uint64_t>(std::ceil(std::chrono::duration<double>(duration).count() * kTickHz));
}

}  // namespace

void InputClock::Start(Tick serverTick, MonotonicTime now, std::chrono::microseconds roundTrip) {
  // The snapshot took half a round trip to get here and the control takes the other half back; one tick to be in time.
  m_newest = serverTick.Value() + TicksIn(roundTrip) + 1;
  m_phase = 0;
  m_slew = 0;
  m_error = 0;
  m_last = now;
  m_deafUntil = now + roundTrip + kSettleTime;
  m_isRunning = true;
}

void InputClock::OnFeedback(std::int8_t marginOverTarget, MonotonicTime now, std::chrono::microseconds roundTrip) {
  if (!m_isRunning || now < m_deafUntil) {
    return;
  }
  const int margin = marginOverTarget;
  m_leastMargin = m_agreeing == 0 ? margin : std::min(m_leastMargin, margin);
  m_mostMargin = m_agreeing == 0 ? margin : std::max(m_mostMargin, margin);
  if (++m_agreeing == kAgreeing) {
    m_agreeing = 0;
    // Never further than the least of them, so that a jump cannot overshoot.
    if (m_leastMargin >= kJumpEarlyTicks) {
      JumpBy(-m_leastMargin, now, roundTrip);
      return;
    }
    if (m_mostMargin <= -kJumpLateTicks) {
      JumpBy(-m_mostMargin, now, roundTrip);
      return;
    }
  }
  m_error += (static_cast<double>(marginOverTarget) - m_error) * kSmoothing;
  m_slew = std::clamp(-m_error * kGain, -kMaxSlew, kMaxSlew);
}

void InputClock::JumpBy(int ticks, MonotonicTime now, std::chrono::microseconds roundTrip) {
  // In unsigned numbers, which wrap: a server may claim any tick.
  const auto distance = static_cast<std::uint64_t>(ticks < 0 ? -ticks : ticks);
  m_newest = ticks >= 0 ? m_newest + distance : m_newest > distance ? m_newest - distance : 1;
  m_error = 0;
  m_slew = 0;
  m_deafUntil = now + roundTrip + kSettleTime;
  ++m_jumps;
}

std::uint32_t InputClock::Advance(MonotonicTime now) {
  if (!m_isRunning || now <= m_last) {
    return 0;
  }
  const double seconds = std::chrono::duration<double>(now - m_last).count();
  m_last = now;
  m_phase += seconds * kTickHz * (1.0 + m_slew);
  const double whole = std::floor(m_phase);
  m_phase -= whole;
  m_newest += static_cast<std::uint64_t>(whole);
  return static_cast<std::uint32_t>(std::min(whole, static_cast<double>(kMaxDue)));
}

std::chrono::nanoseconds InputClock::Overdue() const {
  return std::chrono::nanoseconds{static_cast<std::int64_t>(m_phase / (kTickHz * (1.0 + m_slew)) * 1e9)};
}

}  // namespace muster::netclient
