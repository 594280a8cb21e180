// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Config/Key.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster::config {

/// Layers, later ones win.
enum class Layer : std::uint8_t { Default, File, Environment, CommandLine };

/// Where a value came from.
struct Origin {
  Layer layer = Layer::Default;
  std::string where;  ///< "server.toml:12", "MUSTER_SERVER_MAX_PEERS", "--set"; empty for a default
};

struct Entry {
  Value value;
  Origin origin;
};

/// A plugin's own table `[plugins."<id>"]`: what it holds is the plugin's business, so only scalars and no schema.
using PluginTable = std::map<std::string, Entry, std::less<>>;

/// Every key with its value and where that came from. A plain value: copy it, keep it beside the running one, compare.
/// [any]
class EffectiveConfig {
 public:
  /// All defaults. Keeps a copy of the keys.
  explicit EffectiveConfig(const KeySet& keys);

  [[nodiscard]] const KeySet& Keys() const noexcept { return m_keys; }
  /// In the order of Keys().
  [[nodiscard]] const std::vector<Entry>& Entries() const noexcept { return m_entries; }
  [[nodiscard]] const std::map<std::string, PluginTable, std::less<>>& Plugins() const noexcept { return m_plugins; }
  /// Null when the file has no table for the plugin.
  [[nodiscard]] const PluginTable* Plugin(std::string_view id) const;

  void Set(std::size_t key, Value value, Origin origin);
  void SetPlugin(std::string_view id, std::string_view key, Value value, Origin origin);

  /// The whole configuration as TOML, with a comment at each value saying where it came from. Secrets are masked, and
  /// so are plugins' values whose key sounds like one (password, secret, token, key).
  [[nodiscard]] std::string Print() const;

 private:
  KeySet m_keys;
  std::vector<Entry> m_entries;
  std::map<std::string, PluginTable, std::less<>> m_plugins;
};

/// One value that differs. Texts are as Print shows them.
struct Change {
  std::string path;
  std::string before;  ///< empty: was not there
  std::string after;   ///< empty: is gone
  Reload reload = Reload::Restart;
};

/// What a reload from `before` to `after` would change, in the order of the keys, plugins last. A plugin's own keys
/// need a restart: it reads them when its instance is made. Both must have the same keys.
[[nodiscard]] std::vector<Change> Differences(const EffectiveConfig& before, const EffectiveConfig& after);

}  // namespace muster::config
