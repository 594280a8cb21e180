// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerPeers.h"

#include "Core/Assert.h"

namespace muster::link {

ServerPeers::ServerPeers(std::size_t slots) : m_slots(slots), m_generations(slots, 0) {
  MUSTER_ASSERT(slots > 0 && slots <= kMaxSlots, "as many slots as a peer id can name");
  m_free.reserve(slots);
  for (std::size_t i = slots; i > 0; --i) {
    m_free.push_back(static_cast<std::uint32_t>(i - 1));
  }
  m_byConnection.reserve(slots);
}

ServerPeer* ServerPeers::Add(mu_connection connection, const mu_address& address) {
  if (m_free.empty() || !m_byConnection.try_emplace(connection, m_free.back()).second) {
    return nullptr;
  }
  const std::uint32_t slot = m_free.back();
  m_free.pop_back();
  constexpr std::uint32_t kGenerations = std::uint32_t{1} << (32 - kSlotBits);
  m_generations[slot] = m_generations[slot] + 1 == kGenerations ? 1 : m_generations[slot] + 1;
  ServerPeer& peer = m_slots[slot];
  peer = {};
  peer.state = ServerPeer::State::AwaitsHello;
  peer.id = PeerId{m_generations[slot] << kSlotBits | slot};
  peer.connection = connection;
  peer.address = address;
  return &peer;
}

void ServerPeers::Remove(ServerPeer& peer) {
  m_byConnection.erase(peer.connection);
  m_free.push_back(peer.id.Value() & ((std::uint32_t{1} << kSlotBits) - 1));
  peer = {};
}

ServerPeer* ServerPeers::Find(PeerId id) noexcept {
  const std::uint32_t slot = id.Value() & ((std::uint32_t{1} << kSlotBits) - 1);
  return slot < m_slots.size() && !id.IsNull() && m_slots[slot].id == id ? &m_slots[slot] : nullptr;
}

ServerPeer* ServerPeers::Find(mu_connection connection) noexcept {
  const auto found = m_byConnection.find(connection);
  return found == m_byConnection.end() ? nullptr : &m_slots[found->second];
}

}  // namespace muster::link
