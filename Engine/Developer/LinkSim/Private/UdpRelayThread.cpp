// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/ThreadName.h"
#include "LinkSim/UdpRelay.h"
#include "RelaySocket.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace muster::linksim {

class UdpRelayThread::Impl {
 public:
  Impl(UdpRelay& relay, const SteadyClock& clock)
      : m_relay(relay),
        m_clock(clock),
        m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        m_epoll(::epoll_create1(EPOLL_CLOEXEC)) {
    for (const int handle : {m_relay.WaitHandle(), m_wake.Get()}) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.fd = handle;
      ::epoll_ctl(m_epoll.Get(), EPOLL_CTL_ADD, handle, &event);
    }
    m_thread = std::thread([this] { Run(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    m_stop.store(true);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wake.Get(), &one, sizeof one);
    m_thread.join();
  }

 private:
  void Run() {
    NameThisThread("udp-relay");
    while (!m_stop.load()) {
      const std::optional<MonotonicTime> due = m_relay.Pump();
      // Long enough to cost nothing, short enough that a lost wake-up would hardly show.
      std::chrono::nanoseconds wait = std::chrono::milliseconds{100};
      if (due) {
        wait = std::clamp<std::chrono::nanoseconds>(*due - m_clock.Now(), std::chrono::nanoseconds{0}, wait);
      }
      const timespec timeout{0, static_cast<long>(wait.count())};
      epoll_event event{};
      ::epoll_pwait2(m_epoll.Get(), &event, 1, &timeout, nullptr);
    }
  }

  UdpRelay& m_relay;
  const SteadyClock& m_clock;
  Descriptor m_wake;
  Descriptor m_epoll;
  std::atomic<bool> m_stop{false};
  std::thread m_thread;
};

UdpRelayThread::UdpRelayThread(UdpRelay& relay, const SteadyClock& clock)
    : m_impl(std::make_unique<Impl>(relay, clock)) {}

UdpRelayThread::~UdpRelayThread() = default;

}  // namespace muster::linksim
