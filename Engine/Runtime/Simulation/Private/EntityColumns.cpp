// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/EntityColumns.h"

namespace muster::simulation {

EntityColumns EntityColumns::Register(world::ColumnRegistry& registry) {
  const auto state = [](const char* name) { return world::ColumnOptions{.name = name}; };
  EntityColumns columns;
  columns.positionX = registry.Add<double>(state("position_x"));
  columns.positionY = registry.Add<double>(state("position_y"));
  columns.positionZ = registry.Add<double>(state("position_z"));
  columns.velocityX = registry.Add<float>(state("velocity_x"));
  columns.velocityY = registry.Add<float>(state("velocity_y"));
  columns.velocityZ = registry.Add<float>(state("velocity_z"));
  columns.orientationX = registry.Add<float>(state("orientation_x"));
  columns.orientationY = registry.Add<float>(state("orientation_y"));
  columns.orientationZ = registry.Add<float>(state("orientation_z"));
  columns.orientationW = registry.Add<float>(state("orientation_w"));
  columns.angularX = registry.Add<float>(state("angular_x"));
  columns.angularY = registry.Add<float>(state("angular_y"));
  columns.angularZ = registry.Add<float>(state("angular_z"));
  columns.health = registry.Add<float>(state("health"));
  columns.status = registry.Add<std::uint32_t>(state("status"));
  columns.archetype = registry.Add<std::uint16_t>(state("archetype"));
  columns.entityClass = registry.Add<std::uint8_t>(state("entity_class"));
  columns.radius = registry.Add<float>(state("radius"));
  columns.homeX = registry.Add<double>(state("home_x"));
  columns.homeY = registry.Add<double>(state("home_y"));
  columns.homeZ = registry.Add<double>(state("home_z"));
  columns.controller = registry.Add<std::uint16_t>(state("controller"));
  columns.owner = registry.Add<std::uint32_t>(state("owner"));
  columns.expiresAt = registry.Add<std::uint64_t>(state("expires_at"));
  columns.control = registry.Add<mu_control>(state("control"));
  return columns;
}

Vec3d PositionAt(const world::EntityStore& store, const EntityColumns& columns, std::uint32_t slot) {
  return {store.Column(columns.positionX)[slot], store.Column(columns.positionY)[slot],
          store.Column(columns.positionZ)[slot]};
}

Vec3f VelocityAt(const world::EntityStore& store, const EntityColumns& columns, std::uint32_t slot) {
  return {store.Column(columns.velocityX)[slot], store.Column(columns.velocityY)[slot],
          store.Column(columns.velocityZ)[slot]};
}

}  // namespace muster::simulation
