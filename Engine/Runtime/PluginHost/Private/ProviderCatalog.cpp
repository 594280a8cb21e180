// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/ProviderCatalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "PluginHost/Errors.h"

namespace muster::plugins {

void ProviderCatalog::Add(std::shared_ptr<const PluginGeneration> generation) {
  m_generations.push_back(std::move(generation));
}

void ProviderCatalog::Remove(const PluginGeneration& generation) {
  m_generations.erase(std::remove_if(m_generations.begin(), m_generations.end(),
                                     [&generation](const auto& held) { return held.get() == &generation; }),
                      m_generations.end());
}

void ProviderCatalog::AddBuiltIn(std::string_view interfaceId, std::string name, const void* table) {
  MUSTER_ASSERT(table != nullptr, "a built-in provider has a table");
  MUSTER_ASSERT(name.compare(0, 8, "builtin.") == 0, "names of built-in providers start with builtin.");
  m_builtIns.push_back({std::string{interfaceId}, Entry{std::move(name), table}});
}

std::vector<ProviderCatalog::Entry> ProviderCatalog::Entries(std::string_view interfaceId) const {
  std::vector<Entry> entries;
  for (const auto& generation : m_generations) {
    if (const void* table = generation->Interface(interfaceId)) {
      entries.push_back({generation->Id(), table, generation});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple{std::string_view{a.name}, b.generation->Number()} <
           std::tuple{std::string_view{b.name}, a.generation->Number()};
  });
  const auto builtIns = static_cast<std::ptrdiff_t>(entries.size());
  for (const BuiltIn& builtIn : m_builtIns) {
    if (builtIn.interfaceId == interfaceId) {
      entries.push_back(builtIn.entry);
    }
  }
  std::sort(entries.begin() + builtIns, entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

Result<ProviderCatalog::Entry> ProviderCatalog::FindEntry(std::string_view interfaceId, std::string_view name) const {
  const std::vector<Entry> entries = Entries(interfaceId);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [name](const Entry& entry) { return entry.name == name; });
  if (found == entries.end()) {
    return NoProvider(interfaceId, name, entries);
  }
  return *found;
}

Error ProviderCatalog::NoProvider(std::string_view interfaceId, std::string_view name,
                                  const std::vector<Entry>& present) {
  std::string names;
  for (const Entry& entry : present) {
    if (names.find(entry.name) == std::string::npos) {
      names += (names.empty() ? "" : ", ") + entry.name;
    }
  }
  return Error{kNoProvider, fmt::format("Nothing called {} provides {}.", name, interfaceId),
               fmt::format("Loaded providers of it: {}.", names.empty() ? "none" : names),
               "Choose one of the loaded providers, or see why the plugin did not load."};
}

}  // namespace muster::plugins
