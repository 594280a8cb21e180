// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace muster::udp {

namespace {

constexpr std::size_t kIpv4Offset = 12;
constexpr std::size_t kIpv6NetworkBytes = 8;
/// System call's worth of datagrams.
constexpr std::size_t kSendsPerCall = 64;
constexpr int kSkippedErrors = 64;

bool IsZero(const std::uint8_t* begin, const std::uint8_t* end) noexcept {
  return std::all_of(begin, end, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

bool IsIpv4(const mu_address& address) noexcept {
  return IsZero(address.ip, address.ip + 10) && address.ip[10] == 0xff && address.ip[11] == 0xff;
}

bool IsAnyAddress(const mu_address& address) noexcept {
  return IsZero(address.ip, address.ip + sizeof(address.ip));
}

bool IsSameEndpoint(const mu_address& left, const mu_address& right) noexcept {
  return left.port == right.port && std::memcmp(left.ip, right.ip, sizeof(left.ip)) == 0;
}

bool IsSameHost(const mu_address& left, const mu_address& right) noexcept {
  if (IsIpv4(left) || IsIpv4(right)) {
    return std::memcmp(left.ip, right.ip, sizeof(left.ip)) == 0;
  }
  return std::memcmp(left.ip, right.ip, kIpv6NetworkBytes) == 0;
}

bool IsUnicast(const mu_address& address) noexcept {
  constexpr std::uint8_t kFirstMulticast = 224;
  if (address.port == 0) {
    return false;
  }
  if (IsIpv4(address)) {
    return address.ip[kIpv4Offset] != 0 && address.ip[kIpv4Offset] < kFirstMulticast;
  }
  const bool isLinkLocal = address.ip[0] == 0xfe && (address.ip[1] & 0xc0) == 0x80;
  return address.ip[0] != 0xff && !isLinkLocal && !IsAnyAddress(address);
}

std::string ToString(const mu_address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IsIpv4(address)) {
    inet_ntop(AF_INET, address.ip + kIpv4Offset, text.data(), static_cast<socklen_t>(text.size()));
    return fmt::format("{}:{}", text.data(), address.port);
  }
  inet_ntop(AF_INET6, address.ip, text.data(), static_cast<socklen_t>(text.size()));
  return fmt::format("[{}]:{}", text.data(), address.port);
}

mu_address FromSocket(const SocketAddress& address) noexcept {
  mu_address out{};
  if (address.any.sa_family == AF_INET) {
    out.ip[10] = 0xff;
    out.ip[11] = 0xff;
    std::memcpy(out.ip + kIpv4Offset, &address.v4.sin_addr, sizeof(address.v4.sin_addr));
    out.port = ntohs(address.v4.sin_port);
  } else {
    std::memcpy(out.ip, &address.v6.sin6_addr, sizeof(out.ip));
    out.port = ntohs(address.v6.sin6_port);
  }
  return out;
}

UdpSocket::~UdpSocket() {
  if (m_handle >= 0) {
    close(m_handle);
  }
}

int UdpSocket::Open(const mu_address& address, bool isBound, int bufferBytes) {
  m_isIpv6 = !IsIpv4(address);
  m_handle = socket(m_isIpv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (m_handle < 0 && m_isIpv6 && IsAnyAddress(address)) {
    // A machine without IPv6: "any" is any IPv4 address then.
    m_isIpv6 = false;
    m_handle = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  }
  int failure = m_handle < 0 ? errno : 0;
  if (failure == 0 && m_isIpv6) {
    const int isIpv6Only = IsAnyAddress(address) ? 0 : 1;
    failure = setsockopt(m_handle, IPPROTO_IPV6, IPV6_V6ONLY, &isIpv6Only, sizeof(isIpv6Only)) == 0 ? 0 : errno;
  }
  if (failure == 0 && isBound) {
    const SocketAddress target = ToSocket(address);
    failure = bind(m_handle, &target.any, target.size) == 0 ? 0 : errno;
  }
  if (failure != 0) {
    if (m_handle >= 0) {
      close(m_handle);
    }
    m_handle = -1;
    return failure;
  }
  // The kernel caps what it grants (net.core.rmem_max); whatever it grants is better than its default.
  static_cast<void>(setsockopt(m_handle, SOL_SOCKET, SO_RCVBUF, &bufferBytes, sizeof(bufferBytes)));
  static_cast<void>(setsockopt(m_handle, SOL_SOCKET, SO_SNDBUF, &bufferBytes, sizeof(bufferBytes)));
  return 0;
}

mu_address UdpSocket::Bound() const {
  SocketAddress address;
  socklen_t size = sizeof(address.v6);
  return getsockname(m_handle, &address.any, &size) == 0 ? FromSocket(address) : mu_address{};
}

bool UdpSocket::CanReach(const mu_address& address) const noexcept {
  return IsIpv4(address) != m_isIpv6;
}

SocketAddress UdpSocket::ToSocket(const mu_address& address) const noexcept {
  SocketAddress out;
  if (m_isIpv6) {
    out.v6.sin6_family = AF_INET6;
    out.v6.sin6_port = htons(address.port);
    std::memcpy(&out.v6.sin6_addr, address.ip, sizeof(address.ip));
    out.size = sizeof(out.v6);
  } else {
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = htons(address.port);
    std::memcpy(&out.v4.sin_addr, address.ip + kIpv4Offset, sizeof(out.v4.sin_addr));
    out.size = sizeof(out.v4);
  }
  return out;
}

bool UdpSocket::SendNow(const SocketAddress& to, std::span<const std::uint8_t> bytes) noexcept {
  return sendto(m_handle, bytes.data(), bytes.size(), MSG_NOSIGNAL, &to.any, to.size) ==
         static_cast<ssize_t>(bytes.size());
}

ReceiveBatch::ReceiveBatch(std::size_t datagrams)
    : m_bytes(datagrams * kBufferBytes), m_from(datagrams), m_vectors(datagrams), m_headers(datagrams) {
  for (std::size_t i = 0; i < datagrams; ++i) {
    m_vectors[i] = iovec{m_bytes.data() + i * kBufferBytes, kBufferBytes};
  }
}

bool ReceiveBatch::Fill(const UdpSocket& socket) {
  m_next = 0;
  m_count = 0;
  for (std::size_t i = 0; i < m_headers.size(); ++i) {
    m_headers[i] = mmsghdr{};
    m_headers[i].msg_hdr.msg_name = &m_from[i].v6;
    m_headers[i].msg_hdr.msg_namelen = sizeof(m_from[i].v6);
    m_headers[i].msg_hdr.msg_iov = &m_vectors[i];
    m_headers[i].msg_hdr.msg_iovlen = 1;
  }
  for (int tries = 0; tries < kSkippedErrors; ++tries) {
    const int count = recvmmsg(socket.Handle(), m_headers.data(), static_cast<unsigned int>(m_headers.size()),
                               MSG_DONTWAIT | MSG_TRUNC, nullptr);
    if (count >= 0) {
      m_count = static_cast<std::size_t>(count);
      return m_count > 0;
    }
    if (errno == EAGAIN) {
      return false;
    }
  }
  return false;
}

ReceiveBatch::Datagram ReceiveBatch::Take() {
  const std::size_t i = m_next++;
  const std::size_t size = m_headers[i].msg_len;
  return {FromSocket(m_from[i]), {m_bytes.data() + i * kBufferBytes, std::min(size, kBufferBytes)}, size};
}

std::span<std::uint8_t> SendBatch::Begin(std::size_t capacity) {
  if (m_bytes.size() < m_used + capacity) {
    m_bytes.resize(std::max(m_used + capacity, m_bytes.size() * 2));
  }
  return std::span{m_bytes}.subspan(m_used, capacity);
}

void SendBatch::Commit(const SocketAddress& to, std::size_t size) {
  m_entries.push_back({m_used, size, to});
  m_used += size;
}

int SendBatch::SendMany(int handle, mmsghdr* datagrams, unsigned int count) noexcept {
  return sendmmsg(handle, datagrams, count, MSG_NOSIGNAL);
}

SendBatch::Outcome SendBatch::Send(const UdpSocket& socket, SendCall send) {
  Outcome outcome;
  std::array<mmsghdr, kSendsPerCall> headers;
  std::array<iovec, kSendsPerCall> vectors;
  std::size_t next = 0;
  while (next < m_entries.size()) {
    const std::size_t count = std::min(kSendsPerCall, m_entries.size() - next);
    for (std::size_t i = 0; i < count; ++i) {
      Entry& entry = m_entries[next + i];
      vectors[i] = iovec{m_bytes.data() + entry.offset, entry.size};
      headers[i] = mmsghdr{};
      headers[i].msg_hdr.msg_name = &entry.to.v6;
      headers[i].msg_hdr.msg_namelen = entry.to.size;
      headers[i].msg_hdr.msg_iov = &vectors[i];
      headers[i].msg_hdr.msg_iovlen = 1;
    }
    const int sent = send(socket.Handle(), headers.data(), static_cast<unsigned int>(count));
    if (sent > 0) {
      for (int i = 0; i < sent; ++i) {
        outcome.bytes += m_entries[next++].size;
      }
      outcome.datagrams += static_cast<std::uint64_t>(sent);
    } else if (errno == EAGAIN || errno == ENOBUFS) {
      break;
    } else {
      // The one in front cannot leave, for example because nobody can be reached there.
      ++outcome.errors;
      ++next;
    }
  }
  outcome.errors += KeepFrom(next);
  return outcome;
}

std::size_t SendBatch::KeepFrom(std::size_t next) {
  const std::size_t waiting = m_entries.size() - next;
  const std::size_t first = waiting > 0 ? m_entries[next].offset : m_used;
  if (waiting == 0 || m_used - first > kMostWaitingBytes) {
    m_entries.clear();
    m_used = 0;
    return waiting;
  }
  if (next == 0) {
    return 0;
  }
  std::memmove(m_bytes.data(), m_bytes.data() + first, m_used - first);
  m_used -= first;
  m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(next));
  for (Entry& entry : m_entries) {
    entry.offset -= first;
  }
  return 0;
}

}  // namespace muster::udp
