// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CaptureRelay.h"

#include "UdpSocket.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxDatagramBytes = 65'536;
constexpr int kWaitMs = 5;

}  // namespace

Result<std::unique_ptr<CaptureRelay>> CaptureRelay::Start(std::uint16_t serverPort) {
  const auto clientSide = OpenLoopbackSocket();
  if (!clientSide) {
    return clientSide.Failure();
  }
  const auto serverSide = OpenLoopbackSocket();
  if (!serverSide) {
    ::close(*clientSide);
    return serverSide.Failure();
  }
  // From here on the object closes both.
  std::unique_ptr<CaptureRelay> relay{new CaptureRelay{*clientSide, *serverSide, PortOfSocket(*clientSide)}};
  if (Result<void> connected = ConnectSocket(*serverSide, serverPort); !connected) {
    return std::move(connected).Failure();
  }
  relay->m_thread = std::thread{[self = relay.get()] { self->Run(); }};
  return relay;
}

CaptureRelay::CaptureRelay(int clientSide, int serverSide, std::uint16_t port)
    : m_clientSide(clientSide), m_serverSide(serverSide), m_port(port), m_buffer(kMaxDatagramBytes) {}

CaptureRelay::~CaptureRelay() {
  m_stop.store(true);
  if (m_thread.joinable()) {
    m_thread.join();
  }
  ::close(m_clientSide);
  ::close(m_serverSide);
}

std::vector<Datagram> CaptureRelay::Captured() const {
  const MutexLock lock{m_mutex};
  return m_captured;
}

void CaptureRelay::Run() {
  std::uint64_t due = 0;
  while (!m_stop.load(std::memory_order_relaxed)) {
    std::array<pollfd, 2> waits{{{m_clientSide, POLLIN, 0}, {m_serverSide, POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), kWaitMs);
    FromClient();
    FromServer();
    Replay(due);
  }
}

void CaptureRelay::FromClient() {
  for (;;) {
    sockaddr_in from{};
    socklen_t fromSize = sizeof from;
    const ssize_t size =
        ::recvfrom(m_clientSide, m_buffer.data(), m_buffer.size(), 0, reinterpret_cast<sockaddr*>(&from), &fromSize);
    if (size < 0) {
      return;
    }
    m_clientPort = ntohs(from.sin_port);
    (void)!::send(m_serverSide, m_buffer.data(), static_cast<std::size_t>(size), 0);
    {
      const MutexLock lock{m_mutex};
      if (m_captured.size() < kMaxCaptured) {
        m_captured.emplace_back(m_buffer.begin(), m_buffer.begin() + size);
      }
    }
    m_forwarded.fetch_add(1, std::memory_order_release);
  }
}

void CaptureRelay::FromServer() {
  for (;;) {
    const ssize_t size = ::recv(m_serverSide, m_buffer.data(), m_buffer.size(), 0);
    if (size < 0) {
      return;
    }
    sockaddr_in client{};
    client.sin_family = AF_INET;
    client.sin_port = htons(m_clientPort);
    client.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)!::sendto(m_clientSide, m_buffer.data(), static_cast<std::size_t>(size), 0,
                    reinterpret_cast<const sockaddr*>(&client), sizeof client);
  }
}

void CaptureRelay::Replay(std::uint64_t& due) {
  const double perSecond = m_replayPerSecond.load(std::memory_order_relaxed);
  if (perSecond <= 0) {
    due = 0;
    return;
  }
  const auto now = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  const auto interval = static_cast<std::uint64_t>(1e9 / perSecond);
  if (due == 0) {
    due = now;
  }
  const MutexLock lock{m_mutex};
  for (; due <= now && !m_captured.empty(); due += interval) {
    const std::uint64_t turn = m_replayed.fetch_add(1, std::memory_order_relaxed);
    const Datagram& old = m_captured[turn % m_captured.size()];
    (void)!::send(m_serverSide, old.data(), old.size(), 0);
  }
}

}  // namespace muster::gate
