// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Sends a storm of hostile datagrams at a steady pace, from several addresses of the loopback net, on a thread of its own.
//
//   auto sender = StormSender::Start(plan, relay->Captured(), server.Port());
//   while (!(*sender)->IsOver()) { ... }
//   const StormTally tally = (*sender)->Tally();
#pragma once

#include "CaptureRelay.h"
#include "DatagramMaker.h"

#include "Core/Result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace muster::gate {

struct StormPlan {
  std::uint64_t datagrams = 10'000;  ///< in all, oversize ones not counted
  double perSecond = 5'000;
  double oversizePerSecond = 3'000;
  double oversizeSeconds = 2;  ///< from the storm's beginning
  std::uint32_t sources = 8;   ///< 127.0.0.2 and so on, at most 200
  std::uint64_t seed = 1;

  [[nodiscard]] double Seconds() const { return static_cast<double>(datagrams) / perSecond; }
};

struct StormTally {
  std::uint64_t sent = 0;
  std::uint64_t oversizeSent = 0;
  std::uint64_t notSent = 0;  ///< that the system did not take
};

class StormSender {
 public:
  /// Begins at once. Fails with kSocketFailed.
  static Result<std::unique_ptr<StormSender>> Start(const StormPlan& plan, std::vector<Datagram> captures,
                                                    std::uint16_t port);
  ~StormSender();
  StormSender(const StormSender&) = delete;
  StormSender& operator=(const StormSender&) = delete;

  // [any]
  [[nodiscard]] bool IsOver() const { return m_isOver.load(std::memory_order_acquire); }
  [[nodiscard]] StormTally Tally() const;

 private:
  StormSender(const StormPlan& plan, std::vector<Datagram> captures, std::vector<int> sockets);
  void Run();
  void SendDue(double perSecond, double seconds, std::uint64_t limit, std::uint64_t& done, bool isOversize);

  StormPlan m_plan;
  DatagramMaker m_maker;
  std::vector<int> m_sockets;
  std::size_t m_nextSocket = 0;
  std::atomic<std::uint64_t> m_sent{0}, m_oversizeSent{0}, m_notSent{0};
  std::atomic<bool> m_isOver{false};
  std::atomic<bool> m_stop{false};
  std::thread m_thread;
};

}  // namespace muster::gate
