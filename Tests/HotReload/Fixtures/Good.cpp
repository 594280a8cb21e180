// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialFixture.h"

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<muster::fixture::SpatialFixture>);
