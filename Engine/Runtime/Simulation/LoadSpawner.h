// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The load of a test: many steered craft, laid out the same way every time.
//
//   Result<LoadSpawner> load = LoadSpawner::Create({.count = 500, .mix = "loiter:60,pursuit:25"}, archetypes, controllers);
//   load->SpawnAll(simulation);          // before the first tick
//   simulation.Spawn(load->At(17));      // the same craft, one by one
//
// Craft i of n stands on a sunflower disc (golden angle, even by area) of `spreadKm` around the origin, `aglMeters`
// above the ground, in level flight at its archetype's cruise speed. Courses change slowly over the disc, so that
// neighbours fly nearly alike and keep the distance they were given. Controllers are dealt out by index: with weights
// of total w, craft i takes the one whose share holds floor(i * w / n).
//
// Threads: [sim] between ticks.
#pragma once

#include "Core/Result.h"
#include "Core/WeightedMix.h"
#include "Simulation/ControllerDirectory.h"
#include "Simulation/Simulation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster::simulation {

inline constexpr ErrorCode kSpawnMixInvalid{2042, "SpawnMixInvalid"};

/// The keys test_spawn_ai_count, _spread_km, _agl_m, _ai_mix and test_spawn_entity_type of [world].
struct LoadSpawnConfig {
  std::uint32_t count = 0;
  double spreadKm = 50.0;        ///< radius of the disc
  double aglMeters = 500.0;      ///< above the ground
  std::string mix = "loiter:1";  ///< "name:weight,name:weight"; weights are whole numbers from 1
  std::string entityType = "builtin:debug-entity";
};

class LoadSpawner {
 public:
  /// Whether a mix can be read, whatever controllers there are. Fails with kSpawnMixInvalid. [any]
  static Result<void> CheckMix(std::string_view mix);

  /// Fails with kSpawnMixInvalid (which names the controllers there are) or kArchetypeUnknown.
  static Result<LoadSpawner> Create(const LoadSpawnConfig& config, const ArchetypeSet& archetypes,
                                    const ControllerDirectory& controllers);

  [[nodiscard]] std::uint32_t Count() const { return m_config.count; }

  /// `index` is below Count().
  [[nodiscard]] SpawnRequest At(std::uint32_t index) const;

  /// Spawns every craft at once, in the order of indices; returns how many there was room for.
  std::uint32_t SpawnAll(Simulation& simulation) const;

 private:
  LoadSpawner(LoadSpawnConfig config, ArchetypeId archetype, float cruiseSpeedMps, WeightedMix mix,
              std::vector<ControllerId> controllerOf)
      : m_config{std::move(config)},
        m_archetype{archetype},
        m_cruiseSpeedMps{cruiseSpeedMps},
        m_mix{std::move(mix)},
        m_controllerOf{std::move(controllerOf)} {}

  LoadSpawnConfig m_config;
  ArchetypeId m_archetype;
  float m_cruiseSpeedMps;
  WeightedMix m_mix;
  std::vector<ControllerId> m_controllerOf;  ///< by part of the mix
};

}  // namespace muster::simulation
