// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who provides which interface: loaded plugins, newest generation first, and the fallbacks that are linked in.
//
//   catalog.RegisterBuiltIn<mu_spatial_index_v0>("builtin.linear", &SpatialIndexTable<LinearIndex>::kTable);
//   Result<Provider<mu_spatial_index_v0>> provider = catalog.Find<mu_spatial_index_v0>("muster.spatial.grid");
//
// [main][sim], not concurrently.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "Core/Result.h"
#include "PluginHost/Slot.h"

namespace muster::plugins {

class ProviderCatalog {
 public:
  /// `table` outlives the catalog. Names of built-ins start with "builtin." so that no plugin can bear one.
  template <class Table>
  void RegisterBuiltIn(std::string name, const Table* table) {
    AddBuiltIn(kInterfaceId<Table>, std::move(name), table);
  }

  /// The provider of a name: the newest generation of that plugin, or the built-in. Fails with kNoProvider, which lists
  /// who does provide the interface.
  template <class Table>
  [[nodiscard]] Result<Provider<Table>> Find(std::string_view name) const {
    Result<Entry> entry = FindEntry(kInterfaceId<Table>, name);
    if (!entry) {
      return std::move(entry).Failure();
    }
    return Typed<Table>(*entry);
  }

  /// All providers of an interface: plugins by (id, newest first), then built-ins by name.
  template <class Table>
  [[nodiscard]] std::vector<Provider<Table>> All() const {
    std::vector<Provider<Table>> providers;
    for (const Entry& entry : Entries(kInterfaceId<Table>)) {
      providers.push_back(Typed<Table>(entry));
    }
    return providers;
  }

  /// A provider out of one certain generation, e.g. the one that PluginHost::LoadReplacement has just given.
  /// Fails with kNoProvider when that plugin does not provide the interface.
  template <class Table>
  [[nodiscard]] static Result<Provider<Table>> Of(const std::shared_ptr<const PluginGeneration>& generation) {
    const void* table = generation->Interface(kInterfaceId<Table>);
    if (table == nullptr) {
      return NoProvider(kInterfaceId<Table>, generation->Id(), {});
    }
    return Provider<Table>{generation->Id(), static_cast<const Table*>(table), generation};
  }

  /// For PluginHost.
  void Add(std::shared_ptr<const PluginGeneration> generation);
  void Remove(const PluginGeneration& generation);

 private:
  struct Entry {
    std::string name;
    const void* table = nullptr;
    std::shared_ptr<const PluginGeneration> generation{};
  };
  struct BuiltIn {
    std::string interfaceId;
    Entry entry;
  };

  template <class Table>
  [[nodiscard]] static Provider<Table> Typed(const Entry& entry) {
    return Provider<Table>{entry.name, static_cast<const Table*>(entry.table), entry.generation};
  }
  void AddBuiltIn(std::string_view interfaceId, std::string name, const void* table);
  [[nodiscard]] Result<Entry> FindEntry(std::string_view interfaceId, std::string_view name) const;
  [[nodiscard]] std::vector<Entry> Entries(std::string_view interfaceId) const;
  [[nodiscard]] static Error NoProvider(std::string_view interfaceId, std::string_view name,
                                        const std::vector<Entry>& present);

  std::vector<std::shared_ptr<const PluginGeneration>> m_generations;  ///< by number
  std::vector<BuiltIn> m_builtIns;
};

}  // namespace muster::plugins
