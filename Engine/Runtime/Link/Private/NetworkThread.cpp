// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/NetworkThread.h"

#include "Core/ThreadName.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <exception>

namespace muster::link {

namespace {

// A transport resends and times out in Service: it is called this often even when nothing arrives.
constexpr int kIdleMilliseconds = 5;
// Without a descriptor nothing tells that something arrived.
constexpr int kBlindMilliseconds = 1;

/// Blocks every signal while it lives; a thread started meanwhile keeps them blocked.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &m_before);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

 private:
  sigset_t m_before{};
};

}  // namespace

NetworkThread::NetworkThread(ServerLink& link, const Logger& log) : m_link(link), m_log(log) {
  const SignalsBlocked blocked;
  m_thread = std::thread([this] { Run(); });
  pthread_setname_np(m_thread.native_handle(), "muster-net");
}

NetworkThread::~NetworkThread() {
  Stop();
}

void NetworkThread::Stop() {
  if (m_thread.joinable()) {
    m_stop.store(true, std::memory_order_release);
    m_link.Wake();
    m_thread.join();
  }
}

void NetworkThread::Run() {
  NameThisThread("muster-net");
  try {
    std::array<pollfd, 2> waits{};
    const int transport = m_link.TransportWaitHandle();
    waits[0] = {m_link.WakeHandle(), POLLIN, 0};
    waits[1] = {transport, POLLIN, 0};
    while (!m_stop.load(std::memory_order_acquire)) {
      const int limit = m_link.HasWork() ? 0 : transport >= 0 ? kIdleMilliseconds : kBlindMilliseconds;
      if (poll(waits.data(), waits.size(), limit) < 0 && errno != EINTR) {
        m_log.Error("the network thread cannot wait (errno {}) and ends", errno);
        break;
      }
      m_link.Service();
    }
    m_link.Service();
  } catch (const std::exception& failure) {
    m_log.Error("the network thread ends: {}", failure.what());
  }
  m_running.store(false, std::memory_order_release);
}

}  // namespace muster::link
