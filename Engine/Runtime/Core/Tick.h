// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace muster {

/// The simulation's rate, in ticks a second.
inline constexpr int kTickHz = 60;
/// One tick's length in seconds, for integration.
inline constexpr float kTickSeconds = 1.0f / static_cast<float>(kTickHz);
inline constexpr double kTickSecondsDouble = 1.0 / static_cast<double>(kTickHz);
/// One tick's length for deadlines, rounded up to the nanosecond.
inline constexpr std::chrono::nanoseconds kTickDuration{16'666'667};

/// A number of ticks, or the signed distance between two of them.
using TickCount = std::int64_t;

/// The number of a simulation step. Tick zero is the world before its first step. 64 bits do not wrap. [any]
class Tick {
 public:
  constexpr Tick() noexcept = default;
  constexpr explicit Tick(std::uint64_t value) noexcept : m_value(value) {}

  [[nodiscard]] constexpr std::uint64_t Value() const noexcept { return m_value; }
  [[nodiscard]] constexpr Tick Next() const noexcept { return Tick{m_value + 1}; }

  constexpr Tick& operator++() noexcept {
    ++m_value;
    return *this;
  }
  constexpr Tick& operator+=(TickCount count) noexcept {
    m_value += static_cast<std::uint64_t>(count);
    return *this;
  }
  constexpr Tick& operator-=(TickCount count) noexcept {
    m_value -= static_cast<std::uint64_t>(count);
    return *this;
  }

  friend constexpr Tick operator+(Tick tick, TickCount count) noexcept { return tick += count; }
  friend constexpr Tick operator-(Tick tick, TickCount count) noexcept { return tick -= count; }
  /// How many ticks `left` is after `right`; negative when it is before.
  friend constexpr TickCount operator-(Tick left, Tick right) noexcept {
    return static_cast<TickCount>(left.m_value - right.m_value);
  }
  friend constexpr auto operator<=>(const Tick&, const Tick&) noexcept = default;

 private:
  std::uint64_t m_value = 0;
};

/// When step number `steps` of an undisturbed loop is due, counted from its start. It does not drift from the
/// true rate, which adding up `kTickDuration` would by 20 ns a second. `steps` up to 5e11 (260 years).
[[nodiscard]] constexpr std::chrono::nanoseconds TickOffset(std::uint64_t steps) noexcept {
  constexpr std::uint64_t hz = kTickHz;
  return std::chrono::nanoseconds{
      static_cast<std::int64_t>(steps / hz * 1'000'000'000u + steps % hz * 1'000'000'000u / hz)};
}

}  // namespace muster
