// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmWorker.h"

#include "Core/ThreadName.h"

#include <sys/epoll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>

namespace muster::swarm {

namespace {

/// Every client is looked at this often whether or not something arrived, so no input leaves later than this.
constexpr std::chrono::nanoseconds kPassInterval = kTickDuration / 4;
constexpr std::chrono::milliseconds kLeaveTime{1'500};

float FloatMillis(std::chrono::nanoseconds duration) {
  return std::chrono::duration<float, std::milli>(duration).count();
}

}  // namespace

SwarmWorker::SwarmWorker(Plan plan, std::vector<std::unique_ptr<SwarmClient>> clients, IClock& clock,
                         std::atomic<bool>& stop)
    : m_plan(std::move(plan)),
      m_clients(std::move(clients)),
      m_clock(clock),
      m_stop(stop),
      m_epoll(::epoll_create1(EPOLL_CLOEXEC)),
      m_thread([this] { Run(); }) {}

SwarmWorker::~SwarmWorker() {
  Join();
  if (m_epoll >= 0) {
    ::close(m_epoll);
  }
}

void SwarmWorker::Join() {
  if (m_thread.joinable()) {
    m_thread.join();
  }
}

void SwarmWorker::Run() {
  NameThisThread("swarm-worker");
  MonotonicTime nextPass = m_plan.start;
  while (!m_stop.load(std::memory_order_relaxed)) {
    const MonotonicTime now = m_clock.Now();
    if (now >= m_plan.end) {
      break;
    }
    ConnectDue(now);
    if (now >= nextPass) {
      PassOverAll();
      m_result.passLateMs.push_back(FloatMillis(now - nextPass));
      m_result.passMs.push_back(FloatMillis(m_clock.Now() - now));
      // Passes that could not be made in time are not made up for; how late this one was has been noted.
      nextPass = std::max(nextPass + kPassInterval, m_clock.Now());
    }
    WaitUntil(nextPass);
  }
  for (const auto& client : m_clients) {
    m_clientResults.push_back(client->Result());
  }
  LeaveAll();
}

void SwarmWorker::ConnectDue(MonotonicTime now) {
  while (m_connected < m_clients.size() && now >= m_plan.start + m_plan.ramp * m_plan.clientIndices[m_connected]) {
    SwarmClient& client = *m_clients[m_connected];
    client.Connect(m_plan.server);
    if (const int descriptor = client.WaitHandle(); descriptor >= 0) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &client;
      ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, descriptor, &event);
    }
    ++m_connected;
  }
}

void SwarmWorker::WaitUntil(MonotonicTime deadline) {
  std::array<epoll_event, 64> events{};
  const auto left = deadline - m_clock.Now();
  if (left <= std::chrono::nanoseconds{0}) {
    return;
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
  const timespec timeout{static_cast<time_t>(seconds.count()), static_cast<long>((left - seconds).count())};
  const int count = ::epoll_pwait2(m_epoll, events.data(), static_cast<int>(events.size()), &timeout, nullptr);
  for (int i = 0; i < count; ++i) {
    auto& client = *static_cast<SwarmClient*>(events[static_cast<std::size_t>(i)].data.ptr);
    client.Update();
    if (client.IsOver()) {
      // Nobody reads its socket any more, which would keep waking this thread.
      ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, client.WaitHandle(), nullptr);
    }
  }
}

void SwarmWorker::PassOverAll() {
  std::uint32_t playing = 0;
  std::uint32_t over = 0;
  for (std::size_t i = 0; i < m_connected; ++i) {
    SwarmClient& client = *m_clients[i];
    client.Update();
    playing += client.IsPlaying() ? 1U : 0U;
    over += client.IsOver() ? 1U : 0U;
  }
  m_progress.playing.store(playing, std::memory_order_relaxed);
  m_progress.over.store(over, std::memory_order_relaxed);
  m_progress.connecting.store(static_cast<std::uint32_t>(m_connected) - playing - over, std::memory_order_relaxed);
}

void SwarmWorker::LeaveAll() {
  const MonotonicTime giveUp = m_clock.Now() + kLeaveTime;
  for (std::size_t i = 0; i < m_connected; ++i) {
    m_clients[i]->Leave();
  }
  const auto isAnyLeft = [this] {
    return std::any_of(m_clients.begin(), m_clients.begin() + static_cast<std::ptrdiff_t>(m_connected),
                       [](const auto& client) { return !client->IsOver(); });
  };
  while (isAnyLeft() && m_clock.Now() < giveUp) {
    PassOverAll();
    m_clock.SleepUntil(m_clock.Now() + kPassInterval);
  }
}

}  // namespace muster::swarm
