// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The world's spatial index: owns the instance of whichever provider is active, and puts the host's order over its
// answers, so that every provider gives the same bytes.
//
//   SpatialService spatial{provider, {.cellSizeMeters = 0}, logger};
//   spatial.Rebuild(store, columns, stepSeconds);          // [sim] in maintenance, after structure is committed
//   spatial.QueryIds(queries, slots, capacity, results);   // [worker] until the next rebuild
//   for (const mu_slot_pair& pair : spatial.CandidatePairs()) { ... }   // [sim]
//
// It is also what controllers reach through muster.host.spatial/0 (IHostSpatial); the AI stage opens that for `think`.
//
// When a provider fails (an error status, an exception, an answer that names a slot that is not there), the linear
// index answers that call, and takes over for good at the next rebuild: one log line, one count. A swap brings a
// provider back.
//
// Threads: queries are const and [worker]; everything else is [sim] while no query runs.
#pragma once

#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/HostSpatial.h"
#include "PluginHost/Slot.h"
#include "Simulation/EntityColumns.h"
#include "World/EntityStore.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace muster::simulation {

struct SpatialServiceConfig {
  /// A wish to the provider; 0: its own choice.
  float cellSizeMeters = 0.0F;
  /// More candidate pairs than this are cut, lowest (a, b) first: a crowd on one spot must not take the tick or the
  /// memory.
  std::uint32_t maxCandidatePairs = 1U << 18U;
};

struct SpatialServiceStats {
  std::uint64_t rebuilds = 0;
  std::uint64_t providerFailures = 0;  ///< providers taken out of service
  std::uint64_t idOverflows = 0;       ///< id lists that were cut
  std::uint64_t pairOverflows = 0;     ///< ticks whose pairs were cut
  std::uint32_t entities = 0;          ///< in the index
  std::uint32_t cells = 0;             ///< as the provider says
  std::uint64_t bytes = 0;
};

class SpatialService final : public plugins::IHostSpatial {
 public:
  using Provider = plugins::Provider<mu_spatial_index_v0>;

  /// A provider that cannot be created is logged and counted as failed; the linear index serves then.
  SpatialService(Provider provider, const SpatialServiceConfig& config, const Logger& logger);
  ~SpatialService() override;
  SpatialService(const SpatialService&) = delete;
  SpatialService& operator=(const SpatialService&) = delete;

  /// [sim] Takes the positions of the live entities, as float32 metres from the world's origin. Radii are swept: what a
  /// sphere can touch within the step at its present velocity, and a little acceleration on top.
  void Rebuild(const world::EntityStore& store, const EntityColumns& columns, float stepSeconds);

  /// For query i writes the lowest `capacity` matching slots, ascending, at `slots + i * capacity`.
  mu_status QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                     mu_id_query_result* results) override;

  /// For query i writes at most min(k, capacity) slots at `slots + i * capacity`, nearest first, ties by slot.
  mu_status QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                         mu_nearest_result* results) override;

  /// For query i sets the bits of the matching slots in `bits` from word i * WordsPerQuery() on, and clears the others.
  void QueryBits(std::span<const mu_sphere_query> queries, std::span<std::uint64_t> bits) const;
  std::uint32_t WordsPerQuery() const;

  /// [sim] Pairs of entities whose swept spheres touch, a < b, ascending by (a, b). Valid until the next call.
  std::span<const mu_slot_pair> CandidatePairs();

  /// [sim] between two ticks. Creates an instance of `next`, gives it this tick's entities, destroys the instance that
  /// served and gives its provider back, for the caller to retire or to swap in again. Fails with
  /// plugins::kCreateFailed or what the rebuild came to; then nothing changed.
  Result<Provider> Swap(Provider next);

  /// For displays: who was asked to serve, and whether the linear index does it.
  struct ProviderStatus {
    std::string name;
    std::string version;
    std::uint64_t generation = 0;
    bool isDisabled = false;
  };
  /// [sim]
  ProviderStatus Active() const;
  SpatialServiceStats Stats() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace muster::simulation
