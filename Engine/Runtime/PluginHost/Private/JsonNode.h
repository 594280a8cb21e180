// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Schema checks over JSON: a value that knows where it stands, and objects read by a list of their fields.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "PluginHost/Descriptor.h"

namespace muster::plugins {

using Json = nlohmann::json;

inline constexpr std::size_t kMaxTextCharacters = 4096;
inline constexpr std::size_t kMaxListEntries = 64;

/// What a schema check threw: where and what. Caught in ParseDescriptor, never seen outside.
struct SchemaProblem {
  std::string pointer;
  std::string what;
};

/// A JSON value and the pointer to it.
class JsonNode {
 public:
  JsonNode(const Json& value, std::string pointer) : m_value{&value}, m_pointer{std::move(pointer)} {}

  [[noreturn]] void Refuse(std::string what) const { throw SchemaProblem{m_pointer, std::move(what)}; }

  [[nodiscard]] std::string Text() const {
    if (!m_value->is_string()) {
      Refuse("is not a string");
    }
    const auto& text = m_value->get_ref<const std::string&>();
    if (text.size() > kMaxTextCharacters) {
      Refuse(fmt::format("is longer than {} bytes", kMaxTextCharacters));
    }
    if (text.find('\0') != std::string::npos) {
      Refuse("has a zero byte in it");
    }
    return text;
  }

  [[nodiscard]] std::string NonEmptyText() const {
    std::string text = Text();
    if (text.empty()) {
      Refuse("is empty");
    }
    return text;
  }

  [[nodiscard]] std::uint32_t Number() const {
    if (!m_value->is_number_unsigned() || m_value->get<std::uint64_t>() > UINT32_MAX) {
      Refuse("is not a whole number from 0 to 4294967295");
    }
    return m_value->get<std::uint32_t>();
  }

  [[nodiscard]] bool Boolean() const {
    if (!m_value->is_boolean()) {
      Refuse("is not true or false");
    }
    return m_value->get<bool>();
  }

  [[nodiscard]] std::string PluginId() const {
    std::string id = Text();
    if (!IsPluginId(id)) {
      Refuse(
          fmt::format("is no plugin id: lower-case parts joined by dots, at most {} characters, like "
                      "com.example.grid",
                      kMaxIdCharacters));
    }
    return id;
  }

  template <class Each>
  void ForEach(Each&& each) const {
    if (!m_value->is_array()) {
      Refuse("is not a list");
    }
    if (m_value->size() > kMaxListEntries) {
      Refuse(fmt::format("has more than {} entries", kMaxListEntries));
    }
    std::size_t index = 0;
    for (const Json& entry : *m_value) {
      each(JsonNode{entry, fmt::format("{}/{}", m_pointer, index++)});
    }
  }

  template <class Each>
  void ForEachMember(Each&& each) const {
    if (!m_value->is_object()) {
      Refuse("is not an object");
    }
    if (m_value->size() > kMaxListEntries) {
      Refuse(fmt::format("has more than {} members", kMaxListEntries));
    }
    for (const auto& [key, entry] : m_value->items()) {
      each(key, JsonNode{entry, m_pointer + "/" + Escaped(key)});
    }
  }

  [[nodiscard]] const std::string& Pointer() const noexcept { return m_pointer; }

 private:
  /// RFC 6901: `~` and `/` of a key.
  [[nodiscard]] static std::string Escaped(std::string_view key) {
    std::string escaped;
    for (const char letter : key) {
      if (letter == '~') {
        escaped += "~0";
      } else if (letter == '/') {
        escaped += "~1";
      } else {
        escaped += letter;
      }
    }
    return escaped;
  }

  const Json* m_value;
  std::string m_pointer;
};

template <class Target>
struct Field {
  std::string_view name;
  bool required;
  std::function<void(const JsonNode&, Target&)> read;
};

/// Reads an object by its fields: each key at most once (the parser sees to that), none unknown, none missing.
template <class Target>
void ReadObject(const JsonNode& node, const std::vector<Field<Target>>& fields, Target& target) {
  std::vector<std::string_view> seen;
  node.ForEachMember([&](const std::string& key, const JsonNode& member) {
    const auto field = std::find_if(fields.begin(), fields.end(), [&key](const auto& f) { return f.name == key; });
    if (field == fields.end()) {
      std::vector<std::string_view> known;
      std::transform(fields.begin(), fields.end(), std::back_inserter(known), [](const auto& f) { return f.name; });
      member.Refuse(fmt::format("is an unknown key; known are {}", fmt::join(known, ", ")));
    }
    field->read(member, target);
    seen.push_back(field->name);
  });
  for (const auto& field : fields) {
    if (field.required && std::find(seen.begin(), seen.end(), field.name) == seen.end()) {
      node.Refuse(fmt::format("lacks the key '{}'", field.name));
    }
  }
}

}  // namespace muster::plugins
