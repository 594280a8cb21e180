// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Finds, resolves, loads and unloads plugins.
//
//   Result<std::unique_ptr<PluginHost>> host = PluginHost::Create({.roots = {{buildTree / "Plugins"}}}, logger, clock);
//   if (Result<void> loaded = (*host)->LoadAll(); !loaded) { ... }
//   Slot<mu_spatial_index_v0> slot{*(*host)->Catalog().Find<mu_spatial_index_v0>("muster.spatial.grid")};
//
// Loading goes: safe path -> bytes -> hash against plugin.json -> note and symbols -> private copy under a name of its
// own -> dynamic loader -> entry -> init -> tables. Nothing of a library runs before the first four have passed.
//
// Replacing a provider while the world runs, in steps:
//   prepare    LoadReplacement reads the newest bytes as a further generation; the old one stays as it is
//   commit     at a tick boundary: create an instance from the new table, Slot::Exchange, destroy the old instance
//   probation  as long as the caller keeps the old Provider, it can exchange back
//   retire     Retire deinitialises and unloads, and proves that the image is gone
//
// Threads: everything is [main] or [sim] at a tick boundary, not concurrently, unless it says otherwise.
// Lifetime: the host outlives every generation pointer; its destructor retires what is left, newest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/Discovery.h"
#include "PluginHost/HostSpatial.h"
#include "PluginHost/PluginGeneration.h"
#include "PluginHost/PluginLock.h"
#include "PluginHost/ProviderCatalog.h"
#include "PluginHost/Resolver.h"

namespace muster::plugins {

/// A plugin's own configuration, by key.
using SettingValue = std::variant<std::int64_t, double, bool, std::string>;
using PluginSettings = std::map<std::string, SettingValue, std::less<>>;

struct PluginHostConfig {
  std::vector<PluginRoot> roots{};
  /// Where private copies go, below a folder of this process (0700). Empty: $XDG_RUNTIME_DIR, else /tmp. What
  /// processes that are gone left there is removed.
  std::filesystem::path cacheDirectory{};
  Side side = Side::Server;
  bool strict = false;  ///< warnings about a library are failures
  std::vector<std::string> disabled{};
  std::vector<std::string> only{};
  std::map<std::string, PluginSettings, std::less<>> settings{};  ///< by plugin id
  std::uint64_t memoryBudgetBytes = 512u * 1024u * 1024u;         ///< of the counted allocator, per generation
};

class PluginHost {
 public:
  using GenerationPointer = std::shared_ptr<const PluginGeneration>;

  /// `clock` outlives the host. Fails with kCacheUnusable.
  [[nodiscard]] static Result<std::unique_ptr<PluginHost>> Create(PluginHostConfig config, const Logger& logger,
                                                                  const IClock& clock);
  ~PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  /// Discovers, resolves and loads everything that resolves, in order. A plugin that fails does not keep the others
  /// from loading; the first failure is returned, all are logged and stand in Report() and Rejected(). Call once.
  Result<void> LoadAll();

  /// Discovers and resolves, and loads one plugin with what it requires. Fails with kPluginNotFound or the plugin's
  /// error. Gives the newest generation when it is loaded already.
  Result<GenerationPointer> Load(std::string_view id);

  /// Prepare: the newest bytes on disk of a loaded plugin (by id), or of the plugin in an absolute folder, as a further
  /// generation. It is the newest in Catalog() from then on; the generation before it stays loaded until it is retired.
  /// Fails with kNotReloadable where plugin.json says so, kPluginNotFound, or any error of loading; then nothing
  /// changed.
  Result<GenerationPointer> LoadReplacement(std::string_view idOrFolder);

  /// Retire: takes it out of the catalog, calls deinit, unloads, and looks into the process's memory map. The caller
  /// has destroyed every instance and given up every other pointer to it. Fails with kStillReferenced (nothing changed)
  /// or kImageStillMapped (deinitialised, but pinned in memory for good).
  Result<void> Retire(GenerationPointer generation);

  [[nodiscard]] ProviderCatalog& Catalog() noexcept;
  /// For the scope of think.
  [[nodiscard]] SpatialService& Spatial() noexcept;
  /// Loaded generations by number.
  [[nodiscard]] std::vector<GenerationPointer> Generations() const;
  /// What the last discovery turned away, and what its resolution said.
  [[nodiscard]] const std::vector<RejectedPlugin>& Rejected() const noexcept;
  [[nodiscard]] const ResolveReport& Report() const noexcept;
  /// The newest generation of each loaded plugin.
  [[nodiscard]] PluginLock Lock() const;

 private:
  struct State;
  explicit PluginHost(std::unique_ptr<State> state);
  void DiscoverAndResolve();
  Result<GenerationPointer> LoadFound(const FoundPlugin& plugin);
  Result<GenerationPointer> LoadResolved(std::size_t index);

  std::unique_ptr<State> m_state;
};

}  // namespace muster::plugins
