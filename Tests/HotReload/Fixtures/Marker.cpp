// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Leaves a file behind as soon as any of its code runs.
#include <cstdio>
#include <cstdlib>

#include "SpatialFixture.h"

namespace {

__attribute__((constructor)) void LeaveMarker() {
  if (const char* path = std::getenv("MUSTER_FIXTURE_MARKER")) {
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fclose(file);
    }
  }
}

}  // namespace

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<muster::fixture::SpatialFixture>);
