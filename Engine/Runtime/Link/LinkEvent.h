// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the link tells its user. A peer's events are Connected, then anything, then exactly one Disconnected.
#pragma once

#include "Core/Clock.h"
#include "Core/Ids.h"
#include "PluginApi/Transport.h"
#include "Protocol/Acks.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace muster::link {

/// Why a connection ended. The number travels as the transport's detail, for an end whose Goodbye did not arrive.
enum class DisconnectReason : std::uint8_t {
  None = 0,
  Left = 1,     ///< the client wanted to
  Timeout = 2,  ///< silence
  Refused = 3,  ///< not let in; the text was sent before
  Kicked = 4,
  ServerShutdown = 5,
  Idle = 6,
  Flood = 7,
  Malformed = 8,  ///< too many genuine messages that do not decode
  Backlog = 9,    ///< does not take its reliable messages
  HandshakeTimeout = 10,
  HandshakeFailed = 11,
  ReliableGap = 12,   ///< a reliable message is missing: the stream cannot go on
  EventBacklog = 13,  ///< the simulation does not keep up with its reliable messages
  Unreachable = 14,   ///< nobody answers there, or refuses every connection
  LinkClosed = 15     ///< the link itself was closed
};

inline constexpr std::size_t kDisconnectReasonCount = 16;

/// `left`, `timeout`, ...: names for logs and metrics. [any]
std::string_view ToString(DisconnectReason reason) noexcept;

struct LinkEvent {
  enum class Kind : std::uint8_t {
    Connected,    ///< keys are agreed: `address`, `codecName`
    Message,      ///< reliable: `message`
    Packet,       ///< unreliable: `sequence`, `message`; never twice, maybe out of order
    Acked,        ///< `acks`
    Disconnected  ///< `reason`, `detail`; the peer's last event
  };

  Kind kind = Kind::Connected;
  DisconnectReason reason = DisconnectReason::None;
  PeerId peer{};
  std::uint32_t sequence = 0;
  std::uint32_t detail = 0;  ///< as the transport gave it
  MonotonicTime receivedAt{};
  mu_address address{};
  protocol::AckReport acks{};
  /// How long the other side held the newest acknowledged packet; nothing when it was too long to say.
  std::optional<std::chrono::microseconds> hold{};
  /// Both valid until the next PollEvent of the same link.
  std::span<const std::byte> message{};
  std::string_view codecName{};
};

}  // namespace muster::link
