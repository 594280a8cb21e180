// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Finds plugins below roots by reading their plugin.json. No library is opened.
//
//   DiscoveryReport report = Discover(roots, TrustedOwners::OfThisProcess());
//
// Roots are searched in the order given; below a root folders are visited by name, four levels deep, and nothing is
// looked for below a folder that holds a plugin.json. Hidden folders are passed over. [any], blocking.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "Core/Error.h"
#include "PluginHost/Descriptor.h"
#include "PluginHost/SafePath.h"

namespace muster::plugins {

struct PluginRoot {
  enum class Layout : std::uint8_t {
    Source,    ///< a source or build tree: folders bear plain names
    Installed  ///< a folder bears the id of its plugin
  };
  std::filesystem::path path;  ///< absolute
  Layout layout = Layout::Source;
};

struct FoundPlugin {
  Descriptor descriptor;
  std::filesystem::path folder;  ///< canonical
  std::filesystem::path root;    ///< canonical
};

struct RejectedPlugin {
  std::filesystem::path path;
  Error error;
};

struct DiscoveryReport {
  std::vector<FoundPlugin> found;  ///< in the order of search; duplicates are the resolver's to judge
  std::vector<RejectedPlugin> rejected;
};

[[nodiscard]] DiscoveryReport Discover(std::span<const PluginRoot> roots, const TrustedOwners& owners);

/// Reads the plugin of one folder below a canonical root. Fails with the errors of SafePath.h and Descriptor.h, and
/// kIdMismatch where an installed folder's name is not the id.
[[nodiscard]] Result<FoundPlugin> ReadPluginFolder(const std::filesystem::path& root,
                                                   const std::filesystem::path& relativeFolder,
                                                   PluginRoot::Layout layout, const TrustedOwners& owners);

}  // namespace muster::plugins
