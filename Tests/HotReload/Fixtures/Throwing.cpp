// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Throws wherever a cell size tells it to: in create when it is negative, otherwise in rebuild.
#include <new>
#include <stdexcept>

#include "SpatialFixture.h"

namespace {

class Throwing : public muster::fixture::SpatialFixture {
 public:
  explicit Throwing(const mu_spatial_params& params) : SpatialFixture{params}, m_cellSize{params.cell_size_meters} {
    if (m_cellSize < 0.0F) {
      throw std::invalid_argument{"the cells are too small"};
    }
  }

  void Rebuild(const mu_spatial_view&) {
    if (m_cellSize == 1.0F) {
      throw std::bad_alloc{};
    }
    if (m_cellSize == 2.0F) {
      throw muster::plugin::Failure{MU_E_STATE, "chosen by the plugin"};
    }
    if (m_cellSize == 3.0F) {
      throw 3;
    }
    throw std::runtime_error{"the index broke"};
  }

 private:
  float m_cellSize;
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<Throwing>);
