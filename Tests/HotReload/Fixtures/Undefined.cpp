// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Calls something that nobody defines.
#include "SpatialFixture.h"

extern "C" std::uint32_t muster_fixture_nobody_defines_this(void);

namespace {

class Undefined : public muster::fixture::SpatialFixture {
 public:
  using SpatialFixture::SpatialFixture;
  void Stats(mu_spatial_stats& stats) const { stats.cells = muster_fixture_nobody_defines_this(); }
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<Undefined>);
