// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A plugin folder made on the spot from a built plugin, with something wrong about it.
#pragma once

#include "StrictObject.h"

#include "Core/Result.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace muster::gate {

struct PluginFolder {
  std::string folder;         ///< its name in the plugin root
  std::string from;           ///< a folder of the build tree, such as "HotReload/SpatialV1"
  nlohmann::json descriptor;  ///< merge patch for plugin.json; null: none
  bool isForeign = false;     ///< its library is a shared library of the system, with the hash to match
};

/// Reads it from the data.
PluginFolder ReadPluginFolder(StrictObject& object);

/// Fails with kFixtureMissing when the build tree lacks the plugin, or with what writing fails with.
Result<void> MakePluginFolder(const PluginFolder& plugin, const std::filesystem::path& build,
                              const std::filesystem::path& root);

struct PluginName {
  std::string id;
  std::string version;
};

/// Of a plugin folder's descriptor. Fails with kFixtureMissing.
Result<PluginName> NameOf(const std::filesystem::path& pluginFolder);

}  // namespace muster::gate
