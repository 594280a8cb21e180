// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "UsedIds.h"

#include <array>

#include "Bytes.h"

namespace muster::udp {

void UsedIds::Forget(std::uint64_t nowNs) {
  while (!m_inOrder.empty() && m_inOrder.front().untilNs <= nowNs) {
    m_connections.erase(m_inOrder.front().clientId);
    m_inOrder.pop_front();
  }
}

mu_connection UsedIds::Find(std::uint64_t clientId) const {
  const auto found = m_connections.find(clientId);
  return found == m_connections.end() ? 0 : found->second;
}

void UsedIds::Remember(std::uint64_t clientId, mu_connection connection, std::uint64_t nowNs) {
  m_inOrder.push_back({clientId, nowNs + 2 * CookieMint::kSlotNs});
  m_connections.emplace(clientId, connection);
}

std::size_t UsedIds::Hash::operator()(std::uint64_t clientId) const noexcept {
  std::array<std::uint8_t, sizeof(clientId)> bytes{};
  ByteWriter{bytes}.Put(clientId);
  return SipHash(key, bytes);
}

}  // namespace muster::udp
