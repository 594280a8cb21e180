// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/Admission.h"

#include "Core/Assert.h"

#include <algorithm>

namespace muster::sessions {

namespace {

std::array<std::uint8_t, 16> IpOf(const mu_address& address) {
  std::array<std::uint8_t, 16> ip{};
  std::copy(std::begin(address.ip), std::end(address.ip), ip.begin());
  return ip;
}

}  // namespace

Admission::Admission(const AdmissionConfig& config, const IClock& clock) : m_config(config), m_clock(clock) {
  m_present.reserve(config.maxPeers);
}

std::optional<protocol::Refusal> Admission::Admit(const mu_address& address) {
  const Ip ip = IpOf(address);
  const MonotonicTime now = m_clock.Now();
  if (m_present.size() >= m_config.maxPeers) {
    return protocol::RefuseFull(m_config.maxPeers);
  }
  if (m_config.maxPerAddress > 0) {
    const auto fromHere = static_cast<std::size_t>(std::count(m_present.begin(), m_present.end(), ip));
    if (fromHere >= m_config.maxPerAddress) {
      return protocol::RefuseAddressLimit(m_config.maxPerAddress);
    }
  }
  if (m_config.connectCount > 0) {
    const auto isOver = [&](const Join& join) { return now - join.at >= m_config.connectWindow; };
    m_recent.erase(m_recent.begin(), std::find_if_not(m_recent.begin(), m_recent.end(), isOver));
    std::size_t joins = 0;
    MonotonicTime oldest = now;
    for (const Join& join : m_recent) {
      if (join.ip == ip) {
        oldest = joins == 0 ? join.at : oldest;
        ++joins;
      }
    }
    if (joins >= m_config.connectCount) {
      const auto wait = std::chrono::ceil<std::chrono::seconds>(oldest + m_config.connectWindow - now);
      return protocol::RefuseConnectRate(static_cast<std::uint32_t>(std::max<std::int64_t>(wait.count(), 1)));
    }
    if (m_recent.size() == kMaxRemembered) {
      m_recent.erase(m_recent.begin());
    }
    m_recent.push_back({ip, now});
  }
  m_present.push_back(ip);
  return std::nullopt;
}

void Admission::Release(const mu_address& address) {
  const auto found = std::find(m_present.begin(), m_present.end(), IpOf(address));
  MUSTER_ASSERT(found != m_present.end(), "released an address that was not admitted");
  if (found != m_present.end()) {
    *found = m_present.back();
    m_present.pop_back();
  }
}

}  // namespace muster::sessions
