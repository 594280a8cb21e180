// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The plugin's face: an index with the host's wishes.
#include "GridIndex.h"
#include "Kernels.h"
#include "PluginApi/Plugin.h"

namespace muster::grid {

class GridSpatial : public GridIndex {
 public:
  GridSpatial(const plugin::Host& host, const mu_spatial_params& params)
      : GridIndex{params.cell_size_meters,
                  host.ConfigBoolean("use_avx2").value_or(true) ? BestKernels() : BaselineKernels()} {}
};

}  // namespace muster::grid

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<muster::grid::GridSpatial>);
