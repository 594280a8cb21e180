// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LoadedPlugins.h"

#include "Simulation/LinearIndex.h"

#include <algorithm>
#include <string>
#include <utility>

namespace muster::bench {
namespace {

/// "muster.spatial.grid" -> "grid".
std::string LabelOf(const std::string& id) {
  return id.substr(id.rfind('.') + 1);
}

template <class Table>
std::vector<NamedTable<Table>> TablesOf(const plugins::ProviderCatalog& catalog) {
  std::vector<NamedTable<Table>> tables;
  for (const plugins::Provider<Table>& provider : catalog.All<Table>()) {
    tables.push_back({LabelOf(provider.name), provider.name, provider.table});
  }
  return tables;
}

}  // namespace

Result<std::unique_ptr<LoadedPlugins>> LoadedPlugins::Load(const std::filesystem::path& root, const Logger& logger,
                                                           const IClock& clock) {
  plugins::PluginHostConfig config;
  config.roots.push_back({root, plugins::PluginRoot::Layout::Source});
  Result<std::unique_ptr<plugins::PluginHost>> host = plugins::PluginHost::Create(config, logger, clock);
  if (!host) {
    return std::move(host).Failure();
  }
  auto loaded = std::make_unique<LoadedPlugins>();
  loaded->m_host = std::move(*host);
  for (const plugins::FoundPlugin& found :
       plugins::Discover(config.roots, plugins::TrustedOwners::OfThisProcess()).found) {
    const std::vector<std::string>& provides = found.descriptor.provides;
    if (std::find(provides.begin(), provides.end(), MU_SPATIAL_INDEX_V0) == provides.end() &&
        std::find(provides.begin(), provides.end(), MU_SNAPSHOT_CODEC_V0) == provides.end()) {
      continue;
    }
    if (const auto plugin = loaded->m_host->Load(found.descriptor.id); !plugin) {
      logger.Warning("{}", plugin.Failure().ToString());
    }
  }
  plugins::ProviderCatalog& catalog = loaded->m_host->Catalog();
  catalog.RegisterBuiltIn(simulation::kLinearIndexName, &simulation::LinearIndexTable());
  loaded->m_providers.spatialIndexes = TablesOf<mu_spatial_index_v0>(catalog);
  loaded->m_providers.codecs = TablesOf<mu_snapshot_codec_v0>(catalog);
  return loaded;
}

}  // namespace muster::bench
