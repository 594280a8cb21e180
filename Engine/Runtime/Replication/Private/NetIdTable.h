// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Net ids of a world: one for each live entity, the lowest free one first, and held until Release after its death.
// Births and deaths are found by comparing handles, so nobody has to report them. [sim]
#pragma once

#include "Core/Ids.h"
#include "Protocol/SnapshotLayout.h"
#include "World/EntityHandle.h"
#include "World/EntityStore.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muster::replication {

class NetIdTable {
 public:
  /// Ids are at most `maxIds`: once all are live or held, newborn entities wait.
  NetIdTable(std::uint32_t slotCapacity, std::uint32_t maxIds);

  /// Follows the store. `health` is by slot; an entity whose last known health was 0 counts as destroyed, any other
  /// that is gone as despawned.
  void Update(const world::EntityStore& store, std::span<const float> health);

  /// Gives back the id of a dead entity.
  void Release(NetId netId);

  NetId At(std::uint32_t slot) const { return m_idBySlot[slot]; }
  /// Null for a stale handle or one that has no id yet.
  NetId Of(world::EntityHandle handle) const;
  /// Null when dead or free.
  world::EntityHandle HandleOf(NetId netId) const;

  bool IsLive(NetId netId) const { return m_rows[netId.Value()].state == State::Live; }
  std::uint32_t SlotOf(NetId netId) const { return m_rows[netId.Value()].handle.Slot(); }
  std::uint8_t Generation(NetId netId) const { return m_rows[netId.Value()].generation; }
  protocol::LeaveReason ReasonOfDeath(NetId netId) const { return m_rows[netId.Value()].reason; }

  /// Ids of live entities, ascending.
  std::span<const std::uint32_t> Live() const { return m_live; }
  /// Ids of dead entities that are not released, ascending.
  std::span<const std::uint32_t> Held() const { return m_held; }
  /// Ids given by the last Update, ascending.
  std::span<const std::uint32_t> Born() const { return m_born; }
  /// Live entities that found no id at the last Update.
  std::uint32_t Waiting() const { return m_waiting; }
  /// One above the highest id ever given.
  std::uint32_t IdLimit() const { return static_cast<std::uint32_t>(m_rows.size()); }

 private:
  enum class State : std::uint8_t { Free, Live, Held };
  struct Row {
    world::EntityHandle handle{};
    State state = State::Free;
    std::uint8_t generation = 0;
    protocol::LeaveReason reason = protocol::LeaveReason::Despawned;
  };

  void Die(std::uint32_t slot);
  NetId Take();
  void RebuildLists();

  std::uint32_t m_maxIds;
  std::uint32_t m_waiting = 0;
  std::vector<Row> m_rows;            ///< by id; row 0 is nobody
  std::vector<std::uint32_t> m_free;  ///< min-heap
  std::vector<NetId> m_idBySlot;
  std::vector<std::uint8_t> m_isWreck;  ///< by slot: health was 0
  std::vector<std::uint32_t> m_live;
  std::vector<std::uint32_t> m_held;
  std::vector<std::uint32_t> m_born;
};

}  // namespace muster::replication
