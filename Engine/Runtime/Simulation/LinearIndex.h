// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The spatial index that is always there: tests every entity for every query. It takes over for a provider that fails,
// and is the reference that other providers are tested against.
#pragma once

#include "PluginApi/SpatialIndex.h"

namespace muster::simulation {

/// The name under which a catalog offers it.
inline constexpr const char* kLinearIndexName = "builtin.linear";

/// Keeps the view it was rebuilt from and nothing else, so a rebuild costs nothing. [any]
const mu_spatial_index_v0& LinearIndexTable();

}  // namespace muster::simulation
