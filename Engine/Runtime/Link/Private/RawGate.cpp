// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RawGate.h"

#include "Core/Assert.h"
#include "Core/Hash.h"
#include "Link/Address.h"

#include <bit>
#include <cstring>

namespace muster::link {

namespace {

std::uint32_t OnRawDatagram(void* context, const mu_address* from, mu_bytes datagram, std::uint8_t* /*reply*/,
                            std::uint32_t /*replyCapacity*/, std::uint32_t* replySize) {
  *replySize = 0;
  auto* gate = static_cast<RawGate*>(context);
  return gate->Judge(*from, datagram.size) == DropReason::None ? MU_GATE_PASS : MU_GATE_DROP;
}

}  // namespace

RawGate::RawGate(const RawGateLimits& limits, std::uint64_t hashSeed, const IClock& clock, LinkCounters& counters)
    : m_limits(limits),
      m_seed(hashSeed),
      m_clock(clock),
      m_counters(counters),
      m_addresses(std::bit_ceil(limits.addressSlots)),
      m_endpoints(std::bit_ceil(limits.maxEndpoints * 2)),
      m_overflow(limits.addressPerSecond * kProbes, limits.addressPerSecond * kProbes, clock.Now()) {}

mu_raw_gate RawGate::Hook() noexcept {
  return {this, &OnRawDatagram};
}

RawGate::Key RawGate::AddressKey(const mu_address& from) noexcept {
  Key key = EndpointKey(from);
  const bool inProcess = key.high == 0 && key.low == 0;
  const bool mappedV4 = key.high == 0 && !inProcess && from.ip[10] == 0xFF && from.ip[11] == 0xFF;
  if (!inProcess) {
    key.port = 0;
    // A whole /64 belongs to one subscriber.
    if (!mappedV4) {
      key.low = 0;
    }
  }
  return key;
}

RawGate::Key RawGate::EndpointKey(const mu_address& from) noexcept {
  Key key;
  std::memcpy(&key.high, from.ip, 8);
  std::memcpy(&key.low, from.ip + 8, 8);
  key.port = from.port;
  key.used = true;
  return key;
}

std::size_t RawGate::HashOf(const Key& key) const noexcept {
  return Mix64(Mix64(Mix64(m_seed ^ key.high) ^ key.low) ^ key.port ^ m_seed);
}

DropReason RawGate::Judge(const mu_address& from, std::size_t datagramBytes) noexcept {
  DropReason reason = DropReason::None;
  if (!IsUnicastSource(from)) {
    reason = DropReason::GateBadSource;
  } else if (datagramBytes == 0) {
    reason = DropReason::GateEmpty;
  } else if (datagramBytes > m_limits.maxDatagramBytes) {
    reason = DropReason::GateOversize;
  } else {
    const MonotonicTime now = m_clock.Now();
    if (Entry* peer = FindEndpoint(EndpointKey(from)); peer != nullptr) {
      reason = peer->bucket.Take(now) ? DropReason::None : DropReason::GateEndpointBudget;
    } else {
      reason = AddressBucket(AddressKey(from), now).Take(now) ? DropReason::None : DropReason::GateAddressBudget;
    }
  }
  if (reason != DropReason::None) {
    m_counters.Drop(reason);
  }
  return reason;
}

TokenBucket& RawGate::AddressBucket(const Key& key, MonotonicTime now) noexcept {
  const std::size_t mask = m_addresses.size() - 1;
  const std::size_t home = HashOf(key);
  Entry* free = nullptr;
  for (std::size_t i = 0; i < kProbes; ++i) {
    Entry& entry = m_addresses[(home + i) & mask];
    if (entry.key == key) {
      return entry.bucket;
    }
    // An address whose bucket is full again has nothing to remember; its place is as good as free.
    if (free == nullptr && (!entry.key.used || entry.bucket.IsFull(now))) {
      free = &entry;
    }
  }
  if (free == nullptr) {
    return m_overflow;
  }
  *free = {key, TokenBucket(m_limits.addressPerSecond, m_limits.addressPerSecond, now)};
  return free->bucket;
}

RawGate::Entry* RawGate::FindEndpoint(const Key& key) noexcept {
  const std::size_t mask = m_endpoints.size() - 1;
  for (std::size_t at = HashOf(key) & mask; m_endpoints[at].key.used; at = (at + 1) & mask) {
    if (m_endpoints[at].key == key) {
      return &m_endpoints[at];
    }
  }
  return nullptr;
}

void RawGate::Admit(const mu_address& endpoint) {
  const Key key = EndpointKey(endpoint);
  if (FindEndpoint(key) != nullptr) {
    return;
  }
  MUSTER_ASSERT(m_endpointCount < m_limits.maxEndpoints, "no more endpoints than connections");
  const std::size_t mask = m_endpoints.size() - 1;
  std::size_t at = HashOf(key) & mask;
  while (m_endpoints[at].key.used) {
    at = (at + 1) & mask;
  }
  m_endpoints[at] = {key, TokenBucket(m_limits.endpointPerSecond, m_limits.endpointPerSecond, m_clock.Now())};
  ++m_endpointCount;
}

void RawGate::Forget(const mu_address& endpoint) noexcept {
  Entry* found = FindEndpoint(EndpointKey(endpoint));
  if (found == nullptr) {
    return;
  }
  // Closes the hole by moving back what probing would no longer find behind it.
  const std::size_t mask = m_endpoints.size() - 1;
  auto hole = static_cast<std::size_t>(found - m_endpoints.data());
  for (std::size_t at = (hole + 1) & mask; m_endpoints[at].key.used; at = (at + 1) & mask) {
    const std::size_t home = HashOf(m_endpoints[at].key) & mask;
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      m_endpoints[hole] = m_endpoints[at];
      hole = at;
    }
  }
  m_endpoints[hole] = {};
  --m_endpointCount;
}

}  // namespace muster::link
