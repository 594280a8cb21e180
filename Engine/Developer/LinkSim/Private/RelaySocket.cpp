// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RelaySocket.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace muster::linksim {

namespace {

constexpr std::size_t kIpv4Offset = 12;
constexpr int kBufferBytes = 4 << 20;
constexpr int kSkippedErrors = 64;

union SocketAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

bool IsIpv4(const mu_address& address) {
  return std::all_of(address.ip, address.ip + 10, [](std::uint8_t byte) { return byte == 0; }) &&
         address.ip[10] == 0xff && address.ip[11] == 0xff;
}

socklen_t ToSocket(const mu_address& address, SocketAddress& out) {
  std::memset(&out, 0, sizeof out);
  if (IsIpv4(address)) {
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = htons(address.port);
    std::memcpy(&out.v4.sin_addr, address.ip + kIpv4Offset, sizeof out.v4.sin_addr);
    return sizeof out.v4;
  }
  out.v6.sin6_family = AF_INET6;
  out.v6.sin6_port = htons(address.port);
  std::memcpy(&out.v6.sin6_addr, address.ip, sizeof address.ip);
  return sizeof out.v6;
}

mu_address FromSocket(const SocketAddress& address) {
  mu_address out{};
  if (address.any.sa_family == AF_INET) {
    out.ip[10] = 0xff;
    out.ip[11] = 0xff;
    std::memcpy(out.ip + kIpv4Offset, &address.v4.sin_addr, sizeof address.v4.sin_addr);
    out.port = ntohs(address.v4.sin_port);
  } else {
    std::memcpy(out.ip, &address.v6.sin6_addr, sizeof out.ip);
    out.port = ntohs(address.v6.sin6_port);
  }
  return out;
}

int MakeSocket(const mu_address& like) {
  const int handle = ::socket(IsIpv4(like) ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (handle >= 0) {
    // The relay stands for a wire: what is lost is lost by its conditions, not by a small buffer.
    ::setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &kBufferBytes, sizeof kBufferBytes);
    ::setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &kBufferBytes, sizeof kBufferBytes);
  }
  return handle;
}

}  // namespace

RelaySocket::RelaySocket(RelaySocket&& other) noexcept : m_handle(std::exchange(other.m_handle, -1)) {}

RelaySocket& RelaySocket::operator=(RelaySocket&& other) noexcept {
  std::swap(m_handle, other.m_handle);
  return *this;
}

RelaySocket::~RelaySocket() {
  if (m_handle >= 0) {
    ::close(m_handle);
  }
}

RelaySocket RelaySocket::Loopback(const mu_address& like) {
  mu_address loopback{};
  if (IsIpv4(like)) {
    loopback.ip[10] = 0xff;
    loopback.ip[11] = 0xff;
    loopback.ip[kIpv4Offset] = 127;
  }
  loopback.ip[15] = 1;
  RelaySocket made{MakeSocket(like)};
  SocketAddress address;
  const socklen_t size = ToSocket(loopback, address);
  if (made.IsOpen() && ::bind(made.m_handle, &address.any, size) != 0) {
    const int reason = errno;
    made = RelaySocket{};
    errno = reason;
  }
  return made;
}

RelaySocket RelaySocket::ConnectedTo(const mu_address& remote) {
  RelaySocket made{MakeSocket(remote)};
  SocketAddress address;
  const socklen_t size = ToSocket(remote, address);
  if (made.IsOpen() && ::connect(made.m_handle, &address.any, size) != 0) {
    const int reason = errno;
    made = RelaySocket{};
    errno = reason;
  }
  return made;
}

mu_address RelaySocket::Bound() const {
  SocketAddress address;
  socklen_t size = sizeof address;
  return ::getsockname(m_handle, &address.any, &size) == 0 ? FromSocket(address) : mu_address{};
}

bool RelaySocket::Receive(std::span<std::uint8_t> room, std::size_t& size, mu_address& from) const {
  for (int tries = 0; tries < kSkippedErrors; ++tries) {
    SocketAddress address;
    std::memset(&address, 0, sizeof address);
    socklen_t addressSize = sizeof address;
    const ssize_t received = ::recvfrom(m_handle, room.data(), room.size(), 0, &address.any, &addressSize);
    if (received >= 0) {
      size = static_cast<std::size_t>(received);
      from = FromSocket(address);
      return true;
    }
    if (errno == EAGAIN) {
      return false;
    }
  }
  return false;
}

bool RelaySocket::SendTo(const mu_address& to, std::span<const std::uint8_t> bytes) const {
  SocketAddress address;
  const socklen_t size = ToSocket(to, address);
  return ::sendto(m_handle, bytes.data(), bytes.size(), MSG_NOSIGNAL, &address.any, size) ==
         static_cast<ssize_t>(bytes.size());
}

bool RelaySocket::Send(std::span<const std::uint8_t> bytes) const {
  return ::send(m_handle, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

}  // namespace muster::linksim
