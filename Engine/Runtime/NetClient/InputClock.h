// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which server tick a client's next control is for. The client runs ahead of the server by what the line takes and the
// server's fill target, so that each control arrives just before the tick that needs it.
//
//   clock.Start(serverTick, now, roundTrip);              // with the first snapshot
//   clock.OnFeedback(margin, now, roundTrip);             // with every later one: the server says how early input came
//   const std::uint32_t due = clock.Advance(now);         // how many ticks' controls are due; the newest is Newest()
//
// Corrections are slewed, at most 2 % of the rate. An error of several ticks that eight answers in a row agree on (a
// server that stood still, a line that changed, a wrong start) is jumped over instead, so that no delay stands for
// longer than a second. Rates are of monotonic time; a step of the wall clock changes nothing.
//
// Threads: a value; one at a time.
#pragma once

#include "Core/Clock.h"
#include "Core/Tick.h"

#include <chrono>
#include <cstdint>

namespace muster::netclient {

class InputClock {
 public:
  /// Most ticks that one Advance reports; a client that was stopped for longer gives up the rest.
  static constexpr std::uint32_t kMaxDue = 8;

  void Start(Tick serverTick, MonotonicTime now, std::chrono::microseconds roundTrip);
  [[nodiscard]] bool IsRunning() const { return m_isRunning; }

  /// `marginOverTarget` as the snapshot has it, in ticks: negative means late.
  void OnFeedback(std::int8_t marginOverTarget, MonotonicTime now, std::chrono::microseconds roundTrip);

  /// Lets time pass; 0..kMaxDue.
  std::uint32_t Advance(MonotonicTime now);

  /// The tick the newest due control is for.
  [[nodiscard]] Tick Newest() const { return Tick{m_newest}; }

  /// How long ago, as of the last Advance, the newest control was due.
  [[nodiscard]] std::chrono::nanoseconds Overdue() const;

  /// Current deviation of the rate from 1; for displays and tests.
  [[nodiscard]] double Slew() const { return m_slew; }
  [[nodiscard]] std::uint64_t Jumps() const { return m_jumps; }

 private:
  void JumpBy(int ticks, MonotonicTime now, std::chrono::microseconds roundTrip);

  bool m_isRunning = false;
  std::uint64_t m_newest = 0;
  double m_phase = 0;  ///< ticks towards the next, 0..1
  double m_slew = 0;
  double m_error = 0;     ///< smoothed margin over target, ticks
  int m_leastMargin = 0;  ///< of the answers since the last look
  int m_mostMargin = 0;
  std::uint32_t m_agreeing = 0;
  MonotonicTime m_last{};
  MonotonicTime m_deafUntil{};  ///< feedback before then speaks of the time before a jump
  std::uint64_t m_jumps = 0;
};

}  // namespace muster::netclient
