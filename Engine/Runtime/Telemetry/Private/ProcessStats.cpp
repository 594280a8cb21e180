// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Telemetry/ProcessStats.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace muster::telemetry {

namespace {

/// Reads a small /proc file from its beginning; empty on failure. `buffer` ends up terminated.
template <std::size_t N>
bool ReadSmall(int descriptor, std::array<char, N>& buffer) {
  ssize_t size = 0;
  do {
    size = ::pread(descriptor, buffer.data(), N - 1, 0);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) {
    return false;
  }
  buffer[static_cast<std::size_t>(size)] = '\0';
  return true;
}

}  // namespace

std::uint64_t ResidentKib() {
  const int descriptor = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return 0;
  }
  std::array<char, 128> buffer{};
  const bool isRead = ReadSmall(descriptor, buffer);
  ::close(descriptor);
  if (!isRead) {
    return 0;
  }
  char* end = nullptr;
  std::strtoull(buffer.data(), &end, 10);  // total size, not wanted
  const unsigned long long pages = std::strtoull(end, nullptr, 10);
  return pages * (static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024U);
}

std::chrono::nanoseconds ProcessCpuTime() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

ThreadSchedulerMeter::ThreadSchedulerMeter() {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%ld/schedstat", ::syscall(SYS_gettid));
  m_descriptor = ::open(path.data(), O_RDONLY | O_CLOEXEC);
}

ThreadSchedulerMeter::~ThreadSchedulerMeter() {
  if (m_descriptor >= 0) {
    ::close(m_descriptor);
  }
}

std::optional<SchedulerTimes> ThreadSchedulerMeter::Read() const {
  std::array<char, 128> buffer{};
  if (m_descriptor < 0 || !ReadSmall(m_descriptor, buffer)) {
    return std::nullopt;
  }
  char* end = nullptr;
  SchedulerTimes times;
  times.running = std::chrono::nanoseconds{std::strtoll(buffer.data(), &end, 10)};
  times.waiting = std::chrono::nanoseconds{std::strtoll(end, nullptr, 10)};
  return times;
}

}  // namespace muster::telemetry
