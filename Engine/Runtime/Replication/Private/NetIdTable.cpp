// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetIdTable.h"

#include "Core/Assert.h"
#include "World/LiveRuns.h"

#include <algorithm>
#include <functional>

namespace muster::replication {

NetIdTable::NetIdTable(std::uint32_t slotCapacity, std::uint32_t maxIds)
    : m_maxIds{maxIds}, m_rows(1), m_idBySlot(slotCapacity), m_isWreck(slotCapacity, 0) {
  m_rows.reserve(slotCapacity + 1);
  m_live.reserve(slotCapacity);
}

NetId NetIdTable::Of(world::EntityHandle handle) const {
  if (handle.IsNull() || handle.Slot() >= m_idBySlot.size()) {
    return NetId{};
  }
  const NetId netId = m_idBySlot[handle.Slot()];
  return m_rows[netId.Value()].handle == handle ? netId : NetId{};
}

world::EntityHandle NetIdTable::HandleOf(NetId netId) const {
  return netId.Value() < m_rows.size() && IsLive(netId) ? m_rows[netId.Value()].handle : world::EntityHandle{};
}

void NetIdTable::Die(std::uint32_t slot) {
  Row& row = m_rows[m_idBySlot[slot].Value()];
  row.state = State::Held;
  row.reason = m_isWreck[slot] != 0 ? protocol::LeaveReason::Destroyed : protocol::LeaveReason::Despawned;
  m_idBySlot[slot] = NetId{};
}

NetId NetIdTable::Take() {
  if (!m_free.empty()) {
    std::pop_heap(m_free.begin(), m_free.end(), std::greater<>{});
    const std::uint32_t id = m_free.back();
    m_free.pop_back();
    return NetId{id};
  }
  if (m_rows.size() > m_maxIds) {
    return NetId{};
  }
  m_rows.emplace_back();
  return NetId{IdLimit() - 1};
}

void NetIdTable::Update(const world::EntityStore& store, std::span<const float> health) {
  for (const std::uint32_t id : m_live) {
    if (!store.IsAlive(m_rows[id].handle)) {
      Die(m_rows[id].handle.Slot());
    }
  }
  m_born.clear();
  m_waiting = 0;
  world::ForEachLive(store.LiveBits(), [&](std::uint32_t slot) {
    if (m_idBySlot[slot].IsNull()) {
      const NetId netId = Take();
      if (netId.IsNull()) {
        ++m_waiting;
        return;
      }
      Row& row = m_rows[netId.Value()];
      row.handle = store.HandleAt(slot);
      row.state = State::Live;
      ++row.generation;
      m_idBySlot[slot] = netId;
      m_born.push_back(netId.Value());
    }
    m_isWreck[slot] = health[slot] > 0.0F ? 0 : 1;
  });
  std::sort(m_born.begin(), m_born.end());
  RebuildLists();
}

void NetIdTable::RebuildLists() {
  m_live.clear();
  m_held.clear();
  for (std::uint32_t id = 1; id < IdLimit(); ++id) {
    if (m_rows[id].state == State::Live) {
      m_live.push_back(id);
    } else if (m_rows[id].state == State::Held) {
      m_held.push_back(id);
    }
  }
}

void NetIdTable::Release(NetId netId) {
  Row& row = m_rows[netId.Value()];
  MUSTER_ASSERT(row.state == State::Held, "only the id of a dead entity is released");
  row.state = State::Free;
  row.handle = world::EntityHandle{};
  m_free.push_back(netId.Value());
  std::push_heap(m_free.begin(), m_free.end(), std::greater<>{});
}

}  // namespace muster::replication
