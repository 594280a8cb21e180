// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Makes every client's snapshot message of a tick. The last stage of the tick.
//
//   ReplicationStage stage{store, columns, codec, clients, sink, {.drawDistanceMeters = 200'000.0}};
//   pipeline.Add(...)
//
// One tick: net ids follow births and deaths -> every entity is quantised once -> for each client, in parallel: acks
// are taken in, interest is judged, what is most due is ranked under the byte budget, encoded and written -> messages
// are handed over in session order -> ids that nobody holds any more are released.
//
// This is the reference: it ranks everything for every client, in clients x entities. What it sends is deterministic
// for any number of workers: clients are cut into fixed chunks and share nothing that is written.
//
// Threads: [sim]; the pool of TickContext is used within Run. Steady ticks allocate nothing.
#pragma once

#include "PluginApi/SnapshotCodec.h"
#include "Replication/ReplicationClients.h"
#include "Replication/ReplicationStats.h"
#include "Simulation/EntityColumns.h"
#include "Simulation/TickPipeline.h"
#include "Telemetry/Phase.h"
#include "World/EntityStore.h"

#include <cstdint>
#include <memory>

namespace muster::replication {

struct ReplicationConfig {
  /// Entities nearer than this to a client's own craft are sent to it. Metres.
  double drawDistanceMeters = 200'000.0;
  /// A packet on the wire, everything included.
  std::uint32_t snapshotBudgetBytes = 1'200;
  /// What the packet header, the seal and the transport's framing take of it (ServerLink::PacketOverheadBytes).
  std::uint32_t packetOverheadBytes = 35;
};

/// Bounds of a budget: below the lower one not even a client's own craft would fit, above the upper one no datagram is
/// sure to arrive whole.
inline constexpr std::uint32_t kMinBudgetBytes = 160;
inline constexpr std::uint32_t kMaxBudgetBytes = 1'400;

class ReplicationStage final : public simulation::IStage {
 public:
  /// Everything passed by reference outlives the stage. `codec` stays for the stage's life: clients have agreed on it.
  ReplicationStage(const world::EntityStore& store, const simulation::EntityColumns& columns,
                   const mu_snapshot_codec_v0& codec, IReplicationClients& clients, IPacketSink& sink,
                   const ReplicationConfig& config);
  ~ReplicationStage() override;

  telemetry::Phase Phase() const override { return telemetry::Phase::Serialize; }
  void Run(simulation::TickContext& context) override;

  /// The net id of a live entity as of the last Run; null when it has none yet.
  NetId NetIdOf(world::EntityHandle handle) const;

  /// The entity that bears the net id; null when it is dead or unknown.
  world::EntityHandle HandleOf(NetId netId) const;

  /// As of the last Run.
  const ReplicationStats& Stats() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

}  // namespace muster::replication
