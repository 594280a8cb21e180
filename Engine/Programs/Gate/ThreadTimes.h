// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How long the threads of another process ran and how long they stood ready without a processor: what tells a slow
// program from a full machine.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>

namespace muster::gate {

struct ThreadTime {
  std::chrono::nanoseconds running{0};
  std::chrono::nanoseconds waiting{0};
};

/// By thread id.
using ThreadTimes = std::map<pid_t, ThreadTime>;

/// Threads of the process now; empty when it is gone or the kernel does not tell. [any]
ThreadTimes ReadThreadTimes(pid_t process);

/// Of the thread that waited most: the share of `elapsed` it stood in the run queue, 0..1. Threads that are in only one
/// of the two readings are passed over; 0 where none is in both. [any]
double LargestWaitShare(const ThreadTimes& before, const ThreadTimes& after, std::chrono::nanoseconds elapsed);

}  // namespace muster::gate
