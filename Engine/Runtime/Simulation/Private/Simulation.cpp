// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/Simulation.h"

#include "Core/Hash.h"
#include "PluginApi/SnapshotCodec.h"
#include "World/LiveRuns.h"

#include <algorithm>
#include <utility>

namespace muster::simulation {
namespace {

double StartAltitude(const Archetype& archetype, double wanted) {
  switch (archetype.motion) {
    case MotionModel::Ground:
      return 0.0;
    case MotionModel::FixedWing:
      return std::max(wanted, static_cast<double>(archetype.flight.gearHeightM));
    case MotionModel::Ballistic:
    case MotionModel::Stationary:
      break;
  }
  return std::max(wanted, 0.0);
}

}  // namespace

Simulation::Simulation(const SimulationConfig& config, ArchetypeSet archetypes)
    : m_archetypes{std::move(archetypes)},
      m_seed{config.seed},
      m_columns{EntityColumns::Register(m_registry)},
      m_store{m_registry, {.capacity = config.capacity}},
      m_leaving(m_store.LiveBits().size(), 0) {}

world::EntityHandle Simulation::Spawn(const SpawnRequest& request) {
  const Archetype& archetype = m_archetypes.Get(request.archetype);
  const world::EntityHandle handle = m_store.Create();
  if (handle.IsNull()) {
    ++m_counts.refusedSpawns;
    return handle;
  }
  ++m_counts.spawned;
  const std::uint32_t slot = handle.Slot();
  const Vec3d position{request.position.x, StartAltitude(archetype, request.position.y), request.position.z};
  const SineCosine heading = SinCos(request.headingRadians);
  const Quatf orientation = FromAxisAngle({0.0F, 1.0F, 0.0F}, -request.headingRadians);
  const auto set = [&](auto id, auto value) { m_store.Column(id)[slot] = value; };
  set(m_columns.positionX, position.x);
  set(m_columns.positionY, position.y);
  set(m_columns.positionZ, position.z);
  set(m_columns.velocityX, heading.sine * request.speedMps + request.velocity.x);
  set(m_columns.velocityY, request.velocity.y);
  set(m_columns.velocityZ, -heading.cosine * request.speedMps + request.velocity.z);
  set(m_columns.orientationX, orientation.x);
  set(m_columns.orientationY, orientation.y);
  set(m_columns.orientationZ, orientation.z);
  set(m_columns.orientationW, orientation.w);
  set(m_columns.health, 1.0F);
  set(m_columns.status, request.owner.IsNull() ? 0U : MU_STATUS_PLAYER);
  set(m_columns.archetype, request.archetype.Value());
  set(m_columns.entityClass, archetype.entityClass);
  set(m_columns.radius, archetype.radiusMeters);
  set(m_columns.homeX, position.x);
  set(m_columns.homeY, position.y);
  set(m_columns.homeZ, position.z);
  set(m_columns.controller, request.controller.Value());
  set(m_columns.owner, request.owner.Value());
  set(m_columns.expiresAt, request.expiresAt.Value());
  mu_control control{};
  control.throttle = request.controller.IsNull() ? 0.0F : archetype.cruiseThrottle;
  set(m_columns.control, control);
  return handle;
}

void Simulation::CommitStructure(Tick tick) {
  TakeAway(tick);
  for (const SpawnRequest& request : m_spawns) {
    Spawn(request);
  }
  m_spawns.clear();
}

void Simulation::TakeAway(Tick tick) {
  std::fill(m_leaving.begin(), m_leaving.end(), 0);
  const auto mark = [&](std::uint32_t slot) {
    std::uint64_t& word = m_leaving[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    const bool isNew = (word & bit) == 0;
    word |= bit;
    return isNew;
  };
  bool any = false;
  for (const world::EntityHandle handle : m_despawns) {
    if (m_store.IsAlive(handle) && mark(handle.Slot())) {
      ++m_counts.despawned;
      any = true;
    }
  }
  m_despawns.clear();
  const std::span<const float> health = m_store.Column(m_columns.health);
  const std::span<const std::uint64_t> expiresAt = m_store.Column(m_columns.expiresAt);
  world::ForEachLive(m_store.LiveBits(), [&](std::uint32_t slot) {
    const bool isDead = !(health[slot] > 0.0F);
    const bool isExpired = expiresAt[slot] != 0 && expiresAt[slot] <= tick.Value();
    if ((isDead || isExpired) && mark(slot)) {
      ++(isDead ? m_counts.reaped : m_counts.expired);
      any = true;
    }
  });
  if (any) {
    m_store.DestroySlots(m_leaving);
  }
}

mu_world_view Simulation::View() const {
  mu_world_view view{};
  view.struct_size = static_cast<std::uint32_t>(sizeof(view));
  view.slot_capacity = m_store.Capacity();
  view.live_bits = m_store.LiveBits().data();
  view.position_x = m_store.Column(m_columns.positionX).data();
  view.position_y = m_store.Column(m_columns.positionY).data();
  view.position_z = m_store.Column(m_columns.positionZ).data();
  view.velocity_x = m_store.Column(m_columns.velocityX).data();
  view.velocity_y = m_store.Column(m_columns.velocityY).data();
  view.velocity_z = m_store.Column(m_columns.velocityZ).data();
  view.orientation_x = m_store.Column(m_columns.orientationX).data();
  view.orientation_y = m_store.Column(m_columns.orientationY).data();
  view.orientation_z = m_store.Column(m_columns.orientationZ).data();
  view.orientation_w = m_store.Column(m_columns.orientationW).data();
  view.angular_x = m_store.Column(m_columns.angularX).data();
  view.angular_y = m_store.Column(m_columns.angularY).data();
  view.angular_z = m_store.Column(m_columns.angularZ).data();
  view.health = m_store.Column(m_columns.health).data();
  view.archetype = m_store.Column(m_columns.archetype).data();
  view.entity_class = m_store.Column(m_columns.entityClass).data();
  return view;
}

std::uint64_t Simulation::StateDigest() const {
  Digest64 digest{m_seed};
  m_store.UpdateDigest(digest);
  return digest.Value();
}

}  // namespace muster::simulation
