// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the operating system says about this process and its threads. Linux; read from /proc.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace muster::telemetry {

/// Resident set in KiB; 0 where it cannot be read. [any]
std::uint64_t ResidentKib();

/// CPU time of the whole process, user and system. [any]
std::chrono::nanoseconds ProcessCpuTime();

/// How long a thread ran and how long it stood in the run queue, ready but without a processor. A late tick whose wait
/// explains it is the machine's doing, not the engine's.
struct SchedulerTimes {
  std::chrono::nanoseconds running{0};
  std::chrono::nanoseconds waiting{0};
};

/// Reads the calling thread's scheduler times cheaply enough for every tick (one pread on an open descriptor).
/// Make it on the thread it speaks of; [that thread] from then on.
class ThreadSchedulerMeter {
 public:
  ThreadSchedulerMeter();
  ~ThreadSchedulerMeter();
  ThreadSchedulerMeter(const ThreadSchedulerMeter&) = delete;
  ThreadSchedulerMeter& operator=(const ThreadSchedulerMeter&) = delete;

  /// Empty where the kernel does not tell.
  [[nodiscard]] std::optional<SchedulerTimes> Read() const;

 private:
  int m_descriptor = -1;
};

}  // namespace muster::telemetry
