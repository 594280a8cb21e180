// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A thread that drives its share of the clients: wakes for what arrives and for what is due, and measures itself.
#pragma once

#include "SwarmClient.h"

#include "Core/Clock.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace muster::swarm {

struct WorkerResult {
  std::vector<float> passMs;      ///< work of each full pass over the clients
  std::vector<float> passLateMs;  ///< how late each began
};

/// What the main thread shows while the run goes on. [any]
struct WorkerProgress {
  std::atomic<std::uint32_t> connecting{0};
  std::atomic<std::uint32_t> playing{0};
  std::atomic<std::uint32_t> over{0};
};

class SwarmWorker {
 public:
  struct Plan {
    mu_address server{};
    MonotonicTime start{};                     ///< of the whole run
    std::chrono::nanoseconds ramp{0};          ///< between two connects of the run
    MonotonicTime end{};                       ///< then everybody leaves
    std::vector<std::uint32_t> clientIndices;  ///< of the run, ascending
  };

  /// Starts the thread. Clients are in the order of the indices.
  SwarmWorker(Plan plan, std::vector<std::unique_ptr<SwarmClient>> clients, IClock& clock, std::atomic<bool>& stop);
  ~SwarmWorker();
  SwarmWorker(const SwarmWorker&) = delete;
  SwarmWorker& operator=(const SwarmWorker&) = delete;

  void Join();
  [[nodiscard]] const WorkerProgress& Progress() const { return m_progress; }
  /// After Join.
  [[nodiscard]] const WorkerResult& Result() const { return m_result; }
  [[nodiscard]] const std::vector<ClientResult>& ClientResults() const { return m_clientResults; }

 private:
  void Run();
  void ConnectDue(MonotonicTime now);
  void WaitUntil(MonotonicTime deadline);
  void PassOverAll();
  void LeaveAll();

  Plan m_plan;
  std::vector<std::unique_ptr<SwarmClient>> m_clients;
  IClock& m_clock;
  std::atomic<bool>& m_stop;
  int m_epoll = -1;
  std::size_t m_connected = 0;  ///< how many have begun
  WorkerProgress m_progress;
  WorkerResult m_result;
  std::vector<ClientResult> m_clientResults;
  std::thread m_thread;
};

}  // namespace muster::swarm
