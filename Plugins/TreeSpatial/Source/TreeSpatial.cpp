// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The plugin's face: an index with the host's wishes. A wished cell size means nothing to a tree.
#include "Kernels.h"
#include "PluginApi/Plugin.h"
#include "TreeIndex.h"

namespace muster::tree {

class TreeSpatial : public TreeIndex {
 public:
  TreeSpatial(const plugin::Host& host, const mu_spatial_params& /*params*/)
      : TreeIndex{host.ConfigBoolean("use_avx2").value_or(true) ? BestKernels() : BaselineKernels()} {}
};

}  // namespace muster::tree

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<muster::tree::TreeSpatial>);
