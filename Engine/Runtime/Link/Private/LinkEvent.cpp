// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/LinkEvent.h"

#include "DisconnectText.h"

#include <array>

namespace muster::link {

std::string_view ToString(DisconnectReason reason) noexcept {
  static constexpr std::array<std::string_view, kDisconnectReasonCount> kNames{"none",
                                                                               "left",
                                                                               "timeout",
                                                                               "refused",
                                                                               "kicked",
                                                                               "server_shutdown",
                                                                               "idle",
                                                                               "flood",
                                                                               "malformed",
                                                                               "backlog",
                                                                               "handshake_timeout",
                                                                               "handshake_failed",
                                                                               "reliable_gap",
                                                                               "event_backlog",
                                                                               "unreachable",
                                                                               "link_closed"};
  static_assert(static_cast<std::size_t>(DisconnectReason::LinkClosed) + 1 == kDisconnectReasonCount);
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : "unknown";
}

DisconnectReason ReasonOfDetail(std::uint32_t detail) noexcept {
  return detail < kDisconnectReasonCount ? static_cast<DisconnectReason>(detail) : DisconnectReason::None;
}

ErrorCode RefusalCodeOf(DisconnectReason reason) noexcept {
  switch (reason) {
    case DisconnectReason::Kicked:
      return protocol::kKicked;
    case DisconnectReason::ServerShutdown:
      return protocol::kServerShutdown;
    case DisconnectReason::Idle:
      return protocol::kIdleTimeout;
    case DisconnectReason::Flood:
      return protocol::kFlood;
    case DisconnectReason::Malformed:
      return protocol::kMalformedMessages;
    case DisconnectReason::Backlog:
      return protocol::kBacklogExceeded;
    case DisconnectReason::HandshakeTimeout:
      return protocol::kHandshakeTimeout;
    case DisconnectReason::HandshakeFailed:
      return protocol::kHandshakeMalformed;
    default:
      return {};
  }
}

}  // namespace muster::link
