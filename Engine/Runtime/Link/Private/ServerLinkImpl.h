// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// ServerLink's inside. One file a side: ServerLink.cpp is the simulation's, ServerService.cpp the network thread's
// sending and time, ServerReceive.cpp its receiving.
#pragma once

#include "Core/Log.h"
#include "Core/LogThrottle.h"
#include "Link/ServerLink.h"
#include "LinkCounters.h"
#include "MessageRing.h"
#include "RawGate.h"
#include "SendBatch.h"
#include "ServerHandshake.h"
#include "ServerPeers.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::link {

/// What the simulation asks of the network thread.
struct LinkCommand {
  enum class Kind : std::uint8_t { SendPacket, SendReliable, Disconnect, ReportMalformed };
  Kind kind = Kind::SendPacket;
  DisconnectReason reason = DisconnectReason::None;
  PeerId peer{};
  std::uint32_t sequence = 0;
};

/// An eventfd that is written once for any number of wakes between two passes.
class WakeSignal {
 public:
  WakeSignal();
  WakeSignal(const WakeSignal&) = delete;
  WakeSignal& operator=(const WakeSignal&) = delete;
  ~WakeSignal();

  void Raise() noexcept;  ///< [sim]
  void Take() noexcept;   ///< [net] before looking for what the wake was about
  [[nodiscard]] int Descriptor() const noexcept { return m_descriptor; }

 private:
  int m_descriptor;
  std::atomic<bool> m_raised{false};
};

class ServerLink::Impl {
 public:
  Impl(TransportSource transport, ServerLinkConfig config, const IClock& clock, const Logger& log);

  Result<mu_address> Listen(const mu_address& bind);

  // [sim]
  bool PollEvent(LinkEvent& event);
  void SendPacket(PeerId peer, std::uint32_t sequence, std::span<const std::byte> message);
  void SendMust(const LinkCommand& command, std::span<const std::byte> message);
  void Wake();

  // [net]
  void Service();
  [[nodiscard]] int TransportWaitHandle() const { return m_transport ? m_transport.WaitHandle() : -1; }
  [[nodiscard]] int WakeHandle() const noexcept { return m_wake.Descriptor(); }
  [[nodiscard]] bool HasWork() const noexcept { return m_hellosWaiting > 0 || m_moreEvents; }

  // [any]
  [[nodiscard]] LinkStats Stats() const { return m_counters.Snapshot(); }
  [[nodiscard]] std::size_t PacketOverheadBytes() const noexcept { return m_packetOverheadBytes; }
  [[nodiscard]] const ServerLinkConfig& Config() const noexcept { return m_config; }

 private:
  static constexpr std::size_t kEventsPerCall = 128;
  static constexpr int kCallsPerPass = 32;

  // Sending and time.
  /// Makes up for time in which this process did not run.
  void PardonStall(MonotonicTime now);
  void DrainCommands(MonotonicTime now);
  void Execute(const LinkCommand& command, std::span<const std::byte> message, MonotonicTime now);
  void CloseRefused();
  void Close(ServerPeer& peer, DisconnectReason reason);
  void RunHandshakes(MonotonicTime now);
  void FinishHandshake(ServerPeer& peer, const protocol::SessionKeys& keys, MonotonicTime now);
  void ExpireHandshakes(MonotonicTime now);
  void BlameMalformed(ServerPeer& peer, MonotonicTime now);

  // Receiving.
  void ReceiveAll(MonotonicTime now);
  void OnConnected(const mu_transport_event& event, MonotonicTime now);
  void OnDisconnected(const mu_transport_event& event);
  void OnMessage(const mu_transport_event& event, MonotonicTime now);
  void OnClear(ServerPeer& peer, std::span<const std::byte> envelope, std::uint32_t channel);
  void OnSealedPacket(ServerPeer& peer, std::span<const std::byte> envelope, MonotonicTime now);
  void OnSealedReliable(ServerPeer& peer, std::span<const std::byte> envelope, MonotonicTime now);
  bool AllowGenuine(ServerPeer& peer, std::size_t bytes, MonotonicTime now);
  void GiveMust(ServerPeer& peer, const LinkEvent& event, std::span<const std::byte> payload);
  void Drop(DropReason reason, const mu_address& from);
  void LeaveHandshake(ServerPeer& peer) noexcept;

  const ServerLinkConfig m_config;
  const IClock& m_clock;
  const Logger m_log;
  LinkCounters m_counters;
  MessageQueue<LinkEvent> m_events;
  MessageQueue<LinkCommand> m_commands;
  WakeSignal m_wake;
  TransportSource m_source;
  std::size_t m_packetOverheadBytes;

  // [sim]
  bool m_eventShown = false;

  // [net]
  RawGate m_gate;
  TransportHandle m_transport;  // after the gate it calls
  ServerPeers m_peers;
  MonotonicTime m_lastService{};
  ServerHandshake m_handshake;
  SendBatch m_batch;
  LogThrottle m_throttle;
  std::vector<mu_transport_event> m_received;
  std::vector<std::byte> m_scratch;
  std::uint32_t m_halfOpen = 0;
  std::uint32_t m_open = 0;
  std::uint32_t m_hellosWaiting = 0;
  bool m_moreEvents = false;
};

}  // namespace muster::link
