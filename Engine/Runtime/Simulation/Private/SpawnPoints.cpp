// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/SpawnPoints.h"

#include "Sunflower.h"

#include <cmath>

namespace muster::simulation {

Vec3d PlayerStand(std::uint32_t index) {
  // The disc's area per point is pi times this squared; neighbours are about 1.6 times it apart.
  constexpr double spread = 80.0;
  return SunflowerDirection(index) * (spread * std::sqrt(static_cast<double>(index) + 0.5));
}

}  // namespace muster::simulation
