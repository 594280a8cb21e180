// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "StormSender.h"

#include "UdpSocket.h"

#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPace{1};
/// A sender that was held up makes up for it gently, instead of with a burst that no rate speaks of.
constexpr double kMostBehindSeconds = 0.02;

}  // namespace

Result<std::unique_ptr<StormSender>> StormSender::Start(const StormPlan& plan, std::vector<Datagram> captures,
                                                        std::uint16_t port) {
  std::vector<int> sockets;
  std::unique_ptr<StormSender> sender{new StormSender{plan, std::move(captures), {}}};
  for (std::uint32_t i = 0; i < plan.sources; ++i) {
    const auto socket = OpenLoopbackSocket(static_cast<std::uint8_t>(2 + i));
    if (!socket) {
      return socket.Failure();
    }
    sender->m_sockets.push_back(*socket);
    if (Result<void> connected = ConnectSocket(*socket, port); !connected) {
      return std::move(connected).Failure();
    }
  }
  sender->m_thread = std::thread{[self = sender.get()] { self->Run(); }};
  return sender;
}

StormSender::StormSender(const StormPlan& plan, std::vector<Datagram> captures, std::vector<int> sockets)
    : m_plan(plan), m_maker(plan.seed, std::move(captures)), m_sockets(std::move(sockets)) {}

StormSender::~StormSender() {
  m_stop.store(true);
  if (m_thread.joinable()) {
    m_thread.join();
  }
  for (const int socket : m_sockets) {
    ::close(socket);
  }
}

StormTally StormSender::Tally() const {
  return {.sent = m_sent.load(std::memory_order_relaxed),
          .oversizeSent = m_oversizeSent.load(std::memory_order_relaxed),
          .notSent = m_notSent.load(std::memory_order_relaxed)};
}

void StormSender::Run() {
  const auto oversize = static_cast<std::uint64_t>(m_plan.oversizePerSecond * m_plan.oversizeSeconds);
  std::uint64_t done = 0;
  std::uint64_t oversizeDone = 0;
  double lastSeconds = 0;
  double heldUpSeconds = 0;  // time that is not made up for
  const auto begin = Clock::now();
  auto next = begin;
  while ((done < m_plan.datagrams || oversizeDone < oversize) && !m_stop.load(std::memory_order_relaxed)) {
    const double now = std::chrono::duration<double>(Clock::now() - begin).count();
    heldUpSeconds += std::max(0.0, now - lastSeconds - kMostBehindSeconds);
    lastSeconds = now;
    SendDue(m_plan.perSecond, now - heldUpSeconds, m_plan.datagrams, done, /*isOversize=*/false);
    SendDue(m_plan.oversizePerSecond, now - heldUpSeconds, oversize, oversizeDone, /*isOversize=*/true);
    next = std::max(next + kPace, Clock::now());
    std::this_thread::sleep_until(next);
  }
  m_isOver.store(true, std::memory_order_release);
}

void StormSender::SendDue(double perSecond, double seconds, std::uint64_t limit, std::uint64_t& done, bool isOversize) {
  const std::uint64_t due = std::min(limit, static_cast<std::uint64_t>(perSecond * seconds));
  for (; done < due; ++done) {
    const std::span<const std::byte> datagram = isOversize ? m_maker.NextOversize() : m_maker.Next();
    const int socket = m_sockets[m_nextSocket++ % m_sockets.size()];
    const bool isSent = ::send(socket, datagram.data(), datagram.size(), 0) >= 0;
    auto& counter = !isSent ? m_notSent : isOversize ? m_oversizeSent : m_sent;
    counter.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace muster::gate
