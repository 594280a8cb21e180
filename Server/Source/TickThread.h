// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The thread that ticks: runs the server's pipeline at 60 Hz and, between two ticks, what other threads ask of the
// world.
//
//   TickThread ticks{server, clock, {.maxCatchupTicks = 3}, log};      // starts
//   const std::optional<std::string> text = ticks.Ask([&] { return console.Execute(line); });
//   ticks.Stop();
//
// The destructor stops it too.
#pragma once

#include "GameServer.h"

#include "Core/Log.h"
#include "Core/Mutex.h"
#include "Simulation/FixedStepLoop.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace muster::server {

/// What the tick thread tells of itself. [any]
struct TickFigures {
  std::uint32_t peers = 0;
  std::uint32_t entities = 0;
  std::uint64_t tick = 0;
  std::uint64_t droppedTicks = 0;
  std::uint64_t lateTicks = 0;
  std::uint64_t lateTicksWaiting = 0;
  std::chrono::nanoseconds runQueueWait{0};
};

class TickThread {
 public:
  /// Server and clock outlive the thread.
  TickThread(GameServer& server, IClock& clock, const simulation::FixedStepConfig& loop, const Logger& log);
  ~TickThread();
  TickThread(const TickThread&) = delete;
  TickThread& operator=(const TickThread&) = delete;

  using Job = std::function<std::string()>;

  /// Runs `job` between two ticks and gives its result; empty when the tick did not come to it within `patience`: the
  /// job may still run later. [main]
  std::optional<std::string> Ask(Job job, std::chrono::milliseconds patience = std::chrono::seconds{5});

  /// Ends after the tick at hand. [main]
  void Stop();

  /// False once the thread has ended, wanted or not. [any]
  [[nodiscard]] bool IsRunning() const { return m_isRunning.load(std::memory_order_acquire); }

  [[nodiscard]] TickFigures Figures() const;

 private:
  /// Shared by the asker, who may give up, and the tick thread, which may come later.
  struct Question;

  void Run();
  void RunTick(Tick tick);
  void Answer();
  void Publish(Tick tick);

  GameServer& m_server;
  Logger m_log;
  simulation::FixedStepLoop m_loop;
  std::atomic<bool> m_stop{false};
  std::atomic<bool> m_isRunning{true};

  Mutex m_mutex;
  std::vector<std::shared_ptr<Question>> m_questions MUSTER_GUARDED_BY(m_mutex);
  std::atomic<bool> m_hasQuestions{false};

  std::atomic<std::uint32_t> m_peers{0};
  std::atomic<std::uint32_t> m_entities{0};
  std::atomic<std::uint64_t> m_tick{0};
  std::atomic<std::uint64_t> m_lateWaiting{0};
  std::atomic<std::int64_t> m_waitNanos{0};

  std::uint64_t m_lateSeen = 0;  // the tick thread's own
  std::chrono::nanoseconds m_waitSeen{0};

  std::thread m_thread;
};

}  // namespace muster::server
