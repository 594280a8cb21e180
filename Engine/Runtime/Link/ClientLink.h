// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One outgoing connection with a socket of its own. Everything happens on the caller's thread, in Service.
//
//   ClientLink link(transportTable, config, clock);
//   link.Connect(address);
//   for (;;) {
//     link.Service();
//     LinkEvent event;
//     while (link.PollEvent(event)) { ... }
//     if (link.Phase() == ClientLink::State::Closed) { show(*link.Failure()); }
//   }
//
// The peer of every event is PeerId{1}. One thread at a time.
#pragma once

#include "Core/Clock.h"
#include "Core/Result.h"
#include "Link/LinkEvent.h"
#include "Link/LinkStats.h"
#include "Link/TransportHandle.h"
#include "Protocol/Wire.h"
#include "Protocol/WireIdentity.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace muster::link {

// Why a client has no connection, beside the server's own refusals (Protocol/RefusalCodes.h).
inline constexpr ErrorCode kNoAnswer{3110, "NoAnswer"};
inline constexpr ErrorCode kConnectionRefused{3111, "ConnectionRefused"};
inline constexpr ErrorCode kConnectionLost{3112, "ConnectionLost"};
inline constexpr ErrorCode kConnectionClosed{3113, "ConnectionClosed"};
inline constexpr ErrorCode kServerUnintelligible{3114, "ServerUnintelligible"};

struct ClientLinkConfig {
  protocol::WireIdentity identity{};
  /// What the client says it speaks; anything but the default is for tests of the refusal.
  std::uint16_t protocolVersion = protocol::kProtocolVersion;
  std::uint32_t maxDatagramBytes = 1200;
  std::uint32_t maxMessageBytes = 65'536;
  std::uint32_t reliableBacklogBytes = 262'144;
  std::chrono::milliseconds silenceTimeout{10'000};
  /// From Connect to agreed keys.
  std::chrono::milliseconds connectTimeout{5'000};
  std::size_t eventRingBytes = std::size_t{256} << 10;
};

class ClientLink {
 public:
  enum class State : std::uint8_t { Idle, Connecting, Handshaking, Open, Closed };

  /// `clock` outlives the link.
  ClientLink(TransportSource transport, ClientLinkConfig config, const IClock& clock);
  ClientLink(const ClientLink&) = delete;
  ClientLink& operator=(const ClientLink&) = delete;
  /// Closes the socket at once, tells nobody; Disconnect and a Service before it are the polite way.
  ~ClientLink();

  /// Begins; once per link. Fails with kTransportFailed or kSealingUnavailable. Its outcome is a Connected event, or
  /// state Closed with a Failure.
  Result<void> Connect(const mu_address& server);

  /// One pass; never blocks.
  void Service();
  bool PollEvent(LinkEvent& event);

  /// False (and counted) unless the state is Open and the transport took it. Sent with the next Service.
  bool SendPacket(std::uint32_t sequence, std::span<const std::byte> message);
  bool SendReliable(std::span<const std::byte> message);

  /// Ends the connection after what was sent reliably; the Disconnected event follows with a later Service. At once
  /// where there is no connection yet.
  void Disconnect(DisconnectReason reason = DisconnectReason::Left);

  [[nodiscard]] State Phase() const noexcept;
  /// Why the state is Closed; nothing while it is not, and nothing after an own Disconnect.
  [[nodiscard]] const std::optional<Error>& Failure() const noexcept;
  [[nodiscard]] std::size_t MaxPacketMessageBytes() const noexcept;
  /// Readable when Service has something to do; -1 for none.
  [[nodiscard]] int WaitHandle() const;
  [[nodiscard]] LinkStats Stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace muster::link
