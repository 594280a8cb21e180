// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/InputBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace muster::sessions {
namespace {

/// A control that says which tick it is for.
protocol::ControlSample SampleFor(Tick tick) {
  protocol::ControlSample sample;
  sample.throttle = static_cast<std::uint16_t>(tick.Value());
  return sample;
}

protocol::InputMessage MessageUpTo(Tick newest, std::uint8_t count) {
  protocol::InputMessage message;
  message.newestTick = newest;
  message.controlCount = count;
  for (std::uint8_t i = 0; i < count; ++i) {
    message.controls[i] = SampleFor(newest - (count - 1 - i));
  }
  return message;
}

/// Gives every message the next packet sequence.
class Sender {
 public:
  explicit Sender(InputBuffer& buffer) : m_buffer(buffer) {}
  void Receive(const protocol::InputMessage& message, Tick serverTick) {
    m_buffer.Receive(message, ++m_sequence, serverTick);
  }

 private:
  InputBuffer& m_buffer;
  std::uint32_t m_sequence = 0;
};

bool IsFor(const InputBuffer::Taken& taken, Tick tick) {
  return protocol::Quantise(taken.control).throttle == static_cast<std::uint16_t>(tick.Value());
}

TEST(InputBuffer, GivesEachTickItsOwnControl) {
  InputBuffer buffer{{}};
  Sender sender{buffer};
  for (std::uint64_t t = 100; t < 400; ++t) {
    sender.Receive(MessageUpTo(Tick{t + 2}, 3), Tick{t - 1});
    const auto taken = buffer.Take(Tick{t});
    EXPECT_TRUE(taken.isFresh) << t;
    EXPECT_TRUE(IsFor(taken, Tick{t})) << t;
  }
  EXPECT_EQ(buffer.Stats().repeated, 0U);
  EXPECT_EQ(buffer.NewestApplied(), Tick{399});
}

TEST(InputBuffer, IsNeutralBeforeTheFirstControl) {
  InputBuffer buffer{{}};
  const auto taken = buffer.Take(Tick{5});
  EXPECT_FALSE(taken.isFresh);
  EXPECT_EQ(taken.control.throttle, 0.0F);
  EXPECT_EQ(buffer.Stats().repeated, 0U);
}

TEST(InputBuffer, RedundancyCoversLostMessages) {
  InputBuffer buffer{{}};
  Sender sender{buffer};
  for (std::uint64_t t = 100; t < 400; ++t) {
    if (t % 4 == 0) {  // three of four are lost
      sender.Receive(MessageUpTo(Tick{t + 4}, 8), Tick{t - 1});
    }
    const auto taken = buffer.Take(Tick{t});
    if (t >= 104) {
      EXPECT_TRUE(taken.isFresh) << t;
      EXPECT_TRUE(IsFor(taken, Tick{t})) << t;
    }
  }
}

TEST(InputBuffer, RepeatsTheLastControlThenLetsGo) {
  InputBufferConfig config;
  config.maxHeldTicks = 10;
  InputBuffer buffer{config};
  Sender sender{buffer};
  sender.Receive(MessageUpTo(Tick{100}, 1), Tick{99});
  EXPECT_TRUE(buffer.Take(Tick{100}).isFresh);
  for (std::uint64_t t = 101; t <= 110; ++t) {
    EXPECT_TRUE(IsFor(buffer.Take(Tick{t}), Tick{100}));
  }
  EXPECT_EQ(buffer.Take(Tick{111}).control.throttle, 0.0F);
  EXPECT_EQ(buffer.Stats().repeated, 11U);
}

TEST(InputBuffer, ABurstLeavesNoStandingDelay) {
  InputBuffer buffer{{}};
  Sender sender{buffer};
  // Two seconds of silence, then everything at once: what is applied next is for the tick at hand, not the oldest
  // waiting.
  for (std::uint64_t t = 100; t <= 220; t += 8) {
    sender.Receive(MessageUpTo(Tick{t}, 8), Tick{219});
  }
  sender.Receive(MessageUpTo(Tick{222}, 8), Tick{219});
  const auto taken = buffer.Take(Tick{220});
  EXPECT_TRUE(taken.isFresh);
  EXPECT_TRUE(IsFor(taken, Tick{220}));
}

TEST(InputBuffer, CountsWhatIsLateAndWhatIsFarAhead) {
  InputBuffer buffer{{}};
  Sender sender{buffer};
  sender.Receive(MessageUpTo(Tick{50}, 1), Tick{60});
  EXPECT_EQ(buffer.Stats().late, 1U);
  sender.Receive(MessageUpTo(Tick{60 + 64}, 1), Tick{60});
  EXPECT_EQ(buffer.Stats().tooEarly, 1U);
  sender.Receive(MessageUpTo(Tick{60 + 65 + 1'000'000}, 8), Tick{60});
  EXPECT_EQ(buffer.Stats().tooEarly, 2U);
  EXPECT_EQ(buffer.Stats().received, 0U);
}

TEST(InputBuffer, BelievesAClockThatIsSetBack) {
  InputBuffer buffer{{}};
  Sender sender{buffer};
  sender.Receive(MessageUpTo(Tick{400}, 1), Tick{300});
  EXPECT_EQ(buffer.MarginOverTarget(), 99);
  sender.Receive(MessageUpTo(Tick{302}, 1), Tick{301});
  EXPECT_EQ(buffer.MarginOverTarget(), 0);
  EXPECT_TRUE(buffer.Take(Tick{302}).isFresh);
}

TEST(InputBuffer, SurvivesStampsAtTheEndsOfTime) {
  InputBuffer buffer{{}};
  Sender sender{buffer};
  for (const std::uint64_t stamp : {0ULL, 1ULL, 7ULL, ~0ULL, ~0ULL - 3, 1ULL << 63U}) {
    sender.Receive(MessageUpTo(Tick{stamp}, 8), Tick{3});
    buffer.Take(Tick{4});
    static_cast<void>(buffer.MarginOverTarget());
  }
  EXPECT_LE(buffer.Stats().received, 16U);
  sender.Receive(MessageUpTo(Tick{(1ULL << 63U) + 3}, 1), Tick{3});  // as far back as a number of ticks goes
  EXPECT_EQ(buffer.MarginOverTarget(), -128);
}

TEST(InputBuffer, TargetFollowsJitterUpAndDown) {
  InputBufferConfig config;
  config.maxDepthTicks = 6;
  InputBuffer buffer{config};
  Sender sender{buffer};
  std::uint64_t t = 1'000;
  for (; t < 1'200; ++t) {
    sender.Receive(MessageUpTo(Tick{t + 2}, 1), Tick{t});
  }
  EXPECT_EQ(buffer.FillTargetTicks(), 1U);
  EXPECT_EQ(buffer.MarginOverTarget(), 1);

  std::mt19937 random{7};  // NOLINT: the same jitter every time
  for (; t < 1'600; ++t) {
    sender.Receive(MessageUpTo(Tick{t + 2 + random() % 5}, 1), Tick{t});
  }
  EXPECT_GE(buffer.FillTargetTicks(), 3U);

  for (t += 10; t < 2'000; ++t) {
    sender.Receive(MessageUpTo(Tick{t + 2}, 1), Tick{t});
  }
  EXPECT_EQ(buffer.FillTargetTicks(), 1U);
}

}  // namespace
}  // namespace muster::sessions
