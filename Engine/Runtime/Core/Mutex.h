// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

/// Locks that clang's thread-safety analysis can follow. A guarded member names its mutex, and the `clang-tsa` preset
/// fails where it is touched without it:
///
///     Mutex m_mutex;
///     std::vector<Job> m_jobs MUSTER_GUARDED_BY(m_mutex);
///     ...
///     MutexLock lock(m_mutex);
///     m_jobs.push_back(job);

#if defined(__clang__)
#define MUSTER_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define MUSTER_THREAD_ATTRIBUTE(x)
#endif

#define MUSTER_CAPABILITY(name) MUSTER_THREAD_ATTRIBUTE(capability(name))
#define MUSTER_SCOPED_CAPABILITY MUSTER_THREAD_ATTRIBUTE(scoped_lockable)
#define MUSTER_GUARDED_BY(mutex) MUSTER_THREAD_ATTRIBUTE(guarded_by(mutex))
#define MUSTER_PT_GUARDED_BY(mutex) MUSTER_THREAD_ATTRIBUTE(pt_guarded_by(mutex))
#define MUSTER_REQUIRES(...) MUSTER_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define MUSTER_EXCLUDES(...) MUSTER_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define MUSTER_ACQUIRE(...) MUSTER_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define MUSTER_RELEASE(...) MUSTER_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define MUSTER_TRY_ACQUIRE(...) MUSTER_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define MUSTER_RETURN_CAPABILITY(mutex) MUSTER_THREAD_ATTRIBUTE(lock_returned(mutex))
#define MUSTER_NO_THREAD_SAFETY_ANALYSIS MUSTER_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace muster {

/// A plain, non-recursive mutex. [any]
class MUSTER_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() MUSTER_ACQUIRE() { m_mutex.lock(); }
  void Unlock() MUSTER_RELEASE() { m_mutex.unlock(); }
  [[nodiscard]] bool TryLock() MUSTER_TRY_ACQUIRE(true) { return m_mutex.try_lock(); }

 private:
  friend class CondVar;
  std::mutex m_mutex;
};

/// Holds a mutex for a scope.
class MUSTER_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) MUSTER_ACQUIRE(mutex) : m_mutex(mutex) { m_mutex.Lock(); }
  ~MutexLock() MUSTER_RELEASE() { m_mutex.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& m_mutex;
};

/// A condition variable over `Mutex`. Waits may end without a signal: wait in a loop over the condition, written out
/// in the waiting function, so that the analysis sees the guarded reads under the lock. [any]
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  void Wait(Mutex& mutex) MUSTER_REQUIRES(mutex) MUSTER_NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex.m_mutex, std::adopt_lock);
    m_condition.wait(lock);
    lock.release();
  }

  /// False when the time passed without a signal.
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds limit) MUSTER_REQUIRES(mutex) MUSTER_NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex.m_mutex, std::adopt_lock);
    const std::cv_status status = m_condition.wait_for(lock, limit);
    lock.release();
    return status == std::cv_status::no_timeout;
  }

  void NotifyOne() noexcept { m_condition.notify_one(); }
  void NotifyAll() noexcept { m_condition.notify_all(); }

 private:
  std::condition_variable m_condition;
};

}  // namespace muster
