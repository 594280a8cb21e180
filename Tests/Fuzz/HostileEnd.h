// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// An end of a connection that knows the keys and means no good: it sends what a target makes, raw or truly sealed, so
// that the code behind the seal is reached.
#pragma once

#include "Link/TransportHandle.h"
#include "PluginApi/Transport.h"
#include "Protocol/PacketHeader.h"
#include "Protocol/Sealing.h"
#include "Serialization/ByteWriter.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::fuzz {

class HostileEnd {
 public:
  HostileEnd(link::TransportHandle transport, mu_connection connection, protocol::Direction direction)
      : m_transport(std::move(transport)), m_connection(connection), m_direction(direction) {}

  [[nodiscard]] link::TransportHandle& Transport() { return m_transport; }
  [[nodiscard]] mu_connection Connection() const { return m_connection; }
  void SetConnection(mu_connection connection) { m_connection = connection; }
  [[nodiscard]] bool HasKeys() const { return m_packets.has_value(); }

  void TakeKeys(const protocol::SessionKeys& keys) {
    m_packets.emplace(keys.send, m_direction, protocol::Channel::Unreliable);
    m_reliable.emplace(keys.send, m_direction, protocol::Channel::Reliable);
  }

  /// Any bytes on any channel. True when the transport took them.
  bool SendRaw(std::uint32_t channel, std::span<const std::uint8_t> bytes) {
    mu_transport_send item{m_connection, channel, MU_OK, {bytes.data(), bytes.size()}};
    m_transport.Send(std::span(&item, 1));
    m_transport.Flush();
    return item.status == MU_OK;
  }

  /// A genuine packet whose header and message are the caller's; `step` is how far its sequence is above the last one's
  /// (at least 1).
  bool SendPacket(std::uint32_t step, const protocol::PacketHeader& header, std::span<const std::uint8_t> message) {
    std::array<std::uint8_t, protocol::kPacketHeaderBytes> head{};
    serialization::ByteWriter writer(head);
    protocol::WritePacketHeader(writer, header);
    std::vector<std::uint8_t> plain(head.begin(), head.end());
    plain.insert(plain.end(), message.begin(), message.end());
    return Seal(*m_packets, step, plain, MU_CHANNEL_UNRELIABLE);
  }
  /// A genuine packet without so much as a whole header.
  bool SendBarePacket(std::span<const std::uint8_t> plain) { return Seal(*m_packets, 1, plain, MU_CHANNEL_UNRELIABLE); }
  /// A genuine reliable message; a step above 1 leaves a gap.
  bool SendReliable(std::uint32_t step, std::span<const std::uint8_t> message) {
    return Seal(*m_reliable, step, message, MU_CHANNEL_RELIABLE);
  }

 private:
  bool Seal(protocol::Sealer& sealer, std::uint32_t step, std::span<const std::uint8_t> plain, std::uint32_t channel) {
    std::vector<std::byte> sealed(plain.size() + protocol::kSealOverheadBytes);
    sealer.Seal(sealer.LastCounter() + step, std::as_bytes(plain), sealed);
    return SendRaw(channel, {reinterpret_cast<const std::uint8_t*>(sealed.data()), sealed.size()});
  }

  link::TransportHandle m_transport;
  mu_connection m_connection;
  protocol::Direction m_direction;
  std::optional<protocol::Sealer> m_packets;
  std::optional<protocol::Sealer> m_reliable;
};

inline mu_transport_params HostileParams() {
  mu_transport_params params{};
  params.struct_size = sizeof params;
  params.max_connections = 8;
  params.max_datagram_bytes = 1400;
  params.reliable_backlog_bytes = 1U << 20U;
  params.max_message_bytes = 1U << 20U;
  params.timeout_ms = 10'000;
  return params;
}

}  // namespace muster::fuzz
