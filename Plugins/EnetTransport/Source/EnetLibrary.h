// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <enet/enet.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "PluginApi/Transport.h"

namespace muster::enet {

/// One use of libenet in this library: the first one initialises it, the last one shuts it down.
class EnetLibrary {
 public:
  /// Throws plugin::Failure when libenet does not start.
  EnetLibrary();
  ~EnetLibrary();
  EnetLibrary(const EnetLibrary&) = delete;
  EnetLibrary& operator=(const EnetLibrary&) = delete;

 private:
  static std::mutex s_mutex;
  static std::uint32_t s_users;
};

/// IPv4 as ::ffff:a.b.c.d.
[[nodiscard]] mu_address FromEnet(const ENetAddress& address) noexcept;

/// Empty for an address that is neither IPv4 (mapped) nor all zero, which means "any".
[[nodiscard]] std::optional<ENetAddress> ToEnet(const mu_address& address) noexcept;

/// False for a source that nothing can be sent to: port 0, or an address that is multicast, broadcast or "this
/// network".
[[nodiscard]] bool IsUnicast(const ENetAddress& address) noexcept;

}  // namespace muster::enet
