// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A wall clock that can be stepped without touching the machine's: loaded in front of the C library (LD_PRELOAD), it adds
// the seconds that stand in the file named by MUSTER_CLOCK_OFFSET_FILE to everything that tells the time of day. The
// monotonic clocks stay what they are. The file is read anew every 20 ms at most, so a replaced file counts at once.
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::int64_t kReadEveryNanos = 20'000'000;

using ClockGettime = int (*)(clockid_t, timespec*);

std::atomic<std::int64_t> g_offsetSeconds{0};
std::atomic<std::int64_t> g_readAtNanos{0};

ClockGettime TrueClock() {
  static const auto clock = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  return clock;
}

std::int64_t OffsetSeconds() {
  timespec now{};
  TrueClock()(CLOCK_MONOTONIC, &now);
  const std::int64_t nanos = now.tv_sec * kNanosPerSecond + now.tv_nsec;
  std::int64_t readAt = g_readAtNanos.load(std::memory_order_relaxed);
  // One thread reads; the others go on with the offset that is known.
  if (nanos - readAt >= kReadEveryNanos && g_readAtNanos.compare_exchange_strong(readAt, nanos)) {
    const char* const path = std::getenv("MUSTER_CLOCK_OFFSET_FILE");
    if (std::FILE* const file = path != nullptr ? std::fopen(path, "re") : nullptr) {
      double seconds = 0;
      if (std::fscanf(file, "%lf", &seconds) == 1) {
        g_offsetSeconds.store(static_cast<std::int64_t>(seconds), std::memory_order_relaxed);
      }
      std::fclose(file);
    }
  }
  return g_offsetSeconds.load(std::memory_order_relaxed);
}

}  // namespace

// The C library declares these with attributes of its own; the definitions need none of them.
extern "C" {

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int result = TrueClock()(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += OffsetSeconds();
  }
  return result;
}

__attribute__((visibility("default"))) int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1'000;
  return 0;
}

__attribute__((visibility("default"))) time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) {
    *out = now.tv_sec;
  }
  return now.tv_sec;
}
}
