// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Link/LinkStats.h"
#include "Protocol/HandshakeMessages.h"
#include "Protocol/Sealing.h"
#include "Protocol/WireIdentity.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::link {

/// What becomes of a ClientHello: keys and a ServerHello, or a refusal. Holds nothing of a connection. [net]
class ServerHandshake {
 public:
  ServerHandshake(protocol::WireIdentity identity, std::uint32_t maxPeers);

  struct Answer {
    std::optional<protocol::SessionKeys> keys{};  ///< nothing: refused
    DropReason drop = DropReason::None;
    std::uint16_t code = 0;  ///< of the refusal
    /// What to send back, in clear; no larger than the hello. Empty when nothing may be sent.
    std::span<const std::byte> reply{};
  };

  /// The cheap checks first, the key exchange last. `reply` lives until the next call.
  Answer Take(std::span<const std::byte> hello, std::uint32_t openPeers);

  /// A refusal in clear that fits an answer to `hello`; empty otherwise. Lives until the next call.
  std::span<const std::byte> Refuse(const protocol::Refusal& refusal, std::size_t helloBytes);

 private:
  [[nodiscard]] std::optional<protocol::Refusal> Judge(const protocol::ClientHello& hello,
                                                       protocol::DecodeStatus status, std::uint32_t openPeers) const;

  protocol::WireIdentity m_identity;
  std::uint32_t m_maxPeers;
  std::vector<std::byte> m_reply;
};

}  // namespace muster::link
