// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One UDP socket, read and written in batches. Addresses are the engine's: IPv4 as ::ffff:a.b.c.d.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "PluginApi/Transport.h"

namespace muster::udp {

/// What the kernel calls an address.
struct SocketAddress {
  union {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
  };
  socklen_t size = 0;

  SocketAddress() noexcept : v6{} {}
};

[[nodiscard]] bool IsIpv4(const mu_address& address) noexcept;
/// ::, with or without a port.
[[nodiscard]] bool IsAnyAddress(const mu_address& address) noexcept;
[[nodiscard]] bool IsSameEndpoint(const mu_address& left, const mu_address& right) noexcept;
/// One IPv4 address; an IPv6 /64, which is what one subscriber has.
[[nodiscard]] bool IsSameHost(const mu_address& left, const mu_address& right) noexcept;
/// False for what nothing can be sent to: port 0, multicast, broadcast, "this network", and link-local IPv6, whose
/// interface a mu_address cannot name.
[[nodiscard]] bool IsUnicast(const mu_address& address) noexcept;
[[nodiscard]] std::string ToString(const mu_address& address);

class UdpSocket {
 public:
  UdpSocket() noexcept = default;
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  /// For addresses of the family of `address`; an IPv6 socket bound to :: takes IPv4 too. Returns 0 or errno.
  int Open(const mu_address& address, bool isBound, int bufferBytes);
  [[nodiscard]] bool IsOpen() const noexcept { return m_handle >= 0; }
  [[nodiscard]] int Handle() const noexcept { return m_handle; }
  /// What it is bound to.
  [[nodiscard]] mu_address Bound() const;
  /// Whether an address is of the family that this socket speaks.
  [[nodiscard]] bool CanReach(const mu_address& address) const noexcept;

  [[nodiscard]] SocketAddress ToSocket(const mu_address& address) const noexcept;
  /// True when the datagram left.
  bool SendNow(const SocketAddress& to, std::span<const std::uint8_t> bytes) noexcept;

 private:
  int m_handle = -1;
  bool m_isIpv6 = false;
};

[[nodiscard]] mu_address FromSocket(const SocketAddress& address) noexcept;

/// Datagrams as the kernel gave them, until the next batch is read.
class ReceiveBatch {
 public:
  /// Longer datagrams are cut; `size` then still tells how long they were.
  static constexpr std::size_t kBufferBytes = 2048;

  explicit ReceiveBatch(std::size_t datagrams);

  struct Datagram {
    mu_address from{};
    std::span<const std::uint8_t> bytes;  ///< what was read of it
    std::size_t size = 0;
  };

  /// Reads what waits; false when that is nothing. Errors that the kernel queued for earlier sends are skipped, a few
  /// of them.
  bool Fill(const UdpSocket& socket);
  [[nodiscard]] bool IsEmpty() const noexcept { return m_next == m_count; }
  [[nodiscard]] Datagram Take();

 private:
  std::vector<std::uint8_t> m_bytes;
  std::vector<SocketAddress> m_from;
  std::vector<iovec> m_vectors;
  std::vector<mmsghdr> m_headers;
  std::size_t m_count = 0;
  std::size_t m_next = 0;
};

/// Datagrams that wait for the end of a pass.
class SendBatch {
 public:
  /// A datagram of at most `capacity` bytes: written to the span, then committed with its real size.
  std::span<std::uint8_t> Begin(std::size_t capacity);
  void Commit(const SocketAddress& to, std::size_t size);

  struct Outcome {
    std::uint64_t datagrams = 0;
    std::uint64_t bytes = 0;
    std::uint64_t errors = 0;  ///< datagrams that did not leave, and will not
  };
  /// Datagrams that wait for a full socket at most; beyond it they are given up.
  static constexpr std::size_t kMostWaitingBytes = std::size_t{4} << 20;
  /// As sendmmsg: how many left, or -1 and errno.
  using SendCall = int (*)(int handle, mmsghdr* datagrams, unsigned int count);
  static int SendMany(int handle, mmsghdr* datagrams, unsigned int count) noexcept;

  /// Sends in order. One that cannot leave is left out; from where the socket is full on they wait for the next call.
  Outcome Send(const UdpSocket& socket, SendCall send = &SendMany);
  [[nodiscard]] std::size_t Count() const noexcept { return m_entries.size(); }

 private:
  struct Entry {
    std::size_t offset = 0;
    std::size_t size = 0;
    SocketAddress to;
  };
  /// Keeps the datagrams from `next` on, and says how many it gave up instead.
  std::size_t KeepFrom(std::size_t next);

  std::vector<std::uint8_t> m_bytes;
  std::size_t m_used = 0;
  std::vector<Entry> m_entries;
};

}  // namespace muster::udp
