// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Link/ClientLink.h"
#include "LinkCounters.h"
#include "MessageRing.h"
#include "PeerChannel.h"
#include "Protocol/Sealing.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muster::link {

class ClientLink::Impl {
 public:
  Impl(TransportSource transport, ClientLinkConfig config, const IClock& clock);

  Result<void> Connect(const mu_address& server);
  void Service();
  bool PollEvent(LinkEvent& event);
  bool SendPacket(std::uint32_t sequence, std::span<const std::byte> message);
  bool SendReliable(std::span<const std::byte> message);
  void Disconnect(DisconnectReason reason);

  [[nodiscard]] State Phase() const noexcept { return m_state; }
  [[nodiscard]] const std::optional<Error>& Failure() const noexcept { return m_failure; }
  [[nodiscard]] std::size_t MaxPacketMessageBytes() const noexcept;
  [[nodiscard]] int WaitHandle() const { return m_transport ? m_transport.WaitHandle() : -1; }
  [[nodiscard]] LinkStats Stats() const { return m_counters.Snapshot(); }

 private:
  static constexpr PeerId kServer{1};
  static constexpr std::size_t kEventsPerCall = 64;
  static constexpr int kCallsPerPass = 16;

  void ReceiveAll();
  void OnEvent(const mu_transport_event& event);
  void OnConnected();
  void OnDisconnected(const mu_transport_event& event);
  void OnMessage(const mu_transport_event& event);
  void OnClear(std::span<const std::byte> envelope);
  void OnServerHello(std::span<const std::byte> envelope);
  void OnSealedPacket(std::span<const std::byte> envelope);
  void OnSealedReliable(std::span<const std::byte> envelope);
  void Give(const LinkEvent& event, std::span<const std::byte> payload);
  mu_status SendEnvelope(std::uint32_t channel, std::span<const std::byte> envelope);
  /// Ends with this failure; the first one counts.
  void Fail(Error failure, DisconnectReason reason, std::uint32_t detail = 0);
  void Close(DisconnectReason reason, std::uint32_t detail);
  [[nodiscard]] Error LostError(const mu_transport_event& event) const;

  const ClientLinkConfig m_config;
  const IClock& m_clock;
  TransportSource m_source;
  TransportHandle m_transport;
  LinkCounters m_counters;
  MessageQueue<LinkEvent> m_events;
  bool m_eventShown = false;

  State m_state = State::Idle;
  std::string m_server;
  mu_address m_serverAddress{};
  mu_connection m_connection = 0;
  MonotonicTime m_now{};
  MonotonicTime m_deadline{};
  bool m_leaving = false;
  DisconnectReason m_leaveReason = DisconnectReason::None;
  bool m_told = false;
  std::optional<Error> m_failure;

  std::optional<protocol::KeyExchange> m_exchange;
  std::vector<std::byte> m_hello;
  std::unique_ptr<PeerChannel> m_channel;
  std::vector<std::byte> m_sealed;
  std::vector<std::byte> m_scratch;
  std::vector<mu_transport_event> m_received;
};

}  // namespace muster::link
