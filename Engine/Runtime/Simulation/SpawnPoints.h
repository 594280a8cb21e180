// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Where players' craft stand when they join: apart from each other, close to the origin.
#pragma once

#include "Core/Vector.h"

#include <cstdint>

namespace muster::simulation {

/// Stand `index` of a sunflower disc around the origin, on the ground; any two are at least 100 m apart. A session that
/// leaves frees its index for the next. [any]
Vec3d PlayerStand(std::uint32_t index);

}  // namespace muster::simulation
