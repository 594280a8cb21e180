// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "HostServices.h"
#include "PluginHost/Discovery.h"
#include "PluginHost/PluginGeneration.h"
#include "SharedLibrary.h"

namespace muster::plugins {

struct PluginGeneration::Internals {
  FoundPlugin source;
  PluginRoot::Layout layout = PluginRoot::Layout::Source;
  GenerationNumber number = 0;
  PluginIdentity identity{};
  Sha256Digest contentHash{};
  std::filesystem::path shadowPath{};
  // Destroyed in the reverse order: the library goes before what it may still point to.
  std::unique_ptr<GenerationServices> services{};
  std::unique_ptr<SharedLibrary> library{};
  const mu_plugin_entry* entry = nullptr;
  bool isInitialised = false;
  std::map<std::string, const void*, std::less<>> tables{};
};

}  // namespace muster::plugins
