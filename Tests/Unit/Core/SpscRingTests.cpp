// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT

#include "Core/SpscRing.h"

#include "Core/Mutex.h"
#include "Core/Random.h"
#include "Support/AssertionExpectation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

namespace muster {
namespace {

TEST(SpscRing, RefusesWhenFullAndWhenEmptyAndKeepsOrder) {
  SpscRing<int> ring(4);
  int value = -1;
  EXPECT_TRUE(ring.IsEmpty());
  EXPECT_FALSE(ring.TryPop(value));
  EXPECT_EQ(value, -1);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(ring.TryPush(i));
  }
  EXPECT_FALSE(ring.TryPush(4));
  EXPECT_EQ(ring.Size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(ring.TryPop(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_FALSE(ring.TryPop(value));
}

TEST(SpscRing, RoundsItsCapacityUpToAPowerOfTwo) {
  EXPECT_EQ(SpscRing<int>(1).Capacity(), 1u);
  EXPECT_EQ(SpscRing<int>(5).Capacity(), 8u);
  EXPECT_EQ(SpscRing<int>(64).Capacity(), 64u);
  EXPECT_ASSERTION(SpscRing<int>(0), "at least one element");
}

TEST(SpscRing, GoesRoundManyTimes) {
  SpscRing<std::uint64_t> ring(8);
  Random random(1);
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;
  for (int step = 0; step < 100'000; ++step) {
    if (random.NextBelow(2) == 0) {
      ASSERT_EQ(ring.TryPush(pushed), pushed - popped < 8);
      pushed += pushed - popped < 8 ? 1 : 0;
    } else {
      std::uint64_t value = 0;
      ASSERT_EQ(ring.TryPop(value), popped < pushed);
      if (popped < pushed) {
        ASSERT_EQ(value, popped++);
      }
    }
    ASSERT_EQ(ring.Size(), pushed - popped);
  }
}

TEST(SpscRing, MovesOwnersInAndOutAndKeepsARefusedOne) {
  SpscRing<std::unique_ptr<int>> ring(1);
  auto first = std::make_unique<int>(1);
  auto second = std::make_unique<int>(2);
  EXPECT_TRUE(ring.TryPush(std::move(first)));
  EXPECT_FALSE(ring.TryPush(std::move(second)));
  ASSERT_NE(second, nullptr) << "a refused element stays with the producer";
  std::unique_ptr<int> out;
  EXPECT_TRUE(ring.TryPop(out));
  EXPECT_EQ(*out, 1);
}

TEST(SpscRing, CarriesEverythingInOrderBetweenTwoThreads) {
  struct Item {
    std::uint64_t number;
    std::uint64_t check;
  };
  constexpr std::uint64_t count = 300'000;
  SpscRing<Item> ring(64);
  std::atomic<bool> sawTooMany{false};
  std::thread consumer([&] {
    Item item{};
    for (std::uint64_t expected = 0; expected < count;) {
      if (ring.Size() > ring.Capacity()) {
        sawTooMany.store(true);
      }
      if (!ring.TryPop(item)) {
        std::this_thread::yield();
        continue;
      }
      ASSERT_EQ(item.number, expected);
      ASSERT_EQ(item.check, Mix64(expected));
      ++expected;
    }
  });
  for (std::uint64_t number = 0; number < count;) {
    if (ring.TryPush(Item{number, Mix64(number)})) {
      ++number;
    } else {
      std::this_thread::yield();
    }
  }
  consumer.join();
  EXPECT_TRUE(ring.IsEmpty());
  EXPECT_FALSE(sawTooMany.load());
}

TEST(Mutex, KeepsThreadsApartAndWakesWaiters) {
  struct Shared {
    Mutex mutex;
    CondVar changed;
    int turn MUSTER_GUARDED_BY(mutex) = 0;
  } shared;
  constexpr int turns = 2000;
  const auto play = [&shared](int own) {
    for (int i = 0; i < turns; ++i) {
      const MutexLock lock(shared.mutex);
      while (shared.turn % 2 != own) {
        shared.changed.Wait(shared.mutex);
      }
      ++shared.turn;
      shared.changed.NotifyAll();
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  const MutexLock lock(shared.mutex);
  EXPECT_EQ(shared.turn, 2 * turns);
}

TEST(CondVar, GivesUpAfterItsLimitWithTheMutexHeld) {
  Mutex mutex;
  CondVar never;
  mutex.Lock();
  const bool signalled = never.WaitFor(mutex, std::chrono::milliseconds(2));
  std::thread([&mutex] {
    const bool taken = mutex.TryLock();
    EXPECT_FALSE(taken);
    if (taken) {
      mutex.Unlock();
    }
  }).join();
  mutex.Unlock();
  static_cast<void>(signalled);  // waits may end early
}

}  // namespace
}  // namespace muster
