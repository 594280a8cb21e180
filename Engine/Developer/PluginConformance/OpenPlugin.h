// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The plugins that a suite judges.
//
//   for (const plugins::FoundPlugin& plugin : FindPlugins(buildTree, MU_SPATIAL_INDEX_V0)) {
//     Result<std::unique_ptr<OpenPlugin>> open = OpenPlugin::Open(plugin.folder, {});
//     const mu_spatial_index_v0* table = (*open)->Table<mu_spatial_index_v0>();     // null: does not provide it
//
// Lifetime: tables and instances end before the OpenPlugin, which unloads the library. Threads: [main].
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/Discovery.h"
#include "PluginHost/PluginHost.h"

namespace muster::conformance {

/// A tag of plugin.json: a test library that keeps every promise of its interface.
inline constexpr std::string_view kConformsTag = "conforms";

/// The plugins of a build tree that provide an interface: all of `<tree>/Plugins`, and those tagged as conforming of
/// `<tree>/HotReload`. In the order of their folders.
[[nodiscard]] std::vector<plugins::FoundPlugin> FindPlugins(const std::filesystem::path& buildTree,
                                                            std::string_view interfaceId);

class OpenPlugin {
 public:
  /// Loads the plugin in an absolute folder as a server would. Fails with the plugin's named error.
  [[nodiscard]] static Result<std::unique_ptr<OpenPlugin>> Open(const std::filesystem::path& folder,
                                                                const plugins::PluginSettings& settings);
  ~OpenPlugin();
  OpenPlugin(const OpenPlugin&) = delete;
  OpenPlugin& operator=(const OpenPlugin&) = delete;

  [[nodiscard]] const plugins::PluginGeneration& Generation() const { return *m_generation; }
  /// For a suite whose plugins ask for muster.host.spatial/0: Enter() puts the suite's own index behind it.
  [[nodiscard]] plugins::SpatialService& Spatial() const { return m_host->Spatial(); }

  template <class T>
  [[nodiscard]] const T* Table() const {
    return static_cast<const T*>(m_generation->Interface(plugins::kInterfaceId<T>));
  }

 private:
  OpenPlugin() = default;

  MemorySink m_log;
  SteadyClock m_clock;
  std::unique_ptr<plugins::PluginHost> m_host;
  plugins::PluginHost::GenerationPointer m_generation;
};

}  // namespace muster::conformance
