// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetClient/InputClock.h"

#include "Core/Clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace muster::netclient {
namespace {

using namespace std::chrono_literals;

/// A server that ticks beside the client's clock, with a line between them.
class Line {
 public:
  explicit Line(std::chrono::milliseconds oneWay) : m_oneWay(oneWay) {}

  void Run(InputClock& clock, std::chrono::nanoseconds duration) {
    const MonotonicTime end = m_now + duration;
    for (; m_now < end; m_now += 1ms) {
      if (m_now < m_frozenUntil) {
        m_serverLag += 1ms;
      }
      if (!clock.IsRunning()) {
        clock.Start(ServerTick(m_now - m_oneWay), m_now, RoundTrip());
      }
      if (clock.Advance(m_now) > 0) {
        m_underWay.push_back({m_now + m_oneWay, clock.Newest()});
      }
      while (!m_underWay.empty() && m_underWay.front().at <= m_now) {
        m_margin = m_underWay.front().tick - ServerTick(m_now);
        m_underWay.pop_front();
        m_feedback.push_back({m_now + m_oneWay, m_margin});
      }
      while (!m_feedback.empty() && m_feedback.front().at <= m_now) {
        const auto over = std::clamp<std::int64_t>(m_feedback.front().margin - kTarget, -128, 127);
        clock.OnFeedback(static_cast<std::int8_t>(over), m_now, RoundTrip());
        m_feedback.pop_front();
      }
    }
  }

  void Freeze(std::chrono::nanoseconds duration) { m_frozenUntil = m_now + duration; }
  std::int64_t Margin() const { return m_margin; }
  static constexpr std::int64_t kTarget = 2;

 private:
  std::chrono::microseconds RoundTrip() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(2 * m_oneWay);
  }

  struct Input {
    MonotonicTime at{};
    Tick tick{};
  };
  struct Feedback {
    MonotonicTime at{};
    std::int64_t margin = 0;
  };
  Tick ServerTick(MonotonicTime at) const {
    const auto since = at.time_since_epoch() - m_serverLag;
    return Tick{static_cast<std::uint64_t>(1'000 + since / kTickDuration)};
  }

  std::chrono::nanoseconds m_oneWay;
  MonotonicTime m_now{1s};
  MonotonicTime m_frozenUntil{};
  std::chrono::nanoseconds m_serverLag{0};
  std::deque<Input> m_underWay;
  std::deque<Feedback> m_feedback;
  std::int64_t m_margin = 0;
};

TEST(InputClock, SettlesAtTheTargetOnEveryLine) {
  for (const auto oneWay : {0ms, 15ms, 50ms, 150ms, 400ms}) {
    InputClock clock;
    Line line{oneWay};
    line.Run(clock, 20s);
    EXPECT_LE(std::abs(line.Margin() - Line::kTarget), 1) << oneWay.count() << " ms";
    EXPECT_LE(std::abs(clock.Slew()), 0.02);
  }
}

TEST(InputClock, StaysSettled) {
  InputClock clock;
  Line line{50ms};
  line.Run(clock, 20s);
  const std::uint64_t jumps = clock.Jumps();
  for (int second = 0; second < 60; ++second) {
    line.Run(clock, 1s);
    EXPECT_LE(std::abs(line.Margin() - Line::kTarget), 1);
  }
  EXPECT_EQ(clock.Jumps(), jumps);
}

TEST(InputClock, JumpsOverAServerThatStoodStillWithinASecond) {
  InputClock clock;
  Line line{25ms};
  line.Run(clock, 10s);
  line.Freeze(2s);
  line.Run(clock, 2s);
  line.Run(clock, 1s);
  EXPECT_LE(std::abs(line.Margin() - Line::kTarget), 2);
  EXPECT_GE(clock.Jumps(), 1U);
}

TEST(InputClock, GivesUpWhatALongStopMissed) {
  InputClock clock;
  clock.Start(Tick{100}, MonotonicTime{1s}, 0us);
  EXPECT_EQ(clock.Advance(MonotonicTime{6s}), InputClock::kMaxDue);
  EXPECT_EQ(clock.Newest(), Tick{401});
  EXPECT_EQ(clock.Advance(MonotonicTime{6s}), 0U);
  EXPECT_EQ(clock.Advance(MonotonicTime{5s}), 0U);
}

TEST(InputClock, TellsHowLongTheNewestHasBeenDue) {
  InputClock clock;
  clock.Start(Tick{100}, MonotonicTime{1s}, 0us);
  ASSERT_EQ(clock.Advance(MonotonicTime{1s} + kTickDuration + 3ms), 1U);
  EXPECT_NEAR(static_cast<double>(clock.Overdue().count()), 3e6, 1e3);
}

TEST(InputClock, JumpsAtTheEndsOfTimeToo) {
  for (const std::uint64_t start : {std::uint64_t{1}, (std::uint64_t{1} << 63U) - 10, ~std::uint64_t{0} - 10}) {
    InputClock clock;
    MonotonicTime now{};
    clock.Start(Tick{start}, now, {});
    for (const std::int8_t margin : {std::int8_t{127}, std::int8_t{-128}}) {
      now += std::chrono::seconds{1};
      const std::uint64_t jumps = clock.Jumps();
      for (int answers = 0; answers < 8; ++answers) {
        clock.OnFeedback(margin, now, {});
      }
      EXPECT_EQ(clock.Jumps(), jumps + 1);
    }
  }
}

}  // namespace
}  // namespace muster::netclient
