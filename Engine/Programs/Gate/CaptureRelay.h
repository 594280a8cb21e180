// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Stands between one client and the server and keeps what the client sends: real datagrams of whatever transport is in
// use, for a storm to be made of, and a count by which a client can be ended at a chosen point of its join.
//
//   auto relay = CaptureRelay::Start(server.Port());
//   ... a client connects to relay->Port() ...
//   std::vector<Datagram> captured = (*relay)->Captured();
//   (*relay)->ReplayInItsName(50);                          // the server cannot tell these from the client's own
#pragma once

#include "Core/Mutex.h"
#include "Core/Result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace muster::gate {

using Datagram = std::vector<std::byte>;

/// One client, loopback only. Has a thread of its own; methods are for any thread.
class CaptureRelay {
 public:
  /// Fails with kSocketFailed.
  static Result<std::unique_ptr<CaptureRelay>> Start(std::uint16_t serverPort);
  ~CaptureRelay();
  CaptureRelay(const CaptureRelay&) = delete;
  CaptureRelay& operator=(const CaptureRelay&) = delete;

  [[nodiscard]] std::uint16_t Port() const { return m_port; }
  /// Datagrams of the client that went to the server.
  [[nodiscard]] std::uint64_t Forwarded() const { return m_forwarded.load(std::memory_order_acquire); }
  /// The first of them, in order, at most kMaxCaptured.
  [[nodiscard]] std::vector<Datagram> Captured() const;

  /// From now on old datagrams are sent again beside the new ones, so many a second; 0 ends it.
  void ReplayInItsName(double perSecond) { m_replayPerSecond.store(perSecond, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t Replayed() const { return m_replayed.load(std::memory_order_relaxed); }

  static constexpr std::size_t kMaxCaptured = 512;

 private:
  CaptureRelay(int clientSide, int serverSide, std::uint16_t port);
  void Run();
  void FromClient();
  void FromServer();
  void Replay(std::uint64_t& due);

  int m_clientSide;  ///< bound; what it hears comes from the client
  int m_serverSide;  ///< connected to the server
  std::uint16_t m_port;
  // The relay thread's own.
  std::vector<std::byte> m_buffer;
  std::uint16_t m_clientPort = 0;
  std::atomic<std::uint64_t> m_forwarded{0};
  std::atomic<double> m_replayPerSecond{0};
  std::atomic<std::uint64_t> m_replayed{0};
  std::atomic<bool> m_stop{false};
  mutable Mutex m_mutex;
  std::vector<Datagram> m_captured MUSTER_GUARDED_BY(m_mutex);
  std::thread m_thread;
};

}  // namespace muster::gate
