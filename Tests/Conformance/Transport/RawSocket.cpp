// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RawSocket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace muster::conformance {

namespace {

sockaddr_in LoopbackAddress(std::uint8_t lastByte, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl((127u << 24) | lastByte);
  address.sin_port = htons(port);
  return address;
}

}  // namespace

RawSocket::RawSocket(std::uint8_t lastByte) : m_socket{socket(AF_INET, SOCK_DGRAM, 0)} {
  sockaddr_in address = LoopbackAddress(lastByte, 0);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (m_socket < 0 || bind(m_socket, generic, size) != 0 || getsockname(m_socket, generic, &size) != 0) {
    throw std::runtime_error{"no UDP socket"};
  }
  m_port = ntohs(address.sin_port);
}

RawSocket::~RawSocket() {
  close(m_socket);
}

void RawSocket::SendTo(std::uint16_t port, std::span<const std::uint8_t> bytes) {
  const sockaddr_in address = LoopbackAddress(1, port);
  const ssize_t sent =
      sendto(m_socket, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  if (sent != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error{"the datagram did not leave"};
  }
}

bool RawSocket::Receive(Datagram& out, std::uint16_t& fromPort) {
  std::array<std::uint8_t, 65'536> buffer;
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  const ssize_t received =
      recvfrom(m_socket, buffer.data(), buffer.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&address), &size);
  if (received < 0) {
    return false;
  }
  out.assign(buffer.begin(), buffer.begin() + received);
  fromPort = ntohs(address.sin_port);
  return true;
}

EnetBytes& EnetBytes::U8(std::uint32_t value) {
  m_bytes.push_back(static_cast<std::uint8_t>(value));
  return *this;
}
EnetBytes& EnetBytes::U16(std::uint32_t value) {
  return U8(value >> 8).U8(value);
}
EnetBytes& EnetBytes::U32(std::uint32_t value) {
  return U16(value >> 16).U16(value);
}
EnetBytes& EnetBytes::Fill(std::size_t count, std::uint8_t value) {
  m_bytes.insert(m_bytes.end(), count, value);
  return *this;
}

EnetBytes EnetBytes::Connect(std::uint32_t connectId, std::uint32_t mtu) {
  EnetBytes bytes;
  bytes.U16(0x8fff).U16(0);                         // no peer yet, time stamp
  bytes.U8(0x82).U8(0xff).U16(1);                   // command 2, to be acknowledged
  bytes.U16(0).U8(0xff).U8(0xff);                   // the sender's slot, sessions
  bytes.U32(mtu).U32(65'536).U32(2).U32(0).U32(0);  // datagram and window size, channels, bandwidths
  bytes.U32(5'000).U32(2).U32(2);                   // throttle
  bytes.U32(connectId).U32(0);
  return bytes;
}

EnetBytes EnetBytes::FromPeer() {
  EnetBytes bytes;
  bytes.U16(0x8000).U16(0);
  return bytes;
}

EnetBytes& EnetBytes::Fragment(std::uint32_t command, std::uint32_t length, std::uint32_t count, std::uint32_t number,
                               std::uint32_t total, std::uint32_t offset) {
  U8(command).U8(1).U16(1);
  return U16(1).U16(length).U32(count).U32(number).U32(total).U32(offset).Fill(length);
}

}  // namespace muster::conformance
