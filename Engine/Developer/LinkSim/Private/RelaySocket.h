// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "PluginApi/Transport.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::linksim {

/// A descriptor that is closed.
class Descriptor {
 public:
  explicit Descriptor(int handle) noexcept : m_handle(handle) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (m_handle >= 0) {
      ::close(m_handle);
    }
  }
  [[nodiscard]] int Get() const noexcept { return m_handle; }

 private:
  int m_handle;
};

/// One UDP socket of the relay, never blocking.
class RelaySocket {
 public:
  RelaySocket() noexcept = default;
  RelaySocket(RelaySocket&& other) noexcept;
  RelaySocket& operator=(RelaySocket&& other) noexcept;
  RelaySocket(const RelaySocket&) = delete;
  RelaySocket& operator=(const RelaySocket&) = delete;
  ~RelaySocket();

  /// Bound to any port of the loopback address of the family of `like`. Not open after a failure; errno tells why.
  static RelaySocket Loopback(const mu_address& like);
  /// For datagrams to and from one address only.
  static RelaySocket ConnectedTo(const mu_address& remote);

  [[nodiscard]] bool IsOpen() const noexcept { return m_handle >= 0; }
  [[nodiscard]] int Handle() const noexcept { return m_handle; }
  [[nodiscard]] mu_address Bound() const;
  /// False when nothing waits. Errors that the kernel queued for earlier sends count as nothing. An empty datagram is
  /// true with size 0.
  bool Receive(std::span<std::uint8_t> room, std::size_t& size, mu_address& from) const;
  bool SendTo(const mu_address& to, std::span<const std::uint8_t> bytes) const;
  bool Send(std::span<const std::uint8_t> bytes) const;

 private:
  explicit RelaySocket(int handle) noexcept : m_handle(handle) {}
  int m_handle = -1;
};

}  // namespace muster::linksim
