// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster::conformance {

using Datagram = std::vector<std::uint8_t>;

/// A UDP socket of 127.0.0.x: the attacker, or the wire between two honest ends.
class RawSocket {
 public:
  /// `lastByte` chooses the source address 127.0.0.<lastByte>.
  explicit RawSocket(std::uint8_t lastByte = 1);
  ~RawSocket();
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;

  [[nodiscard]] std::uint16_t Port() const { return m_port; }
  /// To 127.0.0.1.
  void SendTo(std::uint16_t port, std::span<const std::uint8_t> bytes);
  /// False when nothing waits.
  bool Receive(Datagram& out, std::uint16_t& fromPort);

 private:
  int m_socket = -1;
  std::uint16_t m_port = 0;
};

/// Builds what ENet's protocol looks like on the wire.
class EnetBytes {
 public:
  EnetBytes& U8(std::uint32_t value);
  EnetBytes& U16(std::uint32_t value);
  EnetBytes& U32(std::uint32_t value);
  EnetBytes& Fill(std::size_t count, std::uint8_t value = 0);
  [[nodiscard]] const Datagram& Bytes() const { return m_bytes; }

  /// The request of a stranger to connect.
  static EnetBytes Connect(std::uint32_t connectId, std::uint32_t mtu = 1'200);
  /// The head of a datagram of peer 0, with a time stamp.
  static EnetBytes FromPeer();
  /// A piece of a reliable message (command 8) or an unreliable one (12); `length` bytes of payload follow.
  EnetBytes& Fragment(std::uint32_t command, std::uint32_t length, std::uint32_t count, std::uint32_t number,
                      std::uint32_t total, std::uint32_t offset);

 private:
  Datagram m_bytes;
};

}  // namespace muster::conformance
