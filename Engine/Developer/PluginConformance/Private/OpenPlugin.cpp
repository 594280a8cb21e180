// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginConformance/OpenPlugin.h"

#include <algorithm>
#include <array>
#include <utility>

namespace muster::conformance {

std::vector<plugins::FoundPlugin> FindPlugins(const std::filesystem::path& buildTree, std::string_view interfaceId) {
  const std::filesystem::path fixtures = buildTree / "HotReload";
  const std::array<plugins::PluginRoot, 2> roots{{{buildTree / "Plugins"}, {fixtures}}};
  const auto has = [](const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  std::error_code ignored;
  const std::filesystem::path fixtureRoot = std::filesystem::canonical(fixtures, ignored);
  std::vector<plugins::FoundPlugin> found;
  for (plugins::FoundPlugin& plugin : plugins::Discover(roots, plugins::TrustedOwners::OfThisProcess()).found) {
    if (has(plugin.descriptor.provides, interfaceId) &&
        (plugin.root != fixtureRoot || has(plugin.descriptor.tags, kConformsTag))) {
      found.push_back(std::move(plugin));
    }
  }
  return found;
}

Result<std::unique_ptr<OpenPlugin>> OpenPlugin::Open(const std::filesystem::path& folder,
                                                     const plugins::PluginSettings& settings) {
  // The id is wanted before the host is made, for its settings.
  Result<plugins::FoundPlugin> plugin =
      plugins::ReadPluginFolder(folder.parent_path(), folder.filename(), plugins::PluginRoot::Layout::Source,
                                plugins::TrustedOwners::OfThisProcess());
  if (!plugin) {
    return std::move(plugin).Failure();
  }
  std::unique_ptr<OpenPlugin> open{new OpenPlugin};
  plugins::PluginHostConfig config;
  config.side = plugin->descriptor.side == plugins::Side::Client ? plugins::Side::Client : plugins::Side::Server;
  config.settings[plugin->descriptor.id] = settings;
  auto host = plugins::PluginHost::Create(std::move(config), Logger{open->m_log, "conformance"}, open->m_clock);
  if (!host) {
    return std::move(host).Failure();
  }
  open->m_host = std::move(*host);
  auto generation = open->m_host->LoadReplacement(folder.string());
  if (!generation) {
    return std::move(generation).Failure();
  }
  open->m_generation = std::move(*generation);
  return open;
}

OpenPlugin::~OpenPlugin() {
  if (m_generation != nullptr) {
    // A library that stays mapped is its suite's to judge, not ours.
    static_cast<void>(m_host->Retire(std::move(m_generation)));
  }
}

}  // namespace muster::conformance
