// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `weapons`: the projectiles of load tests. At a steady rate, something that lives fires: who and how is drawn from
// (seed, tick), so that equal worlds fire alike. What was fired is queued here and born in the next `maintenance`; it
// dies of a hit, of the ground, or at the end of its time, so that the population is rate times lifetime and one at most.
//
//   WeaponsStage weapons{simulation, {.ratePerSecond = 120, .lifetimeTicks = 180, .projectile = shell}};
//
// The rate is exact over any number of ticks: by tick n, floor(n * rate / 60) were fired, in steps of a millionth.
#pragma once

#include "Core/Ids.h"
#include "Core/Random.h"
#include "Core/Result.h"
#include "Core/Tick.h"
#include "Simulation/Simulation.h"
#include "Simulation/TickPipeline.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace muster::simulation {

/// The keys test_projectile_rate, _ttl_s and _entity_type of [world].
struct WeaponsConfig {
  double ratePerSecond = 0.0;  ///< 0..20,000; 0: nobody fires
  TickCount lifetimeTicks = 3 * kTickHz;
  ArchetypeId projectile{};  ///< of the ballistic model; null only where nobody fires
};

inline constexpr ErrorCode kProjectileUnfit{2043, "ProjectileUnfit"};

/// From the configuration, within its ranges; a lifetime is rounded to ticks. Fails with kArchetypeUnknown or
/// kProjectileUnfit where something is fired. [any]
Result<WeaponsConfig> MakeWeaponsConfig(double ratePerSecond, double lifetimeSeconds, std::string_view entityType,
                                        const ArchetypeSet& archetypes);

class WeaponsStage final : public IStage {
 public:
  /// `simulation` outlives the stage.
  WeaponsStage(Simulation& simulation, const WeaponsConfig& config);

  telemetry::Phase Phase() const override { return telemetry::Phase::Weapons; }
  void Run(TickContext& context) override;

  /// How many are fired in this tick.
  [[nodiscard]] std::uint64_t DueIn(Tick tick) const;

  /// Slots that a world needs beside its others.
  [[nodiscard]] static std::uint32_t SlotsNeeded(const WeaponsConfig& config);

  /// Since start. Fewer than are due where there is nobody to fire. [sim]
  [[nodiscard]] std::uint64_t Fired() const { return m_fired; }

 private:
  [[nodiscard]] bool MayFire(std::uint32_t slot) const;
  void Fire(std::uint32_t shooter, Tick tick, Random& random);

  Simulation& m_simulation;
  WeaponsConfig m_config;
  std::uint64_t m_microsPerSecond;
  std::vector<std::uint32_t> m_shooters;  ///< scratch of a tick
  std::uint64_t m_fired = 0;
};

}  // namespace muster::simulation
