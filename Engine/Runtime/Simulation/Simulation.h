// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The authoritative world: entities, their columns, and what is to be born and to die.
//
//   Simulation simulation{{.capacity = 20'000, .seed = 7}, std::move(archetypes)};
//   const EntityHandle craft = simulation.Spawn({.archetype = trainer, .position = {0, 500, 0}, .speedMps = 150});
//   simulation.RequestDespawn(craft);                  // dies in the next `maintenance`
//
// Structure changes at one point of the tick: `maintenance`, and between two ticks. There Spawn may be called and gives
// a handle at once; at any other time of the tick thread QueueSpawn and RequestDespawn wait for it. CommitStructure,
// called by MaintenanceStage, first takes away, in slot order, what is without health, asked to go or at its time's end,
// then spawns in the order of the requests: equal requests give equal worlds.
//
// Threads: [sim].
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "Simulation/Archetypes.h"
#include "Simulation/ControllerDirectory.h"
#include "Simulation/EntityColumns.h"
#include "World/EntityStore.h"

#include <cstdint>
#include <vector>

namespace muster::simulation {

struct SimulationConfig {
  /// Entity slots; fixed for the life of the world.
  std::uint32_t capacity = 20'000;
  /// Everything random follows from it.
  std::uint64_t seed = 1;
};

struct SpawnRequest {
  ArchetypeId archetype{};
  /// Metres; an altitude under the gear height stands on the ground, and a ground vehicle stands there at any altitude.
  Vec3d position{};
  /// Radians, clockwise seen from above; 0 looks along -Z, a quarter turn along +X.
  float headingRadians = 0.0F;
  float speedMps = 0.0F;  ///< along the heading, level
  /// Besides `speedMps`: what it takes over from whoever fires it, and which way it is fired.
  Vec3f velocity{};
  /// The `maintenance` of this tick takes it away; zero: none does.
  Tick expiresAt{};
  /// Null: a player's, or nobody's.
  ControllerId controller{};
  SessionId owner{};
};

/// Counts since start.
struct StructureCounts {
  std::uint64_t spawned = 0;
  std::uint64_t refusedSpawns = 0;  ///< the store was full
  std::uint64_t reaped = 0;         ///< without health
  std::uint64_t despawned = 0;      ///< on request
  std::uint64_t expired = 0;        ///< at the end of their time
};

class Simulation {
 public:
  Simulation(const SimulationConfig& config, ArchetypeSet archetypes);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] world::EntityStore& Store() { return m_store; }
  [[nodiscard]] const world::EntityStore& Store() const { return m_store; }
  [[nodiscard]] const EntityColumns& Columns() const { return m_columns; }
  [[nodiscard]] const ArchetypeSet& Archetypes() const { return m_archetypes; }
  [[nodiscard]] std::uint64_t Seed() const { return m_seed; }

  /// At once. Only where structure may change; null when the store is full.
  world::EntityHandle Spawn(const SpawnRequest& request);

  /// For the next CommitStructure.
  void QueueSpawn(const SpawnRequest& request) { m_spawns.push_back(request); }
  /// Stale handles are passed over.
  void RequestDespawn(world::EntityHandle handle) { m_despawns.push_back(handle); }

  /// `tick` is the one at hand.
  void CommitStructure(Tick tick);

  [[nodiscard]] const StructureCounts& Counts() const { return m_counts; }

  /// The columns as plugins see them. Valid until structure changes.
  [[nodiscard]] mu_world_view View() const;

  /// Of the whole authoritative state; equal worlds give equal digests whatever their history.
  [[nodiscard]] std::uint64_t StateDigest() const;

 private:
  void TakeAway(Tick tick);

  ArchetypeSet m_archetypes;
  std::uint64_t m_seed;
  world::ColumnRegistry m_registry;
  EntityColumns m_columns;
  world::EntityStore m_store;
  std::vector<SpawnRequest> m_spawns;
  std::vector<world::EntityHandle> m_despawns;
  std::vector<std::uint64_t> m_leaving;  ///< scratch: a bit per slot
  StructureCounts m_counts;
};

}  // namespace muster::simulation
