// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "DatagramShape.h"

#include <arpa/inet.h>
#include <enet/enet.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace muster::enet {

namespace {

constexpr std::size_t kHeaderBytes = sizeof(ENetProtocolHeader::peerID);
constexpr std::size_t kTimedHeaderBytes = sizeof(ENetProtocolHeader);
/// Payload of a full fragment at the smallest datagram size that ENet agrees to. A sender with that or a larger size
/// needs no more fragments than this allows.
constexpr std::uint32_t kSmallestFragmentBytes =
    ENET_PROTOCOL_MINIMUM_MTU - kTimedHeaderBytes - sizeof(ENetProtocolSendFragment);

std::uint16_t Read16(std::span<const std::uint8_t> bytes, std::size_t offset) noexcept {
  std::uint16_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return ntohs(value);
}

std::uint32_t Read32(std::span<const std::uint8_t> bytes, std::size_t offset) noexcept {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return ntohl(value);
}

/// Bytes of the command's fixed part; 0 when there is no such command, or none that this plugin speaks.
std::size_t FixedBytes(std::uint8_t command) noexcept {
  switch (command) {
    case ENET_PROTOCOL_COMMAND_ACKNOWLEDGE:
      return sizeof(ENetProtocolAcknowledge);
    case ENET_PROTOCOL_COMMAND_CONNECT:
      return sizeof(ENetProtocolConnect);
    case ENET_PROTOCOL_COMMAND_VERIFY_CONNECT:
      return sizeof(ENetProtocolVerifyConnect);
    case ENET_PROTOCOL_COMMAND_DISCONNECT:
      return sizeof(ENetProtocolDisconnect);
    case ENET_PROTOCOL_COMMAND_PING:
      return sizeof(ENetProtocolPing);
    case ENET_PROTOCOL_COMMAND_SEND_RELIABLE:
      return sizeof(ENetProtocolSendReliable);
    case ENET_PROTOCOL_COMMAND_SEND_FRAGMENT:
      return sizeof(ENetProtocolSendFragment);
    case ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED:
      return sizeof(ENetProtocolSendUnsequenced);
    case ENET_PROTOCOL_COMMAND_BANDWIDTH_LIMIT:
      return sizeof(ENetProtocolBandwidthLimit);
    case ENET_PROTOCOL_COMMAND_THROTTLE_CONFIGURE:
      return sizeof(ENetProtocolThrottleConfigure);
    default:
      return 0;
  }
}

/// Bytes that follow the fixed part.
std::size_t PayloadBytes(std::uint8_t command, std::span<const std::uint8_t> fixed) noexcept {
  switch (command) {
    case ENET_PROTOCOL_COMMAND_SEND_RELIABLE:
      return Read16(fixed, offsetof(ENetProtocolSendReliable, dataLength));
    case ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED:
      return Read16(fixed, offsetof(ENetProtocolSendUnsequenced, dataLength));
    case ENET_PROTOCOL_COMMAND_SEND_FRAGMENT:
      return Read16(fixed, offsetof(ENetProtocolSendFragment, dataLength));
    default:
      return 0;
  }
}

/// A fragment's numbers must fit each other. ENet allocates the claimed total and one bit per claimed fragment when the
/// first one arrives, so the count is bounded by what the total can need.
bool IsSoundFragment(std::span<const std::uint8_t> fixed, std::uint32_t maxPacketBytes) noexcept {
  const std::uint32_t length = Read16(fixed, offsetof(ENetProtocolSendFragment, dataLength));
  const std::uint32_t count = Read32(fixed, offsetof(ENetProtocolSendFragment, fragmentCount));
  const std::uint32_t number = Read32(fixed, offsetof(ENetProtocolSendFragment, fragmentNumber));
  const std::uint32_t total = Read32(fixed, offsetof(ENetProtocolSendFragment, totalLength));
  const std::uint32_t offset = Read32(fixed, offsetof(ENetProtocolSendFragment, fragmentOffset));
  if (length == 0 || total > maxPacketBytes || offset >= total || length > total - offset) {
    return false;
  }
  return number < count && count <= (total + kSmallestFragmentBytes - 1) / kSmallestFragmentBytes;
}

}  // namespace

DatagramShape ShapeOf(std::span<const std::uint8_t> datagram, std::uint32_t maxPacketBytes) noexcept {
  if (datagram.size() < kHeaderBytes) {
    return DatagramShape::Malformed;
  }
  const std::uint16_t head = Read16(datagram, 0);
  const bool isCompressed = (head & ENET_PROTOCOL_HEADER_FLAG_COMPRESSED) != 0;
  const bool isTimed = (head & ENET_PROTOCOL_HEADER_FLAG_SENT_TIME) != 0;
  const bool isFromStranger = (head & ENET_PROTOCOL_MAXIMUM_PEER_ID) == ENET_PROTOCOL_MAXIMUM_PEER_ID;
  std::size_t position = isTimed ? kTimedHeaderBytes : kHeaderBytes;
  if (isCompressed || datagram.size() <= position) {
    return DatagramShape::Malformed;
  }
  if (isFromStranger) {
    const bool isConnect = isTimed && datagram.size() == position + sizeof(ENetProtocolConnect) &&
                           (datagram[position] & ENET_PROTOCOL_COMMAND_MASK) == ENET_PROTOCOL_COMMAND_CONNECT;
    return isConnect ? DatagramShape::Connect : DatagramShape::Malformed;
  }
  while (position < datagram.size()) {
    const std::uint8_t command = datagram[position] & ENET_PROTOCOL_COMMAND_MASK;
    const std::size_t fixedBytes = FixedBytes(command);
    if (fixedBytes == 0 || command == ENET_PROTOCOL_COMMAND_CONNECT || fixedBytes > datagram.size() - position) {
      return DatagramShape::Malformed;
    }
    const std::span<const std::uint8_t> fixed = datagram.subspan(position, fixedBytes);
    position += fixedBytes;
    const std::size_t payloadBytes = PayloadBytes(command, fixed);
    if (payloadBytes > datagram.size() - position) {
      return DatagramShape::Malformed;
    }
    if (command == ENET_PROTOCOL_COMMAND_SEND_FRAGMENT && !IsSoundFragment(fixed, maxPacketBytes)) {
      return DatagramShape::Malformed;
    }
    position += payloadBytes;
  }
  return DatagramShape::Sound;
}

void ClampConnectMtu(std::span<std::uint8_t> datagram, std::uint32_t mtu) noexcept {
  constexpr std::size_t kOffset = kTimedHeaderBytes + offsetof(ENetProtocolConnect, mtu);
  const std::uint32_t clamped = htonl(std::min(Read32(datagram, kOffset), mtu));
  std::memcpy(datagram.data() + kOffset, &clamped, sizeof(clamped));
}

std::uint32_t ConnectIdOf(std::span<const std::uint8_t> datagram) noexcept {
  // Compared with ENet's own copy, which stays in the order it came in.
  std::uint32_t id = 0;
  std::memcpy(&id, datagram.data() + kTimedHeaderBytes + offsetof(ENetProtocolConnect, connectID), sizeof(id));
  return id;
}

}  // namespace muster::enet
