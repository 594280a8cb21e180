// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Runs loops on several cores with the same result for any number of them.
//
//     WorkerPool pool(WorkerPoolConfig{4});
//     pool.Wake();                                       // early in the tick, while input is read
//     pool.ParallelFor(slots, 256, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
//         for (std::size_t slot = begin; slot < end; ++slot) { ... writes only what belongs to slot or to chunk ... }
//     });
//     pool.Rest();                                       // behind the last parallel loop of the tick
//
// Chunk i is always [i * grain, min(count, (i + 1) * grain)), however many workers there are; which worker runs it is
// chance. So a body that writes only what belongs to its slots or its chunk gives the same bytes at any worker
// count. Whatever depends on order (commands, sums) goes to one place per chunk and is merged in chunk order
// afterwards. A grain that is a multiple of 64 slots keeps two chunks from sharing a cache line or a bitmap word.
//
// The caller takes part and claims chunks like a worker; it waits only for chunks that somebody has begun, never for a
// worker that is still waking up. A dispatch allocates nothing and costs well under a microsecond while the
// workers are awake. Waking them takes tens of microseconds: hence `Wake` early.
#pragma once

#include "Core/Bytes.h"
#include "Core/Mutex.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace muster::jobs {

struct WorkerPoolConfig {
  /// How many run a loop together: the caller and `workers` - 1 threads. Zero: all cores this process may use but one,
  /// which is left to the network thread; at least one. At most kMaxWorkers.
  unsigned workers = 0;
  /// Binds each thread to a core of its own, for dedicated machines. Without effect when there are fewer cores than
  /// workers. The thread that dispatches calls `PinCaller` itself.
  bool pinThreads = false;
};

inline constexpr unsigned kMaxWorkers = 256;

/// What a loop is thought to cost when one core runs it; it decides where chunks run, never how they are cut.
struct WorkEstimate {
  std::chrono::nanoseconds serialTime;
};

/// Measured on two cores: loops of 33 us gained nothing from a second awake worker, loops of 115 us halved.
inline constexpr std::chrono::nanoseconds kSerialBelowAwake = std::chrono::microseconds(100);
/// The same for workers that must be woken first.
inline constexpr std::chrono::nanoseconds kSerialBelowAsleep = std::chrono::microseconds(500);

/// Runs every chunk on the calling thread, in order; the cuts are those of `ParallelFor`. [any]
template <class F>
void SerialFor(std::size_t count, std::size_t grain, F&& body) {
  for (std::size_t begin = 0, chunk = 0; begin < count; ++chunk) {
    const std::size_t end = count - begin > grain ? begin + grain : count;
    body(chunk, begin, end);
    begin = end;
  }
}

/// The number of chunks of such a loop.
[[nodiscard]] constexpr std::size_t ChunkCount(std::size_t count, std::size_t grain) noexcept {
  return count / grain + (count % grain != 0 ? 1 : 0);
}

/// One thread at a time uses a pool; which one may change, if something orders the two. The pool must not be destroyed
/// within a loop. Threads have the default floating-point environment (round to nearest, denormals kept), and so must
/// the caller, or chunks would differ by who ran them; that is asserted. They leave signals to the others, except those
/// for faults.
class WorkerPool {
 public:
  /// Starts the threads; they sleep until the first `Wake` or loop. [main]
  explicit WorkerPool(const WorkerPoolConfig& config = {});
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Ends and joins the threads. [main]
  ~WorkerPool();

  /// How many run a loop together, the caller included.
  [[nodiscard]] unsigned Workers() const noexcept { return static_cast<unsigned>(m_threads.size()) + 1; }

  /// Binds the calling thread to the core that this pool's threads leave free. False when the pool does not pin. [sim]
  bool PinCaller() const;

  /// Lets the threads wake up and wait, spinning, for the next loop. Does not wait for them. [sim]
  void Wake();

  /// Lets the threads go to sleep: there is no loop for the rest of the tick. A loop after it wakes them again, late.
  /// Threads that find nothing to do for some milliseconds go to sleep without it. [sim]
  void Rest();

  /// Calls `body(chunk, begin, end)` once for every chunk of [0, count), on all workers, and returns when all have
  /// ended. What the bodies wrote is then visible to the caller. `grain` is at least 1. A body starts no loop on the
  /// same pool (asserted, in release builds too) and throws nothing (the process ends). [sim]
  template <class F>
  void ParallelFor(std::size_t count, std::size_t grain, F&& body) {
    using Body = std::remove_reference_t<F>;
    Dispatch(count, grain, &CallBody<Body>, const_cast<std::remove_const_t<Body>*>(std::addressof(body)));
  }

  /// The same, but on the calling thread alone where waking and sharing would cost more than they save.
  template <class F>
  void ParallelFor(std::size_t count, std::size_t grain, WorkEstimate estimate, F&& body) {
    using Body = std::remove_reference_t<F>;
    const auto function = &CallBody<Body>;
    auto* context = const_cast<std::remove_const_t<Body>*>(std::addressof(body));
    if (IsWorthSharing(estimate)) {
      Dispatch(count, grain, function, context);
    } else {
      DispatchSerially(count, grain, function, context);
    }
  }

  /// What the overload above decides by.
  [[nodiscard]] bool IsWorthSharing(WorkEstimate estimate) const noexcept;

 private:
  using ChunkFunction = void (*)(void* context, std::size_t chunk, std::size_t begin, std::size_t end) noexcept;

  template <class Body>
  static void CallBody(void* context, std::size_t chunk, std::size_t begin, std::size_t end) noexcept {
    (*static_cast<Body*>(context))(chunk, begin, end);
  }

  void Dispatch(std::size_t count, std::size_t grain, ChunkFunction function, void* context);
  void DispatchSerially(std::size_t count, std::size_t grain, ChunkFunction function, void* context);
  void BeginLoop(std::size_t grain);
  bool TryRunChunk() noexcept;
  void WaitForChunks(std::size_t chunks) const noexcept;

  void RunThread(unsigned index) noexcept;
  void ServeUntilIdle() noexcept;
  bool SleepUntilWoken(std::uint64_t& seenWakeUps);

  // The loop being run. Written by the caller between loops, read by workers that are about to claim; see TryRunChunk
  // for why a mixture of two loops is never used.
  std::atomic<ChunkFunction> m_function{nullptr};
  std::atomic<void*> m_context{nullptr};
  std::atomic<std::size_t> m_count{0};
  std::atomic<std::size_t> m_grain{1};
  std::atomic<std::uint32_t> m_chunks{0};
  std::atomic<bool> m_isInLoop{false};

  /// High half: number of the loop. Low half: how many of its chunks are unclaimed.
  alignas(kCacheLineBytes) std::atomic<std::uint64_t> m_claims{0};
  alignas(kCacheLineBytes) std::atomic<std::size_t> m_finishedChunks{0};

  alignas(kCacheLineBytes) std::atomic<bool> m_isResting{true};
  std::atomic<bool> m_isStopping{false};
  std::atomic<unsigned> m_sleepers{0};
  Mutex m_mutex;
  CondVar m_woken;
  std::uint64_t m_wakeUps MUSTER_GUARDED_BY(m_mutex) = 0;

  std::vector<int> m_cores;  ///< One per worker, the caller's first; empty when the pool does not pin.
  std::vector<std::thread> m_threads;
};

}  // namespace muster::jobs
