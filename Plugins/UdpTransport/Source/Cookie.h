// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What lets a server answer a stranger without remembering him: a keyed hash over his address, the id he chose and the
// time. Only whoever really receives at that address can send it back.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "PluginApi/Transport.h"

namespace muster::udp {

using SipKey = std::array<std::uint64_t, 2>;

/// SipHash-2-4 (Aumasson and Bernstein, 2012).
[[nodiscard]] std::uint64_t SipHash(const SipKey& key, std::span<const std::uint8_t> bytes) noexcept;

/// A new one at each start: from the kernel's random numbers, mixed with `seed`. Throws plugin::Failure when the kernel
/// has none.
[[nodiscard]] SipKey MakeSipKey(std::uint64_t seed);

/// Cookies live for one to two times kSlotNs.
class CookieMint {
 public:
  static constexpr std::uint64_t kSlotNs = 5'000'000'000;

  explicit CookieMint(const SipKey& key) noexcept : m_key{key} {}

  [[nodiscard]] std::uint64_t Make(const mu_address& from, std::uint64_t clientId, std::uint64_t nowNs) const noexcept;
  [[nodiscard]] bool IsGood(std::uint64_t cookie, const mu_address& from, std::uint64_t clientId,
                            std::uint64_t nowNs) const noexcept;

 private:
  [[nodiscard]] std::uint64_t InSlot(const mu_address& from, std::uint64_t clientId, std::uint64_t slot) const noexcept;

  SipKey m_key;
};

}  // namespace muster::udp
