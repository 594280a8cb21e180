// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a server says of itself over its console, as numbers.
#pragma once

#include "Core/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace muster::gate {

struct ServerStatus {
  std::uint64_t tick = 0;
  std::uint64_t droppedTicks = 0;
  std::uint64_t players = 0;
  std::uint64_t entities = 0;
  std::uint64_t sessions = 0;  ///< those that join or close among them
  std::uint64_t joined = 0;    ///< since the start, like all that follow
  std::uint64_t refused = 0;
  std::uint64_t packetsOut = 0;
  std::uint64_t packetsAcknowledged = 0;
  std::uint64_t packetsLost = 0;
  std::uint64_t packetsIn = 0;  ///< genuine ones
  std::uint64_t datagramsIn = 0;
  std::uint64_t dropped = 0;  ///< all reasons of the link
  /// "forged", "half_open", "receive_errors", ...: those that are not 0.
  std::map<std::string, std::uint64_t, std::less<>> counts{};

  [[nodiscard]] std::uint64_t Count(std::string_view name) const;
  /// Everything that came in and was turned away, by the link or by the transport before it.
  [[nodiscard]] std::uint64_t TurnedAway() const;
};

/// Of the answer to `status`. kReportUnreadable names what is missing: what was not said is not zero. [any]
Result<ServerStatus> ParseServerStatus(std::string_view text);

}  // namespace muster::gate
