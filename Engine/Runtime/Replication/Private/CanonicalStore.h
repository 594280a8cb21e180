// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The canonical records of this tick and of the newest anchor ticks, by net id: the one state that every client is
// told of. Made once a tick, read by all workers afterwards.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "NetIdTable.h"
#include "PluginApi/SnapshotCodec.h"
#include "Protocol/SnapshotLayout.h"
#include "Simulation/EntityColumns.h"
#include "World/EntityStore.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::jobs {
class WorkerPool;
}

namespace muster::replication {

class CanonicalStore {
 public:
  CanonicalStore(const mu_snapshot_codec_v0& codec, const simulation::EntityColumns& columns);

  /// [sim] Quantises every live entity that has an id. False when the codec failed; then nothing may be sent this tick.
  bool Update(const world::EntityStore& store, const NetIdTable& ids, Tick tick, jobs::WorkerPool& workers);

  // [worker] Between two Updates, for live ids.
  const mu_canonical_record& Current(NetId netId) const { return m_rows[netId.Value()].current; }
  /// The record of an anchor tick of the entity; null when it was not quantised then, or the tick is no longer kept.
  const mu_canonical_record* Anchor(NetId netId, Tick anchorTick) const;
  /// Since when the record is what it is.
  Tick ChangedAt(NetId netId) const { return m_rows[netId.Value()].changedAt; }

  /// Positions in metres by net id, for distances; exact enough for interest, and the same everywhere.
  std::span<const float> X() const { return m_x; }
  std::span<const float> Y() const { return m_y; }
  std::span<const float> Z() const { return m_z; }

 private:
  struct Row {
    mu_canonical_record current{};
    std::array<mu_canonical_record, protocol::kAnchorsKept> anchors{};
    std::array<Tick, protocol::kAnchorsKept> anchorTicks{};  ///< 0: nothing of this life of the id
    Tick changedAt{};
  };

  void Resize(const NetIdTable& ids, Tick tick);
  void Store(NetId netId, const mu_canonical_record& record, Tick tick);
  static std::size_t AnchorPlace(NetId netId, Tick anchorTick);

  const mu_snapshot_codec_v0& m_codec;
  simulation::EntityColumns m_columns;
  std::vector<Row> m_rows;  ///< by net id
  std::vector<float> m_x, m_y, m_z;
  std::vector<std::uint32_t> m_slots;  ///< of live ids
  std::vector<mu_canonical_record> m_fresh;
  std::vector<float> m_throttle;  ///< by slot
  std::vector<std::uint8_t> m_chunkFailed;
};

}  // namespace muster::replication
