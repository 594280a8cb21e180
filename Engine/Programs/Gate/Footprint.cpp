// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kReadingsAtRest = 6;
constexpr std::chrono::milliseconds kBetweenReadings{70};
constexpr std::chrono::milliseconds kBetweenLooks{200};

struct Compared {
  std::string_view name;
  std::uint64_t Footprint::*field;
};

constexpr std::array<Compared, 6> kCompared{{{"players", &Footprint::players},
                                             {"sessions", &Footprint::sessions},
                                             {"half-open connections", &Footprint::halfOpen},
                                             {"entities", &Footprint::entities},
                                             {"descriptors", &Footprint::descriptors},
                                             {"threads", &Footprint::threads}}};

std::uint64_t EntriesOf(const std::string& folder) {
  std::uint64_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator it{folder, error}; !error && it != std::filesystem::directory_iterator{};
       it.increment(error)) {
    ++count;
  }
  return count;
}

}  // namespace

std::uint64_t ResidentKibOf(pid_t process) {
  std::ifstream file{fmt::format("/proc/{}/status", process)};
  for (std::string word; file >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmRSS:" && file >> kib) {
      return kib;
    }
  }
  return 0;
}

Result<Footprint> TakeFootprint(ServerProcess& server) {
  const auto status = server.Status();
  if (!status) {
    return status.Failure();
  }
  return Footprint{.players = status->players,
                   .sessions = status->sessions,
                   .halfOpen = status->Count("half_open"),
                   .entities = status->entities,
                   .descriptors = EntriesOf(fmt::format("/proc/{}/fd", server.Id())),
                   .threads = EntriesOf(fmt::format("/proc/{}/task", server.Id())),
                   .residentKib = ResidentKibOf(server.Id())};
}

Result<Footprint> TakeFootprintAtRest(ServerProcess& server, const StopFlag& stop) {
  auto least = TakeFootprint(server);
  for (int i = 1; i < kReadingsAtRest && least; ++i) {
    if (stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    std::this_thread::sleep_for(kBetweenReadings);
    auto next = TakeFootprint(server);
    if (!next) {
      return next;
    }
    next->descriptors = std::min(next->descriptors, least->descriptors);
    least = std::move(next);
  }
  return least;
}

std::string Leftovers(const Footprint& before, const Footprint& after) {
  std::string text;
  for (const Compared& compared : kCompared) {
    const std::uint64_t was = before.*compared.field;
    const std::uint64_t is = after.*compared.field;
    if (was != is) {
      text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", compared.name, was, is);
    }
  }
  return text.empty() ? "none" : text;
}

Result<Footprint> AwaitNoLeftovers(ServerProcess& server, const Footprint& before, double patienceSeconds,
                                   const StopFlag& stop) {
  const auto deadline = Clock::now() + std::chrono::duration<double>{patienceSeconds};
  for (;;) {
    auto now = TakeFootprint(server);
    if (!now || Clock::now() > deadline || Leftovers(before, *now) == "none") {
      return now;
    }
    if (stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace muster::gate
