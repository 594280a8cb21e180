// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/Acks.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <set>

namespace muster::protocol {
namespace {

using namespace std::chrono_literals;
using Verdict = ReceiveWindow::Verdict;

MonotonicTime At(std::chrono::milliseconds time) {
  return MonotonicTime{} + time;
}

TEST(ReceiveWindow, TellsNewFromDuplicateFromTooOld) {
  ReceiveWindow window;
  EXPECT_EQ(window.Receive(0), Verdict::TooOld);
  EXPECT_EQ(window.Receive(1), Verdict::New);
  EXPECT_EQ(window.Mask(), 0u);
  EXPECT_EQ(window.Receive(1), Verdict::Duplicate);
  EXPECT_EQ(window.Receive(3), Verdict::New);
  EXPECT_EQ(window.Mask(), 0b10u);
  EXPECT_EQ(window.Receive(2), Verdict::New);
  EXPECT_EQ(window.Mask(), 0b11u);
  EXPECT_EQ(window.Receive(100), Verdict::New);
  EXPECT_EQ(window.Mask(), 0u);
  EXPECT_EQ(window.Receive(36), Verdict::TooOld);
  EXPECT_EQ(window.Receive(37), Verdict::New);
  EXPECT_EQ(window.Receive(37), Verdict::Duplicate);
  EXPECT_EQ(window.Ack(), 100u);
}

TEST(ReceiveWindow, KeepsTheOldNewestAtTheEdge) {
  ReceiveWindow window;
  window.Receive(1);
  window.Receive(65);
  EXPECT_EQ(window.Mask(), std::uint64_t{1} << 63);
  window.Receive(66);
  EXPECT_EQ(window.Mask(), 1u);
}

TEST(SendWindow, ReportsEachSequenceOnce) {
  SendWindow window;
  for (std::uint32_t s = 1; s <= 5; ++s) {
    window.OnSent(s, At(s * 10ms));
  }
  const auto first = window.OnAck(3, 0b01, 0us, At(100ms));  // 3 and 2
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->newlyAcked, 0b011u);
  EXPECT_EQ(first->roundTrip, 70ms);
  const auto second = window.OnAck(5, 0b1111, 0us, At(110ms));  // 5, 4, 3, 2, 1
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->newlyAcked, 0b10011u);
  const auto again = window.OnAck(5, 0b1111, 0us, At(120ms));
  EXPECT_EQ(again->newlyAcked, 0u);
  EXPECT_FALSE(again->roundTrip.has_value());
  EXPECT_EQ(window.Acked(), 5u);
  EXPECT_EQ(window.Lost(), 0u);
}

TEST(SendWindow, TreatsSequencesThatLeaveTheWindowAsLostForGood) {
  SendWindow window;
  for (std::uint32_t s = 1; s <= 70; ++s) {
    window.OnSent(s, At(0ms));
  }
  const auto report = window.OnAck(65, 0, 0us, At(1ms));
  EXPECT_EQ(report->lostBelow, 2u);
  EXPECT_EQ(report->newlyLost, 1u);                      // sequence 1
  const auto late = window.OnAck(2, 0b1, 0us, At(2ms));  // an old header claims 2 and 1
  ASSERT_TRUE(late.has_value());
  EXPECT_EQ(late->newlyAcked, 0b01u);  // 2 was still open, 1 is lost
  EXPECT_EQ(window.Lost(), 1u);
}

TEST(SendWindow, RefusesAcksOfWhatNeverWasSent) {
  SendWindow window;
  EXPECT_TRUE(window.OnAck(0, 0, 0us, At(0ms)).has_value());
  EXPECT_FALSE(window.OnAck(1, 0, 0us, At(0ms)).has_value());
  EXPECT_FALSE(window.OnAck(0, 1, 0us, At(0ms)).has_value());
  window.OnSent(1, At(0ms));
  window.OnSent(2, At(0ms));
  EXPECT_FALSE(window.OnAck(3, 0, 0us, At(0ms)).has_value());
  EXPECT_FALSE(window.OnAck(2, 0b10, 0us, At(0ms)).has_value());  // sequence 0
  EXPECT_FALSE(window.OnAck(1, 0b1, 0us, At(0ms)).has_value());
  EXPECT_EQ(window.Acked(), 0u);
  EXPECT_TRUE(window.OnAck(2, 0b1, 0us, At(0ms)).has_value());
}

TEST(SendWindow, LeavesOutPacketsThatNeverLeft) {
  SendWindow window;
  window.OnSent(1, At(0ms));
  window.OnSent(4, At(0ms));
  const auto report = window.OnAck(4, 0b111, 0us, At(1ms));
  EXPECT_EQ(report->newlyAcked, 0b1001u);
  EXPECT_EQ(window.Acked(), 2u);
}

TEST(SendWindow, GivesUpWhatIsUnderWayTooLong) {
  SendWindow window;
  for (std::uint32_t s = 1; s <= SendWindow::kInFlight + 10; ++s) {
    window.OnSent(s, At(0ms));
  }
  EXPECT_EQ(window.Lost(), 10u);
  const auto report = window.OnAck(20, 0, 0us, At(1ms));
  EXPECT_EQ(report->lostBelow, 11u);
  EXPECT_EQ(report->newlyLost, 10u);
  const auto gone = window.OnAck(5, 0, 0us, At(1ms));
  EXPECT_EQ(gone->newlyAcked, 0u);
}

TEST(SendWindow, GivesUpWhatIsUnderWayTooLongAlsoWhereSequencesLeap) {
  for (const std::uint32_t leap : {2U, 6U, 511U, 512U, 513U, 100'000U}) {
    SendWindow window;
    std::uint32_t newest = 0;
    for (std::uint32_t i = 0; i < SendWindow::kInFlight; ++i) {
      window.OnSent(++newest, MonotonicTime{});
    }
    newest += leap;
    window.OnSent(newest, MonotonicTime{});
    // What is as far back as the window is wide is lost, and no ack brings it back.
    const std::uint32_t lost = std::min(leap, SendWindow::kInFlight);
    EXPECT_EQ(window.Lost(), lost) << leap;
    const auto late = window.OnAck(lost, 0, std::nullopt, MonotonicTime{});
    ASSERT_TRUE(late);
    EXPECT_EQ(late->newlyAcked, 0U) << leap;
    EXPECT_EQ(window.Acked(), 0U) << leap;
    EXPECT_EQ(late->lostBelow, newest - SendWindow::kInFlight + 1) << leap;
  }
}

TEST(SendWindow, SubtractsTheHoldAndNeverGoesBelowZero) {
  SendWindow window;
  window.OnSent(1, At(0ms));
  EXPECT_EQ(window.OnAck(1, 0, 30ms, At(100ms))->roundTrip, 70ms);
  window.OnSent(2, At(100ms));
  EXPECT_EQ(window.OnAck(2, 1, 900ms, At(110ms))->roundTrip, 0ms);
  window.OnSent(3, At(200ms));
  EXPECT_FALSE(window.OnAck(3, 3, std::nullopt, At(210ms))->roundTrip.has_value());
}

TEST(SendWindow, AgreesWithTheReceiverUnderLossAndReordering) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    SendWindow sender;
    ReceiveWindow receiver;
    std::set<std::uint32_t> received;
    std::set<std::uint32_t> acked;
    std::uint32_t lostBelow = 1;
    std::deque<std::uint32_t> wire;
    std::deque<std::pair<std::uint32_t, std::uint64_t>> back;
    for (std::uint32_t s = 1; s <= 3000; ++s) {
      sender.OnSent(s, At(std::chrono::milliseconds{s}));
      if (!random.NextChance(0.3)) {
        wire.insert(wire.begin() + static_cast<std::ptrdiff_t>(random.NextBelow(wire.size() + 1)), s);
      }
      while (wire.size() > 8) {
        if (receiver.Receive(wire.front()) == Verdict::New) {
          received.insert(wire.front());
        }
        wire.pop_front();
        if (!random.NextChance(0.3)) {
          back.insert(back.begin() + static_cast<std::ptrdiff_t>(random.NextBelow(back.size() + 1)),
                      {receiver.Ack(), receiver.Mask()});
        }
      }
      while (back.size() > 5) {
        const auto report = sender.OnAck(back.front().first, back.front().second, 0us, At(1h));
        back.pop_front();
        ASSERT_TRUE(report.has_value());
        for (std::uint32_t i = 0; i < 64; ++i) {
          if ((report->newlyAcked >> i & 1u) != 0) {
            const std::uint32_t sequence = report->newest - i;
            ASSERT_TRUE(received.contains(sequence));
            ASSERT_TRUE(acked.insert(sequence).second);
            ASSERT_GE(sequence, lostBelow);
          }
        }
        ASSERT_GE(report->lostBelow, lostBelow);
        lostBelow = report->lostBelow;
      }
    }
    EXPECT_EQ(sender.Acked(), acked.size());
    EXPECT_EQ(sender.Acked() + sender.Lost() + (3000 - lostBelow + 1) -
                  static_cast<std::uint64_t>(std::distance(acked.lower_bound(lostBelow), acked.end())),
              3000u);
  }
}

}  // namespace
}  // namespace muster::protocol
