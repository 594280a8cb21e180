// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The thread that drives a ServerLink: sleeps until the socket or the simulation has something, then services.
#pragma once

#include "Core/Log.h"
#include "Link/ServerLink.h"

#include <atomic>
#include <thread>

namespace muster::link {

/// Starts in the constructor, ends in the destructor (or in Stop). All signals are blocked on it. The link outlives it.
class NetworkThread {
 public:
  NetworkThread(ServerLink& link, const Logger& log);
  NetworkThread(const NetworkThread&) = delete;
  NetworkThread& operator=(const NetworkThread&) = delete;
  ~NetworkThread();

  /// Runs one last pass, so that what was sent before leaves, and waits for the end. [main][sim], once Wake is no
  /// longer called.
  void Stop();

  /// False once the thread has ended by a failure it could not go on from; the log has it. [any]
  [[nodiscard]] bool IsRunning() const noexcept { return m_running.load(std::memory_order_acquire); }

 private:
  void Run();

  ServerLink& m_link;
  Logger m_log;
  std::atomic<bool> m_stop{false};
  std::atomic<bool> m_running{true};
  std::thread m_thread;
};

}  // namespace muster::link
