// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Hash.h"
#include "Core/Random.h"
#include "Core/Vector.h"
#include "Jobs/WorkerPool.h"
#include "Support/AssertionExpectation.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace muster::jobs {
namespace {

using namespace std::chrono_literals;

constexpr std::array<unsigned, 6> kWorkerCounts{1, 2, 3, 4, 7, 8};

#if defined(__SANITIZE_THREAD__)
constexpr int kStressDispatches = 20'000;
#else
constexpr int kStressDispatches = 100'000;
#endif

TEST(SerialFor, CutsByCountAndGrainOnly) {
  std::vector<std::array<std::size_t, 3>> chunks;
  SerialFor(10, 4, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    chunks.push_back({chunk, begin, end});
  });
  EXPECT_EQ(chunks, (std::vector<std::array<std::size_t, 3>>{{0, 0, 4}, {1, 4, 8}, {2, 8, 10}}));
  EXPECT_EQ(ChunkCount(10, 4), 3u);
  EXPECT_EQ(ChunkCount(8, 4), 2u);
  EXPECT_EQ(ChunkCount(0, 4), 0u);
}

TEST(WorkerPool, RunsEveryChunkOnceWithTheCutsOfTheSerialLoop) {
  for (const unsigned workers : kWorkerCounts) {
    WorkerPool pool(WorkerPoolConfig{workers});
    for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 1000u, 4096u}) {
      for (const std::size_t grain : {1u, 7u, 64u, 5000u}) {
        const std::size_t chunks = ChunkCount(count, grain);
        std::vector<int> calls(chunks);
        std::vector<int> items(count);
        pool.ParallelFor(count, grain, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
          ++calls[chunk];
          EXPECT_EQ(begin, chunk * grain);
          EXPECT_EQ(end, std::min(count, begin + grain));
          for (std::size_t item = begin; item < end; ++item) {
            ++items[item];
          }
        });
        ASSERT_EQ(calls, std::vector<int>(chunks, 1));
        ASSERT_EQ(items, std::vector<int>(count, 1));
      }
    }
  }
}

/// A small world with floats, per-chunk sums and per-chunk command lists, stepped several times.
std::uint64_t DigestOfSimulation(unsigned workers, bool withEstimates) {
  WorkerPool pool(WorkerPoolConfig{workers});
  constexpr std::size_t count = 3000;
  constexpr std::size_t grain = 64;
  std::vector<Quatf> rotations(count);
  std::vector<Vec3d> positions(count);
  std::vector<double> sums(ChunkCount(count, grain));
  std::vector<std::vector<std::uint32_t>> commands(ChunkCount(count, grain));
  Digest64 digest;
  for (int step = 0; step < 20; ++step) {
    pool.Wake();
    const auto body = [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      sums[chunk] = 0.0;
      commands[chunk].clear();
      for (std::size_t i = begin; i < end; ++i) {
        const float speed = static_cast<float>(i % 97) * 0.3f + Sin(static_cast<float>(i));
        rotations[i] = Integrate(rotations[i], {speed, 1.0f, -speed}, 1.0f / 60.0f);
        positions[i] = Integrate(positions[i], Rotate(rotations[i], {0.0f, 0.0f, speed}), 1.0 / 60.0);
        sums[chunk] += Length(positions[i]);
        if (Random::At(static_cast<std::uint64_t>(step), i) % 50 == 0) {
          commands[chunk].push_back(static_cast<std::uint32_t>(i));
        }
      }
    };
    if (withEstimates) {
      pool.ParallelFor(count, grain, WorkEstimate{step % 2 == 0 ? 10us : 10ms}, body);
    } else {
      pool.ParallelFor(count, grain, body);
    }
    pool.Rest();
    for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
      digest.Update(sums[chunk]);
      for (const std::uint32_t command : commands[chunk]) {
        digest.Update(command);
      }
    }
  }
  digest.Update(std::as_bytes(std::span(positions)));
  digest.Update(std::as_bytes(std::span(rotations)));
  return digest.Value();
}

TEST(WorkerPool, GivesTheSameBytesForAnyNumberOfWorkers) {
  const std::uint64_t serial = DigestOfSimulation(1, false);
  for (const unsigned workers : kWorkerCounts) {
    EXPECT_EQ(DigestOfSimulation(workers, false), serial) << workers << " workers";
    EXPECT_EQ(DigestOfSimulation(workers, true), serial) << workers << " workers, with estimates";
  }
}

TEST(WorkerPool, SurvivesManyDispatchesInARow) {
  // More workers than cores, so that workers are stopped between seeing a loop and claiming from it.
  WorkerPool pool(WorkerPoolConfig{std::thread::hardware_concurrency() + 3});
  pool.Wake();
  std::array<std::uint32_t, 32> counters{};
  for (int dispatch = 0; dispatch < kStressDispatches; ++dispatch) {
    const auto count = static_cast<std::size_t>(dispatch % 32 + 1);
    const auto grain = static_cast<std::size_t>(dispatch % 3 + 1);
    const auto amount = static_cast<std::uint32_t>(dispatch);
    pool.ParallelFor(count, grain, [&counters, amount](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t item = begin; item < end; ++item) {
        counters[item] += amount;
      }
    });
    if (dispatch % 5000 == 0) {
      pool.Rest();
    }
  }
  std::array<std::uint32_t, 32> right{};
  for (int dispatch = 0; dispatch < kStressDispatches; ++dispatch) {
    for (std::size_t item = 0; item < static_cast<std::size_t>(dispatch % 32 + 1); ++item) {
      right[item] += static_cast<std::uint32_t>(dispatch);
    }
  }
  EXPECT_EQ(counters, right);
}

TEST(WorkerPool, SharesChunksAmongThreadsOnceTheyAreAwake) {
  WorkerPool pool(WorkerPoolConfig{2});
  pool.Wake();
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
  // Both chunks wait for each other (bounded), which one thread alone cannot satisfy.
  for (int attempt = 0; attempt < 200 && !met.load(); ++attempt) {
    inside.store(0);
    pool.ParallelFor(2, 1, [&](std::size_t, std::size_t, std::size_t) {
      inside.fetch_add(1);
      const auto giveUp = std::chrono::steady_clock::now() + 20ms;
      while (inside.load() < 2 && std::chrono::steady_clock::now() < giveUp) {
        sched_yield();
      }
      if (inside.load() == 2) {
        met.store(true);
      }
    });
  }
  EXPECT_TRUE(met.load());
}

TEST(WorkerPool, NeverWaitsForWorkersThatHaveNotBegun) {
  // Each loop runs on a pool whose threads have hardly started: a caller that waited for all of them to report would
  // take the time of seven thread starts, and would never return if one of them could not start.
  for (int round = 0; round < 50; ++round) {
    WorkerPool pool(WorkerPoolConfig{8});
    std::atomic<int> done{0};
    pool.ParallelFor(16, 1, [&](std::size_t, std::size_t, std::size_t) { done.fetch_add(1); });
    ASSERT_EQ(done.load(), 16);
  }
}

TEST(WorkerPool, EndsWhileIdleAsleepAndJustWoken) {
  for (int round = 0; round < 100; ++round) {
    WorkerPool fresh(WorkerPoolConfig{4});
    WorkerPool woken(WorkerPoolConfig{4});
    woken.Wake();
    WorkerPool resting(WorkerPoolConfig{4});
    resting.Wake();
    resting.ParallelFor(8, 1, [](std::size_t, std::size_t, std::size_t) {});
    resting.Rest();
  }
}

TEST(WorkerPool, WakesAgainAfterEveryRest) {
  WorkerPool pool(WorkerPoolConfig{3});
  std::atomic<int> done{0};
  for (int tick = 0; tick < 200; ++tick) {
    if (tick % 3 != 0) {
      pool.Wake();
    }
    pool.ParallelFor(6, 1, [&](std::size_t, std::size_t, std::size_t) { done.fetch_add(1); });
    pool.Rest();
    if (tick % 20 == 0) {
      std::this_thread::sleep_for(1ms);
    }
  }
  EXPECT_EQ(done.load(), 1200);
}

/// Processor time this process has used.
std::chrono::nanoseconds ProcessTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

TEST(WorkerPool, SleepsWhenRestingAndWhenForgotten) {
  for (const bool isTold : {true, false}) {
    WorkerPool pool(WorkerPoolConfig{4});
    pool.Wake();
    pool.ParallelFor(8, 1, [](std::size_t, std::size_t, std::size_t) {});
    if (isTold) {
      pool.Rest();
    }
    std::this_thread::sleep_for(100ms);
    const auto before = ProcessTime();
    std::this_thread::sleep_for(200ms);
    EXPECT_LT(ProcessTime() - before, 50ms) << (isTold ? "told to rest" : "left without work");
  }
}

TEST(WorkerPool, KeepsSmallWorkOnTheCallersThread) {
  WorkerPool pool(WorkerPoolConfig{4});
  EXPECT_FALSE(pool.IsWorthSharing(WorkEstimate{kSerialBelowAwake - 1ns}));
  EXPECT_FALSE(pool.IsWorthSharing(WorkEstimate{kSerialBelowAwake})) << "the workers sleep";
  EXPECT_TRUE(pool.IsWorthSharing(WorkEstimate{kSerialBelowAsleep}));
  EXPECT_FALSE(WorkerPool(WorkerPoolConfig{1}).IsWorthSharing(WorkEstimate{1h}));

  pool.Wake();
  std::set<std::thread::id> threads;
  pool.ParallelFor(64, 1, WorkEstimate{1us},
                   [&](std::size_t, std::size_t, std::size_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(WorkerPool, CountsTheCallerAndLeavesACoreWhenAutomatic) {
  EXPECT_EQ(WorkerPool(WorkerPoolConfig{1}).Workers(), 1u);
  EXPECT_EQ(WorkerPool(WorkerPoolConfig{5}).Workers(), 5u);
  cpu_set_t set;
  CPU_ZERO(&set);
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  const unsigned cores = static_cast<unsigned>(CPU_COUNT(&set));
  EXPECT_EQ(WorkerPool().Workers(), std::max(1u, cores - 1));
}

TEST(WorkerPool, GivesEveryChunkTheDefaultFloatingPointEnvironment) {
  WorkerPool pool(WorkerPoolConfig{4});
  std::array<int, 64> modes{};
  std::array<float, 64> denormals{};
  pool.ParallelFor(64, 1, [&](std::size_t chunk, std::size_t, std::size_t) {
    volatile float tiny = 1e-38f;
    modes[chunk] = std::fegetround();
    denormals[chunk] = tiny * 0.25f;
  });
  for (std::size_t chunk = 0; chunk < modes.size(); ++chunk) {
    EXPECT_EQ(modes[chunk], FE_TONEAREST);
    EXPECT_GT(denormals[chunk], 0.0f);
  }
}

TEST(WorkerPool, RefusesACallerThatRoundsDifferently) {
  WorkerPool pool(WorkerPoolConfig{2});
  std::fesetround(FE_UPWARD);
  EXPECT_ASSERTION(pool.ParallelFor(4, 1, [](std::size_t, std::size_t, std::size_t) {}), "floats differently");
  std::fesetround(FE_TONEAREST);
}

TEST(WorkerPool, RefusesAGrainOfZero) {
  WorkerPool pool(WorkerPoolConfig{2});
  EXPECT_ASSERTION(pool.ParallelFor(4, 0, [](std::size_t, std::size_t, std::size_t) {}), "at least one item");
}

TEST(WorkerPool, LeavesSignalsForTheProcessToOtherThreads) {
  // A signal sent to the process while only workers could take it must stay pending.
  WorkerPool pool(WorkerPoolConfig{4});
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGUSR1);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &term, &before);
  kill(getpid(), SIGUSR1);
  std::this_thread::sleep_for(5ms);
  const timespec noWait{};
  EXPECT_EQ(sigtimedwait(&term, nullptr, &noWait), SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(WorkerPool, PinsOneCorePerWorkerWhenThereAreEnough) {
  cpu_set_t before;
  CPU_ZERO(&before);
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  const auto cores = static_cast<unsigned>(CPU_COUNT(&before));
  EXPECT_FALSE(WorkerPool(WorkerPoolConfig{2, false}).PinCaller());
  EXPECT_FALSE(WorkerPool(WorkerPoolConfig{cores + 1, true}).PinCaller())
      << "two workers on a core wait for each other";

  std::thread([cores] {
    WorkerPool pool(WorkerPoolConfig{cores, true});
    EXPECT_TRUE(pool.PinCaller());
    cpu_set_t after;
    CPU_ZERO(&after);
    EXPECT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    EXPECT_EQ(CPU_COUNT(&after), 1);
  }).join();
}

class WorkerPoolDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(WorkerPoolDeathTest, RefusesALoopWithinALoop) {
  for (const unsigned workers : {1u, 2u}) {
    EXPECT_DEATH(
        {
          WorkerPool pool(WorkerPoolConfig{workers});
          pool.ParallelFor(4, 1, [&](std::size_t, std::size_t, std::size_t) {
            pool.ParallelFor(4, 1, [](std::size_t, std::size_t, std::size_t) {});
          });
        },
        "a loop within a loop");
  }
}

TEST_F(WorkerPoolDeathTest, EndsTheProcessWhenABodyThrows) {
  EXPECT_DEATH(
      {
        WorkerPool pool(WorkerPoolConfig{1});
        pool.ParallelFor(1, 1, [](std::size_t, std::size_t, std::size_t) { throw 1; });
      },
      "terminate");
}

}  // namespace
}  // namespace muster::jobs
