// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Config/EffectiveConfig.h"

#include "Core/Assert.h"
#include "Core/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace muster::config {

namespace {

constexpr std::string_view kMask = "\"********\"";

bool SoundsSecret(std::string_view key) {
  constexpr std::array<std::string_view, 4> kWords{"password", "secret", "token", "key"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [key](std::string_view word) { return key.find(word) != std::string_view::npos; });
}

std::string Shown(const Value& value, bool isSecret) {
  return isSecret ? std::string{kMask} : ToToml(value);
}

std::string Line(std::string_view name, const Entry& entry, bool isSecret) {
  const std::string origin = entry.origin.layer == Layer::Default ? "default" : EscapeControl(entry.origin.where);
  return fmt::format("{} = {}  # {}\n", name, Shown(entry.value, isSecret), origin);
}

/// A key as TOML takes it: plugins choose their own, and only letters, digits, `_` and `-` stand bare.
std::string KeyName(const std::string& name) {
  const bool isBare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return isBare ? name : ToToml(name);
}

std::string Title(std::string_view plugin) {
  return fmt::format("plugins.{}", ToToml(std::string{plugin}));
}

std::string ShownIn(const PluginTable* table, std::string_view key) {
  if (table == nullptr) {
    return {};
  }
  const auto found = table->find(key);
  return found == table->end() ? std::string{} : Shown(found->second.value, SoundsSecret(key));
}

bool IsSame(const PluginTable* left, const PluginTable* right, std::string_view key) {
  const Entry* l = nullptr;
  const Entry* r = nullptr;
  if (left != nullptr && left->contains(key)) {
    l = &left->find(key)->second;
  }
  if (right != nullptr && right->contains(key)) {
    r = &right->find(key)->second;
  }
  return l != nullptr && r != nullptr ? l->value == r->value : l == r;
}

}  // namespace

EffectiveConfig::EffectiveConfig(const KeySet& keys) : m_keys{keys} {
  m_entries.reserve(keys.Keys().size());
  for (const Key& key : keys.Keys()) {
    m_entries.push_back(Entry{key.fallback, Origin{}});
  }
}

const PluginTable* EffectiveConfig::Plugin(std::string_view id) const {
  const auto found = m_plugins.find(id);
  return found == m_plugins.end() ? nullptr : &found->second;
}

void EffectiveConfig::Set(std::size_t key, Value value, Origin origin) {
  MUSTER_ASSERT(key < m_entries.size() && value.index() == m_entries[key].value.index(), "a value of another type");
  m_entries[key] = Entry{std::move(value), std::move(origin)};
}

void EffectiveConfig::SetPlugin(std::string_view id, std::string_view key, Value value, Origin origin) {
  m_plugins[std::string{id}][std::string{key}] = Entry{std::move(value), std::move(origin)};
}

std::string EffectiveConfig::Print() const {
  std::string text;
  std::set<std::string> printed;
  for (const Key& first : m_keys.Keys()) {
    if (!printed.insert(first.section).second) {
      continue;
    }
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", first.section);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
      const Key& key = m_keys.Keys()[i];
      if (key.section == first.section) {
        text += Line(key.name, m_entries[i], key.isSecret);
      }
    }
  }
  for (const auto& [id, table] : m_plugins) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", Title(id));
    for (const auto& [name, entry] : table) {
      text += Line(KeyName(name), entry, SoundsSecret(name));
    }
  }
  return text;
}

std::vector<Change> Differences(const EffectiveConfig& before, const EffectiveConfig& after) {
  MUSTER_ASSERT(before.Entries().size() == after.Entries().size(), "configurations of different schemas");
  std::vector<Change> changes;
  for (std::size_t i = 0; i < before.Entries().size(); ++i) {
    const Key& key = before.Keys().Keys()[i];
    const Value& old = before.Entries()[i].value;
    const Value& now = after.Entries()[i].value;
    if (old != now) {
      changes.push_back(Change{key.Path(), Shown(old, key.isSecret), Shown(now, key.isSecret), key.reload});
    }
  }
  std::set<std::pair<std::string, std::string>> pluginKeys;
  for (const EffectiveConfig* config : {&before, &after}) {
    for (const auto& [id, table] : config->Plugins()) {
      for (const auto& [name, entry] : table) {
        pluginKeys.emplace(id, name);
      }
    }
  }
  for (const auto& [id, name] : pluginKeys) {
    const PluginTable* old = before.Plugin(id);
    const PluginTable* now = after.Plugin(id);
    if (!IsSame(old, now, name)) {
      changes.push_back(Change{Title(id) + "." + name, ShownIn(old, name), ShownIn(now, name), Reload::Restart});
    }
  }
  return changes;
}

}  // namespace muster::config
