// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ThreadTimes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace muster::gate {

ThreadTimes ReadThreadTimes(pid_t process) {
  ThreadTimes times;
  std::error_code error;
  std::filesystem::directory_iterator threads{fmt::format("/proc/{}/task", process), error};
  for (; !error && threads != std::filesystem::directory_iterator{}; threads.increment(error)) {
    std::ifstream file{threads->path() / "schedstat"};
    std::int64_t running = 0;
    std::int64_t waiting = 0;
    if (file >> running >> waiting) {
      const auto id = static_cast<pid_t>(std::strtol(threads->path().filename().c_str(), nullptr, 10));
      times[id] = {std::chrono::nanoseconds{running}, std::chrono::nanoseconds{waiting}};
    }
  }
  return times;
}

double LargestWaitShare(const ThreadTimes& before, const ThreadTimes& after, std::chrono::nanoseconds elapsed) {
  std::chrono::nanoseconds longest{0};
  for (const auto& [id, time] : after) {
    if (const auto found = before.find(id); found != before.end()) {
      longest = std::max(longest, time.waiting - found->second.waiting);
    }
  }
  return elapsed.count() > 0 ? static_cast<double>(longest.count()) / static_cast<double>(elapsed.count()) : 0.0;
}

}  // namespace muster::gate
