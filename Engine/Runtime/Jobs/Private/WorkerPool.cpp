// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Jobs/WorkerPool.h"

#include "Core/Assert.h"
#include "Core/Clock.h"
#include "Core/ThreadName.h"
#include "ThreadSetup.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <limits>

namespace muster::jobs {
namespace {

/// Long enough to bridge the serial stages between two loops of a tick.
constexpr std::chrono::milliseconds kIdleLimit{4};
/// How often a waiting loop pauses before it also offers its core to other threads, which matters when there are
/// more threads than cores.
constexpr unsigned kPausesBeforeYield = 256;
constexpr unsigned kLoopNumberShift = 32;

void PauseOrYield(unsigned waited) noexcept {
  if (waited < kPausesBeforeYield) {
    Pause();
  } else {
    sched_yield();
  }
}

unsigned ChooseWorkers(unsigned asked, std::size_t usableCores) {
  if (asked == 0) {
    return usableCores > 2 ? static_cast<unsigned>(usableCores) - 1 : 1;
  }
  return std::min(asked, kMaxWorkers);
}

}  // namespace

WorkerPool::WorkerPool(const WorkerPoolConfig& config) {
  MUSTER_ASSERT(config.workers <= kMaxWorkers, "more workers than a pool has");
  std::vector<int> cores = UsableCores();
  const unsigned workers = ChooseWorkers(config.workers, cores.size());
  if (config.pinThreads && cores.size() >= workers) {
    cores.resize(workers);
    m_cores = std::move(cores);
  }
  const SignalShield shield;
  m_threads.reserve(workers - 1);
  for (unsigned index = 1; index < workers; ++index) {
    m_threads.emplace_back([this, index] { RunThread(index); });
  }
}

WorkerPool::~WorkerPool() {
  MUSTER_ASSERT(!m_isInLoop.load(std::memory_order_relaxed), "the pool dies within a loop");
  {
    const MutexLock lock(m_mutex);
    m_isStopping.store(true, std::memory_order_release);
  }
  m_woken.NotifyAll();
  for (std::thread& thread : m_threads) {
    thread.join();
  }
}

bool WorkerPool::PinCaller() const {
  return !m_cores.empty() && PinCurrentThread(m_cores.front());
}

void WorkerPool::Wake() {
  if (m_threads.empty()) {
    return;
  }
  {
    const MutexLock lock(m_mutex);
    m_isResting.store(false, std::memory_order_release);
    ++m_wakeUps;
  }
  m_woken.NotifyAll();
}

void WorkerPool::Rest() {
  m_isResting.store(true, std::memory_order_release);
}

bool WorkerPool::IsWorthSharing(WorkEstimate estimate) const noexcept {
  const bool someAsleep = m_isResting.load(std::memory_order_relaxed) || m_sleepers.load(std::memory_order_relaxed) > 0;
  return !m_threads.empty() && estimate.serialTime >= (someAsleep ? kSerialBelowAsleep : kSerialBelowAwake);
}

void WorkerPool::BeginLoop(std::size_t grain) {
  MUSTER_ASSERT_ALWAYS(grain > 0, "chunks hold at least one item");
  MUSTER_ASSERT(HasDefaultFloatEnvironment(), "the caller computes floats differently from the workers");
  const bool wasInLoop = m_isInLoop.exchange(true, std::memory_order_relaxed);
  MUSTER_ASSERT_ALWAYS(!wasInLoop, "a loop within a loop of the same pool");
}

void WorkerPool::DispatchSerially(std::size_t count, std::size_t grain, ChunkFunction function, void* context) {
  BeginLoop(grain);
  SerialFor(count, grain, [function, context](std::size_t chunk, std::size_t begin, std::size_t end) {
    function(context, chunk, begin, end);
  });
  m_isInLoop.store(false, std::memory_order_relaxed);
}

void WorkerPool::Dispatch(std::size_t count, std::size_t grain, ChunkFunction function, void* context) {
  if (m_threads.empty() || count <= grain) {
    DispatchSerially(count, grain, function, context);
    return;
  }
  BeginLoop(grain);
  const std::size_t chunks = ChunkCount(count, grain);
  MUSTER_ASSERT_ALWAYS(chunks <= std::numeric_limits<std::uint32_t>::max(), "too many chunks for one loop");

  m_function.store(function, std::memory_order_relaxed);
  m_context.store(context, std::memory_order_relaxed);
  m_count.store(count, std::memory_order_relaxed);
  m_grain.store(grain, std::memory_order_relaxed);
  m_chunks.store(static_cast<std::uint32_t>(chunks), std::memory_order_relaxed);
  m_finishedChunks.store(0, std::memory_order_relaxed);
  const std::uint64_t loopNumber = (m_claims.load(std::memory_order_relaxed) >> kLoopNumberShift) + 1;
  m_claims.store(loopNumber << kLoopNumberShift | chunks, std::memory_order_release);

  if (m_isResting.load(std::memory_order_relaxed) || m_sleepers.load(std::memory_order_relaxed) > 0) {
    Wake();
  }
  while (TryRunChunk()) {
  }
  WaitForChunks(chunks);
  m_isInLoop.store(false, std::memory_order_relaxed);
}

/// Claims one chunk and runs it; false when none is left.
///
/// The loop's description is read before the claim, and may by then be another loop's, or half of it. But the claim
/// succeeds only if `m_claims` still has the value seen first. Its loop number makes that value unique (a thread would
/// have to be stopped for 2^32 loops to see it again), so that loop still had an unclaimed chunk all the while, its
/// caller had not returned, and nobody wrote the description.
bool WorkerPool::TryRunChunk() noexcept {
  std::uint64_t claims = m_claims.load(std::memory_order_acquire);
  for (;;) {
    const auto unclaimed = static_cast<std::uint32_t>(claims);
    if (unclaimed == 0) {
      return false;
    }
    const ChunkFunction function = m_function.load(std::memory_order_relaxed);
    void* const context = m_context.load(std::memory_order_relaxed);
    const std::size_t count = m_count.load(std::memory_order_relaxed);
    const std::size_t grain = m_grain.load(std::memory_order_relaxed);
    const std::uint32_t chunks = m_chunks.load(std::memory_order_relaxed);
    if (!m_claims.compare_exchange_weak(claims, claims - 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
      continue;
    }
    const std::size_t chunk = chunks - unclaimed;
    const std::size_t begin = chunk * grain;
    function(context, chunk, begin, count - begin > grain ? begin + grain : count);
    m_finishedChunks.fetch_add(1, std::memory_order_release);
    return true;
  }
}

void WorkerPool::WaitForChunks(std::size_t chunks) const noexcept {
  for (unsigned waited = 0; m_finishedChunks.load(std::memory_order_acquire) != chunks; ++waited) {
    PauseOrYield(waited);
  }
}

void WorkerPool::RunThread(unsigned index) noexcept {
  NameThisThread(fmt::format("worker-{}", index).c_str());
  SetDefaultFloatEnvironment();
  if (!m_cores.empty()) {
    PinCurrentThread(m_cores[index]);
  }
  std::uint64_t seenWakeUps = 0;
  while (SleepUntilWoken(seenWakeUps)) {
    ServeUntilIdle();
  }
}

/// False when the pool stops.
bool WorkerPool::SleepUntilWoken(std::uint64_t& seenWakeUps) {
  const MutexLock lock(m_mutex);
  m_sleepers.fetch_add(1, std::memory_order_relaxed);
  while (m_wakeUps == seenWakeUps && !m_isStopping.load(std::memory_order_relaxed)) {
    m_woken.Wait(m_mutex);
  }
  m_sleepers.fetch_sub(1, std::memory_order_relaxed);
  seenWakeUps = m_wakeUps;
  return !m_isStopping.load(std::memory_order_relaxed);
}

void WorkerPool::ServeUntilIdle() noexcept {
  const SteadyClock clock;
  MonotonicTime idleSince = clock.Now();
  unsigned waited = 0;
  for (;;) {
    if (TryRunChunk()) {
      while (TryRunChunk()) {
      }
      waited = 0;
      idleSince = clock.Now();
      continue;
    }
    // After the claims: a resting pool may have been given a last loop.
    if (m_isResting.load(std::memory_order_acquire) || m_isStopping.load(std::memory_order_acquire)) {
      return;
    }
    PauseOrYield(++waited);
    if (waited % kPausesBeforeYield == 0 && clock.Now() - idleSince > kIdleLimit) {
      return;
    }
  }
}

}  // namespace muster::jobs
