// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/WeaponsStage.h"

#include "Core/Assert.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muster::simulation {
namespace {

constexpr std::uint64_t kMicrosPerTick = 1'000'000ULL * kTickHz;
/// Tells this stage's random numbers from those of others who draw by tick.
constexpr std::uint64_t kStream = 0x57454150;

constexpr float kSpread = 0.02F;          ///< of the direction, on each axis
constexpr float kGroundElevation = 0.2F;  ///< of the direction, so that it clears the ground
constexpr double kLowMeters = 10.0;       ///< who is lower fires upward
constexpr float kMuzzleGap = 2.0F;        ///< metres between the two spheres

/// By tick n: floor(n * rate / ticks a second), in whole numbers that do not overflow in a million years.
std::uint64_t DueBy(std::uint64_t tick, std::uint64_t micros) {
  return tick / kMicrosPerTick * micros + tick % kMicrosPerTick * micros / kMicrosPerTick;
}

}  // namespace

Result<WeaponsConfig> MakeWeaponsConfig(double ratePerSecond, double lifetimeSeconds, std::string_view entityType,
                                        const ArchetypeSet& archetypes) {
  WeaponsConfig config;
  config.ratePerSecond = ratePerSecond;
  config.lifetimeTicks = std::max<TickCount>(1, std::llround(lifetimeSeconds * kTickHz));
  if (ratePerSecond <= 0.0) {
    return config;
  }
  const Result<ArchetypeId> projectile = archetypes.Find(entityType);
  if (!projectile) {
    return projectile.Failure();
  }
  if (archetypes.Get(*projectile).motion != MotionModel::Ballistic) {
    return Error{kProjectileUnfit, fmt::format("test_projectile_entity_type = \"{}\" cannot be fired.", entityType),
                 "Its motion model is not ballistic.", "Name a projectile, such as \"builtin:shell\"."};
  }
  config.projectile = *projectile;
  return config;
}

WeaponsStage::WeaponsStage(Simulation& simulation, const WeaponsConfig& config)
    : m_simulation{simulation},
      m_config{config},
      m_microsPerSecond{static_cast<std::uint64_t>(std::llround(config.ratePerSecond * 1e6))} {
  MUSTER_ASSERT(config.ratePerSecond >= 0.0 && config.ratePerSecond <= 20'000.0, "a rate outside 0..20,000");
  MUSTER_ASSERT(config.lifetimeTicks > 0, "a projectile lives for a tick at least");
  MUSTER_ASSERT(
      m_microsPerSecond == 0 || simulation.Archetypes().Get(config.projectile).motion == MotionModel::Ballistic,
      "what is fired flies by the ballistic model");
  if (m_microsPerSecond > 0) {
    m_shooters.reserve(simulation.Store().Capacity());
  }
}

std::uint64_t WeaponsStage::DueIn(Tick tick) const {
  return tick.Value() == 0 ? 0 : DueBy(tick.Value(), m_microsPerSecond) - DueBy(tick.Value() - 1, m_microsPerSecond);
}

std::uint32_t WeaponsStage::SlotsNeeded(const WeaponsConfig& config) {
  // One more for the tick in which a part of the rate comes round.
  const double population = std::ceil(config.ratePerSecond * static_cast<double>(config.lifetimeTicks) / kTickHz);
  return config.ratePerSecond > 0.0 ? static_cast<std::uint32_t>(population) + 1 : 0;
}

void WeaponsStage::Run(TickContext& context) {
  const std::uint64_t due = DueIn(context.tick);
  if (due == 0) {
    return;
  }
  Random random = Random{m_simulation.Seed() ^ kStream}.Fork(context.tick.Value());
  // Nobody is born or dies in this stage, so who may fire is asked once.
  m_shooters.clear();
  for (const std::uint32_t slot : m_simulation.Store().LiveSlots()) {
    if (MayFire(slot)) {
      m_shooters.push_back(slot);
    }
  }
  for (std::uint64_t shot = 0; shot < due && !m_shooters.empty(); ++shot) {
    Fire(m_shooters[static_cast<std::size_t>(random.NextBelow(m_shooters.size()))], context.tick, random);
    ++m_fired;
  }
}

bool WeaponsStage::MayFire(std::uint32_t slot) const {
  const world::EntityStore& store = m_simulation.Store();
  const EntityColumns& columns = m_simulation.Columns();
  const std::uint8_t entityClass = store.Column(columns.entityClass)[slot];
  return (entityClass == MU_CLASS_AIRCRAFT || entityClass == MU_CLASS_GROUND) &&
         store.Column(columns.health)[slot] > 0.0F;
}

void WeaponsStage::Fire(std::uint32_t shooter, Tick tick, Random& random) {
  const world::EntityStore& store = m_simulation.Store();
  const EntityColumns& columns = m_simulation.Columns();
  const Archetype& projectile = m_simulation.Archetypes().Get(m_config.projectile);
  const Quatf orientation{store.Column(columns.orientationX)[shooter], store.Column(columns.orientationY)[shooter],
                          store.Column(columns.orientationZ)[shooter], store.Column(columns.orientationW)[shooter]};
  const Vec3d from = PositionAt(store, columns, shooter);
  Vec3f direction = Rotate(orientation, Vec3f{0.0F, 0.0F, -1.0F});
  direction.x += random.NextBetween(-kSpread, kSpread);
  direction.y += random.NextBetween(-kSpread, kSpread);
  direction.z += random.NextBetween(-kSpread, kSpread);
  if (from.y < kLowMeters) {
    direction.y = std::fabs(direction.y) + kGroundElevation;
  }
  direction = Normalised(direction, Vec3f{0.0F, 1.0F, 0.0F});

  SpawnRequest request;
  request.archetype = m_config.projectile;
  // Ahead of whoever fires: spheres that part from the start are no contact.
  const float ahead = store.Column(columns.radius)[shooter] + projectile.radiusMeters + kMuzzleGap;
  request.position = from + ToDouble(direction * ahead);
  request.velocity = VelocityAt(store, columns, shooter) + direction * projectile.cruiseSpeedMps;
  request.headingRadians = Atan2(direction.x, -direction.z);
  // Born in the next tick, lives for so many.
  request.expiresAt = tick.Next() + m_config.lifetimeTicks;
  m_simulation.QueueSpawn(request);
}

}  // namespace muster::simulation
