// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Loops.h"

#include "Core/Clock.h"
#include "Jobs/WorkerPool.h"

#include <sched.h>

#include <atomic>
#include <optional>
#include <thread>

namespace muster::bench {
namespace {

/// Long enough for a woken thread to arrive (tens of microseconds), shorter than it waits for work (milliseconds).
constexpr std::chrono::microseconds kWakeUpTime{200};

class SerialLoop final : public IParallelLoop {
 public:
  std::string Label() const override { return "serial"; }
  std::string Subject() const override { return "one thread"; }
  void WarmUp() override {}
  void Run(std::size_t count, std::size_t grain, ChunkBody body, void* context) override {
    jobs::SerialFor(count, grain,
                    [&](std::size_t /*chunk*/, std::size_t begin, std::size_t end) { body(context, begin, end); });
  }
};

class PoolLoop final : public IParallelLoop {
 public:
  explicit PoolLoop(bool isPinned) : m_isPinned{isPinned}, m_pool{jobs::WorkerPoolConfig{kLoopThreads, isPinned}} {}

  std::string Label() const override { return m_isPinned ? "pool_pinned" : "pool"; }
  std::string Subject() const override { return m_isPinned ? "WorkerPool, pinned" : "WorkerPool"; }

  void WarmUp() override {
    if (m_isPinned && sched_getaffinity(0, sizeof m_affinity, &m_affinity) == 0) {
      m_isCallerPinned = m_pool.PinCaller();
    }
    m_pool.Wake();
    SteadyClock clock;
    // Spinning, as a tick thread is busy while its helpers wake up.
    for (const MonotonicTime until = clock.Now() + kWakeUpTime; clock.Now() < until;) {
    }
  }
  void Run(std::size_t count, std::size_t grain, ChunkBody body, void* context) override {
    m_pool.ParallelFor(count, grain,
                       [&](std::size_t /*chunk*/, std::size_t begin, std::size_t end) { body(context, begin, end); });
  }
  void Rest() override {
    m_pool.Rest();
    if (m_isCallerPinned) {
      sched_setaffinity(0, sizeof m_affinity, &m_affinity);
      m_isCallerPinned = false;
    }
  }

 private:
  bool m_isPinned;
  bool m_isCallerPinned = false;
  cpu_set_t m_affinity{};
  jobs::WorkerPool m_pool;
};

class ThreadLoop final : public IParallelLoop {
 public:
  std::string Label() const override { return "std_thread"; }
  std::string Subject() const override { return "std::thread for each loop"; }
  void WarmUp() override {}
  void Run(std::size_t count, std::size_t grain, ChunkBody body, void* context) override {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) {
          return;
        }
        body(context, begin, count - begin > grain ? begin + grain : count);
      }
    };
    std::thread helper{work};
    work();
    helper.join();
  }
};

}  // namespace

std::unique_ptr<IParallelLoop> MakeSerialLoop() {
  return std::make_unique<SerialLoop>();
}

std::unique_ptr<IParallelLoop> MakePoolLoop(bool isPinned) {
  return std::make_unique<PoolLoop>(isPinned);
}

std::unique_ptr<IParallelLoop> MakeThreadLoop() {
  return std::make_unique<ThreadLoop>();
}

}  // namespace muster::bench
