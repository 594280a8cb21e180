// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The columns every world has. Who writes what: the stage named beside each column; everybody may read between stages.
#pragma once

#include "Core/Ids.h"
#include "Core/Vector.h"
#include "PluginApi/AiController.h"
#include "World/Columns.h"
#include "World/EntityStore.h"

#include <cstdint>

namespace muster::simulation {

struct EntityColumns {
  // State, written by `integrate` (and by `collision` for separation). Metres, metres per second, radians, +Y up.
  world::ColumnId<double> positionX, positionY, positionZ;
  world::ColumnId<float> velocityX, velocityY, velocityZ;
  world::ColumnId<float> orientationX, orientationY, orientationZ, orientationW;
  world::ColumnId<float> angularX, angularY, angularZ;
  /// 0..1; at 0 the entity is reaped in the next `maintenance`. Written by `collision` and `integrate` (ground).
  world::ColumnId<float> health;
  /// MU_STATUS_* bits. Written by `integrate`.
  world::ColumnId<std::uint32_t> status;

  // What the entity is; written at spawn.
  world::ColumnId<std::uint16_t> archetype;
  world::ColumnId<std::uint8_t> entityClass;
  world::ColumnId<float> radius;
  world::ColumnId<double> homeX, homeY, homeZ;
  /// 0: steered by nobody or by a player; otherwise index + 1 into ControllerDirectory.
  world::ColumnId<std::uint16_t> controller;
  /// Session that owns the entity (a player's own craft); 0: nobody.
  world::ColumnId<std::uint32_t> owner;
  /// Number of the tick whose `maintenance` takes the entity away; 0: none does.
  world::ColumnId<std::uint64_t> expiresAt;

  /// What it is told to do; written by `ai` for agents and by `maintenance` from players' input.
  world::ColumnId<mu_control> control;

  static EntityColumns Register(world::ColumnRegistry& registry);
};

/// Position of a slot, gathered from its columns.
Vec3d PositionAt(const world::EntityStore& store, const EntityColumns& columns, std::uint32_t slot);
Vec3f VelocityAt(const world::EntityStore& store, const EntityColumns& columns, std::uint32_t slot);

}  // namespace muster::simulation
