// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A thread_local object with a destructor: as long as the thread lives, the image stays.
#include <string>

#include "SpatialFixture.h"

namespace {

thread_local std::string t_scratch;

class Pinned : public muster::fixture::SpatialFixture {
 public:
  using SpatialFixture::SpatialFixture;
  void Rebuild(const mu_spatial_view& view) {
    t_scratch = "long enough that the string has to allocate its bytes";
    SpatialFixture::Rebuild(view);
  }
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<Pinned>);
