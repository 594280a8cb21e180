// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Addresses as people and configuration write them. IPv4 lives in `mu_address` as ::ffff:a.b.c.d; the port is in host
// order.
#pragma once

#include "Core/Result.h"
#include "PluginApi/Transport.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace muster::link {

inline constexpr ErrorCode kBadAddress{3101, "BadAddress"};

/// `127.0.0.1`, `0.0.0.0`, `::1`; `localhost` is the IPv4 loopback. Names are not looked up. Fails with
/// kBadAddress. [any]
Result<mu_address> ParseAddress(std::string_view ip, std::uint16_t port);

/// `127.0.0.1:4778`, `[::1]:4778`. Fails with kBadAddress. [any]
Result<mu_address> ParseEndpoint(std::string_view text);

/// The reverse of ParseEndpoint. [any]
std::string FormatAddress(const mu_address& address);

/// Whether only this machine can reach it. The in-process addresses (all zero but the port) count as such. [any]
bool IsLoopback(const mu_address& address) noexcept;

/// Whether a datagram can truly come from it: a port, and an address of one machine (no broadcast, no multicast, not
/// 0.0.0.0). [any]
bool IsUnicastSource(const mu_address& address) noexcept;

/// The same machine, whatever the port. [any]
bool SameHost(const mu_address& left, const mu_address& right) noexcept;
/// The same machine and port. [any]
bool SameEndpoint(const mu_address& left, const mu_address& right) noexcept;

}  // namespace muster::link
