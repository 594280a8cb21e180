// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who is put through the suite. Libraries are opened here as the C header describes it, without the plugin host: the
// suite is about answers, not about loading.
#include "SpatialIndexSuite.h"

#include "PluginApi/Entry.h"
#include "PluginApi/SpatialIndex.h"
#include "Simulation/LinearIndex.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <string>

namespace muster::conformance {
namespace {

mu_status GetBoolean(void* context, const char* key, std::uint8_t* out) {
  if (std::strcmp(key, "use_avx2") != 0) {
    return MU_E_NOT_SUPPORTED;
  }
  *out = *static_cast<const bool*>(context) ? 1 : 0;
  return MU_OK;
}

const void* Service(void* /*context*/, const char* id) {
  static constexpr mu_host_config_v0 kConfig{sizeof(mu_host_config_v0), 0, nullptr, nullptr, &GetBoolean, nullptr};
  return std::strcmp(id, MU_HOST_CONFIG_V0) == 0 ? &kConfig : nullptr;
}

/// Libraries stay open until the process ends; the suite's rows point into them.
const mu_plugin_entry& OpenLibrary(const std::string& name, bool& useAvx2) {
  struct Opened {
    mu_host host;
    const mu_plugin_entry* entry;
  };
  static std::map<std::string, Opened>
      libraries;  // a node stays where it is, as the plugin keeps a pointer to its host
  const auto [place, isNew] = libraries.try_emplace(name, Opened{{sizeof(mu_host), 0, &useAvx2, &Service}, nullptr});
  Opened& opened = place->second;
  if (isNew) {
    const std::string path = std::string{MUSTER_TEST_BINARY_DIR} + "/Plugins/" + name + "/lib" + name + ".so";
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      ADD_FAILURE() << dlerror();
      std::abort();
    }
    opened.entry = static_cast<const mu_plugin_entry*>(dlsym(library, MU_ENTRY_SYMBOL));
    if (opened.entry == nullptr || opened.entry->magic != MU_ENTRY_MAGIC || opened.entry->init(&opened.host) != MU_OK) {
      std::abort();
    }
  }
  return *opened.entry;
}

bool g_useAvx2 = true;

const mu_spatial_index_v0& Grid() {
  return *static_cast<const mu_spatial_index_v0*>(
      OpenLibrary("GridSpatial", g_useAvx2).get_interface(MU_SPATIAL_INDEX_V0));
}

/// The grid's table with a `create` that asks for the kernels of every processor.
const mu_spatial_index_v0& GridWithoutAvx2() {
  static const mu_spatial_index_v0 table = [] {
    mu_spatial_index_v0 changed = Grid();
    changed.create = [](const mu_spatial_params* params, mu_spatial_index** out) {
      g_useAvx2 = false;
      const mu_status status = Grid().create(params, out);
      g_useAvx2 = true;
      return status;
    };
    return changed;
  }();
  return table;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Providers, SpatialIndexConformance,
    ::testing::Values(Candidate{"Linear", &simulation::LinearIndexTable(), 0.0F}, Candidate{"Grid", &Grid(), 0.0F},
                      Candidate{"GridWithoutAvx2", &GridWithoutAvx2(), 0.0F},
                      Candidate{"GridOfTinyCells", &Grid(), 1e-3F}, Candidate{"GridOf1Kilometre", &Grid(), 1000.0F},
                      Candidate{"GridOfOneCell", &Grid(), 1e20F},
                      Candidate{"GridOfNonsense", &Grid(), -std::numeric_limits<float>::infinity()}),
    NameOf);

}  // namespace muster::conformance
