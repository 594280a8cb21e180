// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The spatial libraries of Debian 12 behind the interface that ours are measured by.
#pragma once

#include "SpatialSubject.h"

namespace muster::bench {

/// nanoflann's k-d tree, 2D, leaves of 16; built anew when points moved (it has no update).
std::unique_ptr<ISpatialSubject> MakeNanoflann();
/// Boost.Geometry's R-tree (R*, 16 a node), packed anew.
std::unique_ptr<ISpatialSubject> MakeBoostRtree();
/// The dynamic box tree of Bullet's broadphase; every leaf updated.
std::unique_ptr<ISpatialSubject> MakeBulletDbvt();
/// Box2D 2.4's dynamic tree; every proxy moved.
std::unique_ptr<ISpatialSubject> MakeBox2dTree();

std::vector<SpatialFactory> SpatialPeers();

}  // namespace muster::bench
