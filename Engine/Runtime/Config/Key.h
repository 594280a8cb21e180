// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One configuration key as data, and the list of all of them. Schema.h binds keys to the members of a struct; this
// header is for whoever reads, prints or documents keys without knowing the struct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace muster::config {

/// A value as a file, the environment or the command line gives it.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// In the order of Value's alternatives.
enum class ValueType : std::uint8_t { Boolean, Integer, Number, Text, TextList };

/// When a changed value takes effect.
enum class Reload : std::uint8_t {
  Live,    ///< at the next reload of the configuration
  Restart  ///< only when the process starts
};

struct Key {
  std::string section;
  std::string name;
  ValueType type = ValueType::Integer;
  Value fallback;
  std::int64_t minInteger = 0;  ///< of an Integer
  std::int64_t maxInteger = 0;
  double minNumber = 0;  ///< of a Number; infinities are never accepted, whatever the range
  double maxNumber = 0;
  std::size_t maxCharacters = 1'024;  ///< of a Text, in bytes, and of each entry of a TextList
  std::size_t maxEntries = 64;        ///< of a TextList
  std::vector<std::string> allowed;   ///< of a Text: the words it may be; empty: any
  std::string unit;                   ///< "bytes", "s", "Hz"; empty: none
  Reload reload = Reload::Restart;
  bool isSecret = false;  ///< never printed
  std::string help;       ///< one sentence

  /// `server.max_peers`. [any]
  [[nodiscard]] std::string Path() const;
  /// The environment variable of this key: `MUSTER_SERVER_MAX_PEERS`. [any]
  [[nodiscard]] std::string EnvironmentName() const;
  /// What the value may be, in words: "an integer from 1 to 1024 (peers)". [any]
  [[nodiscard]] std::string Allowed() const;
};

/// All keys of one program, in the order in which they were added. [any] once filled.
class KeySet {
 public:
  /// Asserts that section and name are lower-case words and that no such key exists. The reference holds until the
  /// next Add.
  Key& Add(Key key);

  [[nodiscard]] const std::vector<Key>& Keys() const noexcept { return m_keys; }
  /// The position of a key, or none.
  [[nodiscard]] std::optional<std::size_t> Find(std::string_view section, std::string_view name) const;
  [[nodiscard]] bool HasSection(std::string_view section) const;
  /// The path of the key that `section.name` was probably meant to be; empty when nothing is near.
  [[nodiscard]] std::string Nearest(std::string_view section, std::string_view name) const;

 private:
  std::vector<Key> m_keys;
};

/// A value as TOML writes it. [any]
[[nodiscard]] std::string ToToml(const Value& value);

/// The reference table of all keys in Markdown, a section each, for Docs/Reference: key, type, default, range, unit,
/// when a change applies, meaning. Made from the schema so that it cannot go stale. [any]
[[nodiscard]] std::string MarkdownReference(const KeySet& keys);

}  // namespace muster::config
