// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LoopbackNetwork.h"

#include <iterator>
#include <utility>

namespace muster::loopback {

namespace {

constexpr std::uint16_t kFirstEphemeralPort = 49'152;
constexpr std::size_t kMaxArrivals = 4'096;
/// Like a socket's receive buffer: beyond it unreliable messages are lost.
constexpr std::size_t kMaxUnreliableFrames = 4'096;

void MoveToEnd(std::deque<Frame>& from, std::deque<Frame>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

LoopbackNetwork& LoopbackNetwork::Instance() {
  static LoopbackNetwork network;
  return network;
}

std::uint16_t LoopbackNetwork::TakePort(std::uint16_t wanted, bool isListening) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  std::uint32_t port = wanted;
  if (wanted == 0) {
    port = kFirstEphemeralPort;
    while (port <= UINT16_MAX && m_ports.contains(static_cast<std::uint16_t>(port))) {
      ++port;
    }
  }
  if (port > UINT16_MAX || m_ports.contains(static_cast<std::uint16_t>(port))) {
    return 0;
  }
  m_ports[static_cast<std::uint16_t>(port)].isListening = isListening;
  return static_cast<std::uint16_t>(port);
}

void LoopbackNetwork::ReleasePort(std::uint16_t port) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  m_ports.erase(port);
}

PipeKey LoopbackNetwork::OpenPipe(std::uint64_t nowNs) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  Pipe& pipe = m_pipes[++m_lastPipe];
  pipe.Of(Side::Client).servicedAtNs = nowNs;
  pipe.Of(Side::Server).servicedAtNs = nowNs;
  // Until a listener accepts it nobody holds the other end.
  pipe.Of(Side::Server).hasLeft = true;
  return m_lastPipe;
}

bool LoopbackNetwork::JoinPipe(PipeKey key, std::uint64_t nowNs) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_pipes.find(key);
  if (found == m_pipes.end()) {
    return false;
  }
  End& mine = found->second.Of(Side::Server);
  mine.hasLeft = false;
  mine.servicedAtNs = nowNs;
  return true;
}

void LoopbackNetwork::LeavePipe(PipeKey key, Side side, bool isOrderly) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_pipes.find(key);
  if (found == m_pipes.end()) {
    return;
  }
  End& end = found->second.Of(side);
  end.hasEnded = isOrderly;
  end.hasLeft = true;
  if (found->second.Of(Other(side)).hasLeft) {
    m_pipes.erase(found);
  }
}

bool LoopbackNetwork::Knock(std::uint16_t port, Arrival arrival, bool needsListener) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_ports.find(port);
  if (found == m_ports.end() || (needsListener && !found->second.isListening) ||
      found->second.arrivals.size() >= kMaxArrivals) {
    return false;
  }
  found->second.arrivals.push_back(std::move(arrival));
  return true;
}

std::deque<Arrival> LoopbackNetwork::TakeArrivals(std::uint16_t port) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_ports.find(port);
  return found == m_ports.end() ? std::deque<Arrival>{} : std::exchange(found->second.arrivals, {});
}

bool LoopbackNetwork::Post(PipeKey key, Side to, Frame frame) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_pipes.find(key);
  if (found == m_pipes.end()) {
    return false;
  }
  End& end = found->second.Of(to);
  if (frame.front() != static_cast<std::uint8_t>(FrameKind::Unreliable)) {
    end.reliableBytes += frame.size();
    end.reliable.push_back(std::move(frame));
    return true;
  }
  if (end.unreliable.size() >= kMaxUnreliableFrames) {
    return false;
  }
  end.unreliable.push_back(std::move(frame));
  return true;
}

std::uint64_t LoopbackNetwork::ReliableBytesTo(PipeKey key, Side to) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_pipes.find(key);
  return found == m_pipes.end() ? 0 : found->second.Of(to).reliableBytes;
}

void LoopbackNetwork::ReportConsumed(PipeKey key, Side by, std::uint64_t reliableBytes) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_pipes.find(key);
  if (found != m_pipes.end()) {
    found->second.Of(by).reliableBytes -= reliableBytes;
  }
}

PipeTurn LoopbackNetwork::TakeTurn(PipeKey key, Side side, std::uint64_t nowNs, std::deque<Frame>& reliable,
                                   std::deque<Frame>& unreliable) {
  const std::lock_guard<std::mutex> lock{m_mutex};
  const auto found = m_pipes.find(key);
  if (found == m_pipes.end()) {
    return PipeTurn{};
  }
  End& mine = found->second.Of(side);
  const End& other = found->second.Of(Other(side));
  mine.servicedAtNs = nowNs;
  MoveToEnd(mine.reliable, reliable);
  if (unreliable.size() < kMaxUnreliableFrames) {
    MoveToEnd(mine.unreliable, unreliable);
  }
  return PipeTurn{other.servicedAtNs, other.hasEnded};
}

}  // namespace muster::loopback
