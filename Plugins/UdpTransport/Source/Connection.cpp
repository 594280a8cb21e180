// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Connection.h"

#include <algorithm>
#include <array>

namespace muster::udp {

Connection* ConnectionTable::Open(std::uint32_t maxMessageBytes) {
  while (m_firstFree < m_slots.size() && m_slots[m_firstFree] != nullptr) {
    ++m_firstFree;
  }
  if (m_firstFree == m_slots.size()) {
    return nullptr;
  }
  const std::uint64_t slot = m_firstFree;
  ++m_serial;
  std::array<std::uint8_t, sizeof(m_serial)> bytes{};
  ByteWriter{bytes}.Put(m_serial);
  const std::uint64_t secret = SipHash(m_key, bytes);
  m_slots[slot] = std::make_unique<Connection>((m_serial << kSlotBits) | slot, maxMessageBytes);
  Connection& connection = *m_slots[slot];
  // Never zero, whatever the slot.
  connection.localId = ((secret << kSlotBits) | (std::uint64_t{1} << 55) | slot) & kIdMask;
  ++m_count;
  return &connection;
}

void ConnectionTable::Close(const Connection& connection) {
  const std::uint64_t slot = connection.id & kSlotMask;
  m_slots[slot].reset();
  m_firstFree = std::min<std::size_t>(m_firstFree, slot);
  --m_count;
}

Connection* ConnectionTable::Find(mu_connection id) const noexcept {
  const std::uint64_t slot = id & kSlotMask;
  Connection* connection = slot < m_slots.size() ? m_slots[slot].get() : nullptr;
  return connection != nullptr && connection->id == id ? connection : nullptr;
}

Connection* ConnectionTable::FindLocal(std::uint64_t localId) const noexcept {
  const std::uint64_t slot = localId & kSlotMask;
  Connection* connection = slot < m_slots.size() ? m_slots[slot].get() : nullptr;
  return connection != nullptr && connection->localId == localId ? connection : nullptr;
}

}  // namespace muster::udp
