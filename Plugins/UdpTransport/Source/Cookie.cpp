// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Cookie.h"

#include <sys/random.h>

#include <algorithm>
#include <bit>

#include "Bytes.h"
#include "PluginApi/Plugin.h"

namespace muster::udp {

namespace {

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void Round() noexcept {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void Absorb(std::uint64_t word) noexcept {
    v3 ^= word;
    Round();
    Round();
    v0 ^= word;
  }
};

}  // namespace

std::uint64_t SipHash(const SipKey& key, std::span<const std::uint8_t> bytes) noexcept {
  SipState state{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU, key[0] ^ 0x6c7967656e657261U,
                 key[1] ^ 0x7465646279746573U};
  const std::uint64_t length = bytes.size();
  ByteReader reader{bytes};
  while (reader.Rest().size() >= sizeof(std::uint64_t)) {
    state.Absorb(reader.Take<std::uint64_t>());
  }
  std::uint64_t last = length << 56;
  const std::span<const std::uint8_t> tail = reader.Rest();
  for (std::size_t i = 0; i < tail.size(); ++i) {
    last |= std::uint64_t{tail[i]} << (8 * i);
  }
  state.Absorb(last);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) {
    state.Round();
  }
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

SipKey MakeSipKey(std::uint64_t seed) {
  SipKey key{};
  if (getrandom(key.data(), sizeof(key), 0) != static_cast<ssize_t>(sizeof(key))) {
    throw plugin::Failure{MU_E_FAILED, "The kernel gave no random numbers for the key of the cookies."};
  }
  key[0] ^= seed;
  return key;
}

std::uint64_t CookieMint::InSlot(const mu_address& from, std::uint64_t clientId, std::uint64_t slot) const noexcept {
  std::array<std::uint8_t, sizeof(from.ip) + sizeof(from.port) + 2 * sizeof(std::uint64_t)> bytes{};
  ByteWriter writer{bytes};
  writer.PutBytes(from.ip);
  writer.Put(from.port);
  writer.Put(clientId);
  writer.Put(slot);
  return SipHash(m_key, bytes);
}

std::uint64_t CookieMint::Make(const mu_address& from, std::uint64_t clientId, std::uint64_t nowNs) const noexcept {
  return InSlot(from, clientId, nowNs / kSlotNs);
}

bool CookieMint::IsGood(std::uint64_t cookie, const mu_address& from, std::uint64_t clientId,
                        std::uint64_t nowNs) const noexcept {
  const std::uint64_t slot = nowNs / kSlotNs;
  return cookie == InSlot(from, clientId, slot) || (slot > 0 && cookie == InSlot(from, clientId, slot - 1));
}

}  // namespace muster::udp
