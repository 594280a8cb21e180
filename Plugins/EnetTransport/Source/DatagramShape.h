// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a datagram of ENet's protocol looks like, checked before ENet parses it. ENet 1.3.17 accepts fragments of no
// length, accounts for incomplete unreliable fragments wrongly and allocates what a single fragment claims; none of
// those shapes is ever sent by this plugin, so none is let in.
#pragma once

#include <cstdint>
#include <span>

namespace muster::enet {

enum class DatagramShape : std::uint8_t {
  Sound,     ///< commands of a connection that exists or not, each whole
  Connect,   ///< opens a connection
  Malformed  ///< not for ENet
};

/// Walks the commands of one datagram without reading past its end. `maxPacketBytes` bounds what a fragmented message
/// may claim to be.
[[nodiscard]] DatagramShape ShapeOf(std::span<const std::uint8_t> datagram, std::uint32_t maxPacketBytes) noexcept;

/// Of a datagram whose shape is Connect: lowers the datagram size that the peer asks for to `mtu`, because ENet 1.3.17
/// takes the peer's word for what it may send itself.
void ClampConnectMtu(std::span<std::uint8_t> datagram, std::uint32_t mtu) noexcept;

/// Of a datagram whose shape is Connect: the peer's name for the connection, equal in its repetitions.
[[nodiscard]] std::uint32_t ConnectIdOf(std::span<const std::uint8_t> datagram) noexcept;

}  // namespace muster::enet
