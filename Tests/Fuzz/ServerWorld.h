// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server of ServerFuzzer: small limits, and the eye between its link and its sessions.
#pragma once

#include "FuzzInput.h"

#include "Link/ServerLink.h"
#include "Protocol/WireIdentity.h"
#include "Sessions/SessionDirectory.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace muster::fuzz {

inline constexpr std::uint16_t kPort = 4'778;
inline constexpr std::uint16_t kHonestPort = 40'000;
inline constexpr std::size_t kHostileEnds = 3;
inline constexpr std::uint32_t kMaxPeers = 3;
inline constexpr std::uint32_t kMaxHalfOpen = 2;
inline constexpr std::uint32_t kMaxMessageBytes = 4'096;
inline constexpr std::uint32_t kMaxDatagramBytes = 1'200;

inline protocol::WireIdentity Identity() {
  protocol::WireIdentity identity;
  identity.codecName = "muster.codec.raw";
  identity.codecWireVersion = 1;
  identity.plugins = {{"muster.codec.raw", "1.0.0"}};
  return identity;
}

inline link::ServerLinkConfig LinkConfig() {
  link::ServerLinkConfig config;
  config.identity = Identity();
  config.maxPeers = kMaxPeers;
  config.maxHalfOpen = kMaxHalfOpen;
  config.maxDatagramBytes = kMaxDatagramBytes;
  config.maxMessageBytes = kMaxMessageBytes;
  config.bytesPerSecond = 16'384;
  config.eventRingBytes = std::size_t{256} << 10U;
  config.commandRingBytes = std::size_t{64} << 10U;
  config.overflowBytes = std::size_t{64} << 10U;
  return config;
}

inline sessions::SessionConfig DirectoryConfig() {
  sessions::SessionConfig config;
  config.admission.maxPeers = kMaxPeers;
  config.admission.connectCount = 6;
  config.idleTimeout = std::chrono::seconds{60};
  config.motd = "welcome";
  config.codecName = Identity().codecName;
  config.codecWireVersion = 1;
  config.archetypes = {{ArchetypeId{1}, "builtin:trainer"}};
  return config;
}

/// Between link and sessions: sees that every peer's events are Connected, anything, one Disconnected.
class WatchedPort final : public sessions::ILinkPort {
 public:
  explicit WatchedPort(link::ServerLink& link) : m_link(link) {}

  bool PollEvent(link::LinkEvent& event) override {
    if (!m_link.PollEvent(event)) {
      return false;
    }
    using Kind = link::LinkEvent::Kind;
    const bool isKnown = peers.contains(event.peer);
    Require(isKnown == (event.kind != Kind::Connected), "a peer's first event is Connected, and it comes once");
    if (event.kind == Kind::Connected) {
      peers[event.peer] = event.address.port;
    } else if (event.kind == Kind::Disconnected) {
      gaps += event.reason == link::DisconnectReason::ReliableGap ? 1U : 0U;
      peers.erase(event.peer);
    } else if (event.kind == Kind::Packet && peers[event.peer] == kHonestPort) {
      ++honestPackets;
    }
    return true;
  }
  void SendReliable(PeerId peer, std::span<const std::byte> message) override { m_link.SendReliable(peer, message); }
  void Disconnect(PeerId peer, link::DisconnectReason reason) override { m_link.Disconnect(peer, reason); }
  void ReportMalformed(PeerId peer) override { m_link.ReportMalformed(peer); }

  std::map<PeerId, std::uint16_t> peers;  ///< with the port they come from
  std::uint64_t honestPackets = 0;
  std::uint64_t gaps = 0;

 private:
  link::ServerLink& m_link;
};

}  // namespace muster::fuzz
