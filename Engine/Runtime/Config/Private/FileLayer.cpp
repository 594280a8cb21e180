// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FileLayer.h"

#include "EditDistance.h"
#include "PreScan.h"
#include "ValueCheck.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace muster::config {

namespace {

constexpr std::string_view kPlugins = "plugins";

std::string_view TypeOf(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or a time";
  }
}

/// Built in place: GCC 12 warns about moving a variant when sanitizers are on.
template <class T>
std::optional<Value> MakeValue(T value) {
  return std::optional<Value>{std::in_place, std::in_place_type<T>, std::move(value)};
}

/// Nothing for what no key can hold: tables, dates, lists of anything but texts.
std::optional<Value> ToValue(const toml::node& node) {
  if (auto flag = node.value_exact<bool>()) {
    return MakeValue(*std::move(flag));
  }
  if (auto integer = node.value_exact<std::int64_t>()) {
    return MakeValue(*std::move(integer));
  }
  if (auto number = node.value_exact<double>()) {
    return MakeValue(*std::move(number));
  }
  if (auto text = node.value_exact<std::string>()) {
    return MakeValue(*std::move(text));
  }
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> list;
  for (const toml::node& entry : *array) {
    if (auto text = entry.value_exact<std::string>()) {
      list.push_back(*std::move(text));
    } else {
      return std::nullopt;
    }
  }
  return MakeValue(std::move(list));
}

/// The section that was probably meant; empty when nothing is near.
std::string NearestSection(const KeySet& keys, std::string_view section) {
  constexpr std::size_t kLongestWord = 64;
  std::string nearest;
  std::size_t best = std::max<std::size_t>(2, section.size() / 3) + 1;
  for (const Key& key : keys.Keys()) {
    const std::size_t distance = section.size() > kLongestWord ? best : EditDistance(section, key.section);
    if (distance < best) {
      best = distance;
      nearest = key.section;
    }
  }
  return nearest;
}

/// One file's tables against the keys.
class FileReader {
 public:
  FileReader(Loaded& loaded, std::string_view name) : m_loaded{loaded}, m_name{name} {}

  void Read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string_view section = key.str();
      const toml::table* table = node.as_table();
      if (table == nullptr) {
        Fail(UnknownKey(Keys(), "", section, Place(key)));
      } else if (section != kPlugins && !Keys().HasSection(section)) {
        FailSection(section, Place(key));
      } else {
        ReadSection(section, *table);
      }
    }
  }

 private:
  [[nodiscard]] const KeySet& Keys() const { return m_loaded.config.Keys(); }
  void Fail(Error error) { m_loaded.errors.push_back(std::move(error)); }
  [[nodiscard]] std::string Place(const toml::key& key) const {
    return fmt::format("{}:{}", m_name, key.source().begin.line);
  }

  void FailSection(std::string_view section, std::string_view place) {
    const std::string nearest = NearestSection(Keys(), section);
    Fail(Error{kConfigUnknownSection, fmt::format("{}: there is no section [{}].", place, section), "",
               nearest.empty() ? "Remove it, or see the reference of all keys."
                               : fmt::format("Perhaps [{}] was meant.", nearest)});
  }

  void ReadSection(std::string_view section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string place = Place(key);
      if (section == kPlugins && node.is_table()) {
        ReadPlugin(key.str(), *node.as_table());
        continue;
      }
      const std::optional<std::size_t> index = Keys().Find(section, key.str());
      if (!index) {
        Fail(UnknownKey(Keys(), section, key.str(), place));
        continue;
      }
      std::optional<Value> value = ToValue(node);
      if (!value) {
        Fail(WrongType(Keys().Keys()[*index], TypeOf(node), place));
        continue;
      }
      Result<Value> checked = CheckValue(Keys().Keys()[*index], std::move(*value), place);
      if (checked) {
        m_loaded.config.Set(*index, std::move(checked).Value(), Origin{Layer::File, place});
      } else {
        Fail(std::move(checked).Failure());
      }
    }
  }

  void ReadPlugin(std::string_view id, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string place = Place(key);
      std::optional<Value> value = ToValue(node);
      const bool isScalar = value && !std::holds_alternative<std::vector<std::string>>(*value);
      if (!isScalar) {
        Fail(Error{kConfigWrongType,
                   fmt::format("{}: {} of plugin {} cannot be used.", place, std::string{key.str()}, id),
                   fmt::format("It is {}.", TypeOf(node)), "Set it to true or false, an integer, a number or a text."});
        continue;
      }
      if (const auto* number = std::get_if<double>(&*value); number != nullptr && !std::isfinite(*number)) {
        Fail(Error{kConfigNotFinite,
                   fmt::format("{}: {} of plugin {} cannot be used.", place, std::string{key.str()}, id),
                   "It is not a finite number.", "Set it to a finite number."});
        continue;
      }
      m_loaded.config.SetPlugin(id, key.str(), std::move(*value), Origin{Layer::File, place});
    }
  }

  Loaded& m_loaded;
  std::string_view m_name;
};

}  // namespace

Error UnknownKey(const KeySet& keys, std::string_view section, std::string_view name, std::string_view place) {
  const std::string path = section.empty() ? std::string{name} : fmt::format("{}.{}", section, name);
  const std::string nearest = keys.Nearest(section, name);
  return Error{
      kConfigUnknownKey, fmt::format("{}: there is no key {}.", place, path), "",
      nearest.empty() ? "Remove it, or see the reference of all keys." : fmt::format("Perhaps {} was meant.", nearest)};
}

void ApplyFile(Loaded& loaded, std::string_view text, std::string_view name) {
  if (Result<void> sound = PreScan(text, name); !sound) {
    loaded.errors.push_back(std::move(sound).Failure());
    return;
  }
  try {
    const toml::table root = toml::parse(text, name);
    FileReader{loaded, name}.Read(root);
  } catch (const toml::parse_error& error) {
    loaded.errors.push_back(Error{kConfigSyntax, fmt::format("{}:{} cannot be read.", name, error.source().begin.line),
                                  fmt::format("{}.", error.description()), "Correct the TOML on that line."});
  }
}

}  // namespace muster::config
