// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "PluginHost/Descriptor.h"
#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxTextCharacters = 4096;
constexpr std::size_t kMaxListEntries = 64;

/// What a schema check threw: where and what. Caught in ParseDescriptor, never seen outside.
struct SchemaProblem {
  std::string pointer;
  std::string what;
};

/// A JSON value and the pointer to it.
class Node {
 public:
  Node(const Json& value, std::string pointer) : m_value{&value}, m_pointer{std::move(pointer)} {}

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
      Refuse(fmt::format("is no plugin id: lower-case parts joined by dots, at most {} characters, like "
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
      each(Node{entry, fmt::format("{}/{}", m_pointer, index++)});
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
      each(key, Node{entry, m_pointer + "/" + Escaped(key)});
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
  std::function<void(const Node&, Target&)> read;
};

/// Reads an object by its fields: each key at most once (the parser sees to that), none unknown, none missing.
template <class Target>
void ReadObject(const Node& node, const std::vector<Field<Target>>& fields, Target& target) {
  std::vector<std::string_view> seen;
  node.ForEachMember([&](const std::string& key, const Node& member) {
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

template <class Enum>
[[nodiscard]] Enum ReadWord(const Node& node, std::optional<Enum> (*from)(std::string_view) noexcept,
                            std::string_view words) {
  const std::optional<Enum> value = from(node.Text());
  if (!value) {
    node.Refuse(fmt::format("is none of {}", words));
  }
  return *value;
}

[[nodiscard]] std::vector<std::string> ReadTexts(const Node& node) {
  std::vector<std::string> texts;
  node.ForEach([&texts](const Node& entry) { texts.push_back(entry.NonEmptyText()); });
  return texts;
}

[[nodiscard]] std::vector<std::string> ReadIds(const Node& node) {
  std::vector<std::string> ids;
  node.ForEach([&ids](const Node& entry) { ids.push_back(entry.PluginId()); });
  return ids;
}

void ReadVersion(const Node& node, Version& version) {
  const std::optional<Version> parsed = Version::Parse(node.Text());
  if (!parsed) {
    node.Refuse("is no version of the form 1.2.3 or 1.2.3-rc.1");
  }
  version = *parsed;
}

[[nodiscard]] std::vector<PluginReference> ReadReferences(const Node& node) {
  static const std::vector<Field<PluginReference>> kFields{
      {"id", true, [](const Node& n, PluginReference& r) { r.id = n.PluginId(); }},
      {"version", true,
       [](const Node& n, PluginReference& r) {
         const std::optional<VersionRange> range = VersionRange::Parse(n.Text());
         if (!range) {
           n.Refuse("is no range of versions like '>=1.2.0 <2.0.0', '^1.2.0', '~1.2.0', '1.2.3' or '*'");
         }
         r.versions = *range;
       }},
  };
  std::vector<PluginReference> references;
  node.ForEach([&references](const Node& entry) {
    PluginReference reference;
    ReadObject(entry, kFields, reference);
    references.push_back(std::move(reference));
  });
  return references;
}

void ReadDependencies(const Node& node, Dependencies& depends) {
  static const std::vector<Field<Dependencies>> kFields{
      {"required", false, [](const Node& n, Dependencies& d) { d.required = ReadReferences(n); }},
      {"optional", false, [](const Node& n, Dependencies& d) { d.optional = ReadReferences(n); }},
      {"conflicts", false, [](const Node& n, Dependencies& d) { d.conflicts = ReadReferences(n); }},
      {"after", false, [](const Node& n, Dependencies& d) { d.after = ReadIds(n); }},
  };
  ReadObject(node, kFields, depends);
}

void ReadEngine(const Node& node, ApiLevelRange& range) {
  static const std::vector<Field<ApiLevelRange>> kFields{
      {"min_api_level", true, [](const Node& n, ApiLevelRange& r) { r.min = n.Number(); }},
      {"max_api_level", false, [](const Node& n, ApiLevelRange& r) { r.max = n.Number(); }},
  };
  ReadObject(node, kFields, range);
  if (range.min > range.max) {
    node.Refuse("has a min_api_level above its max_api_level");
  }
}

void ReadLibrary(const Node& node, LibraryEntry& library) {
  static const std::vector<Field<LibraryEntry>> kFields{
      {"path", true, [](const Node& n, LibraryEntry& l) { l.path = n.NonEmptyText(); }},
      {"sha256", true,
       [](const Node& n, LibraryEntry& l) {
         const std::optional<Sha256Digest> digest = Sha256FromHex(n.Text());
         if (!digest) {
           n.Refuse("is not 64 hexadecimal digits");
         }
         l.sha256 = *digest;
       }},
  };
  ReadObject(node, kFields, library);
}

[[nodiscard]] std::string ReadInterfaceId(const Node& node) {
  std::string id = node.Text();
  const std::size_t slash = id.find('/');
  const bool hasRevision = slash != std::string::npos && slash + 1 < id.size() && id.size() - slash <= 6 &&
                           std::all_of(id.begin() + static_cast<std::ptrdiff_t>(slash) + 1, id.end(),
                                       [](char letter) { return letter >= '0' && letter <= '9'; });
  if (!hasRevision || id.size() > 47 || !IsPluginId(std::string_view{id}.substr(0, slash))) {
    node.Refuse("is no interface id like muster.spatial_index/0");
  }
  return id;
}

[[nodiscard]] const std::vector<Field<Descriptor>>& Fields() {
  static const std::vector<Field<Descriptor>> kFields{
      {"schema", true,
       [](const Node& n, Descriptor& d) {
         d.schema = n.Number();
         if (d.schema != kDescriptorSchema) {
           n.Refuse(fmt::format("is {}; this host reads schema {}", d.schema, kDescriptorSchema));
         }
       }},
      {"id", true, [](const Node& n, Descriptor& d) { d.id = n.PluginId(); }},
      {"name", true, [](const Node& n, Descriptor& d) { d.name = n.NonEmptyText(); }},
      {"description", false, [](const Node& n, Descriptor& d) { d.description = n.Text(); }},
      {"version", true, [](const Node& n, Descriptor& d) { ReadVersion(n, d.version); }},
      {"kind", true,
       [](const Node& n, Descriptor& d) {
         d.kind = ReadWord(n, &PluginKindFrom, "transport, spatial_index, ai_controller, snapshot_codec");
       }},
      {"provides", true,
       [](const Node& n, Descriptor& d) {
         n.ForEach([&d](const Node& entry) {
           std::string id = ReadInterfaceId(entry);
           if (std::find(d.provides.begin(), d.provides.end(), id) != d.provides.end()) {
             entry.Refuse("stands twice in the list");
           }
           d.provides.push_back(std::move(id));
         });
       }},
      {"engine", true, [](const Node& n, Descriptor& d) { ReadEngine(n, d.engine); }},
      {"depends", false, [](const Node& n, Descriptor& d) { ReadDependencies(n, d.depends); }},
      {"side", true, [](const Node& n, Descriptor& d) { d.side = ReadWord(n, &SideFrom, "server, client, both"); }},
      {"wire_affecting", true, [](const Node& n, Descriptor& d) { d.wireAffecting = n.Boolean(); }},
      {"libraries", false,
       [](const Node& n, Descriptor& d) {
         n.ForEachMember([&d](const std::string& tag, const Node& entry) { ReadLibrary(entry, d.libraries[tag]); });
       }},
      {"hot_reload", true,
       [](const Node& n, Descriptor& d) {
         d.hotReload = ReadWord(n, &HotReloadFrom, "none, stateless, rebuild, stateful");
       }},
      {"licence", true, [](const Node& n, Descriptor& d) { d.licence = n.NonEmptyText(); }},
      {"authors", true, [](const Node& n, Descriptor& d) { d.authors = ReadTexts(n); }},
      {"url", false, [](const Node& n, Descriptor& d) { d.url = n.Text(); }},
      {"tags", false, [](const Node& n, Descriptor& d) { d.tags = ReadTexts(n); }},
  };
  return kFields;
}

/// Rules that tie several fields together.
void CheckWhole(const Node& root, const Descriptor& descriptor) {
  const std::string_view own = InterfaceOf(descriptor.kind);
  if (std::find(descriptor.provides.begin(), descriptor.provides.end(), own) == descriptor.provides.end()) {
    throw SchemaProblem{"/provides", fmt::format("lacks {}, which is what the kind {} provides", own,
                                                 ToString(descriptor.kind))};
  }
  const auto namesItself = [&descriptor](const PluginReference& reference) { return reference.id == descriptor.id; };
  const auto& depends = descriptor.depends;
  if (std::any_of(depends.required.begin(), depends.required.end(), namesItself) ||
      std::any_of(depends.optional.begin(), depends.optional.end(), namesItself) ||
      std::any_of(depends.conflicts.begin(), depends.conflicts.end(), namesItself) ||
      std::find(depends.after.begin(), depends.after.end(), descriptor.id) != depends.after.end()) {
    throw SchemaProblem{root.Pointer() + "/depends", "names the plugin itself"};
  }
}

/// Nesting of objects and lists outside of strings, found before the recursive parser sees the text.
[[nodiscard]] std::size_t DepthOf(std::string_view text) noexcept {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (inString) {
      if (letter == '\\') {
        ++i;
      } else if (letter == '"') {
        inString = false;
      }
    } else if (letter == '"') {
      inString = true;
    } else if (letter == '{' || letter == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((letter == '}' || letter == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

[[nodiscard]] Error NotJson(std::string_view origin, std::string cause) {
  return Error{kDescriptorNotJson, fmt::format("The plugin descriptor {} is not JSON.", origin), std::move(cause),
               "Correct the file; Engine/Runtime/PluginApi/plugin.schema.json describes it."};
}

[[nodiscard]] Error Invalid(std::string_view origin, const SchemaProblem& problem) {
  return Error{kDescriptorInvalid, fmt::format("The plugin descriptor {} is invalid.", origin),
               fmt::format("{} {}.", problem.pointer.empty() ? "The document" : problem.pointer, problem.what),
               "Correct the file; Engine/Runtime/PluginApi/plugin.schema.json describes it."};
}

[[nodiscard]] std::string LineAndColumn(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t lastBreak = before.rfind('\n');
  const std::size_t column = before.size() - (lastBreak == std::string_view::npos ? 0 : lastBreak + 1);
  return fmt::format("line {}, column {}", line, column);
}

/// Parses and refuses a key that stands twice in one object, which nlohmann would silently overwrite.
[[nodiscard]] Json ParseOnce(std::string_view text) {
  std::vector<std::vector<std::string>> keys;
  const Json::parser_callback_t watch = [&keys](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      keys.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
    } else if (event == Json::parse_event_t::key) {
      auto key = parsed.get<std::string>();
      auto& seen = keys.back();
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        throw SchemaProblem{"", fmt::format("has the key '{}' twice in one object", key)};
      }
      seen.push_back(std::move(key));
    }
    return true;
  };
  return Json::parse(text, watch);
}

}  // namespace

std::vector<DescriptorField> DescriptorFields() {
  std::vector<DescriptorField> fields;
  for (const auto& field : Fields()) {
    fields.push_back({field.name, field.required});
  }
  return fields;
}

Result<Descriptor> ParseDescriptor(std::string_view text, std::string_view origin) {
  if (text.size() > kMaxDescriptorBytes) {
    return Invalid(origin, {"", fmt::format("is larger than {} bytes", kMaxDescriptorBytes)});
  }
  if (DepthOf(text) > kMaxDescriptorDepth) {
    return Invalid(origin, {"", fmt::format("is nested deeper than {} levels", kMaxDescriptorDepth)});
  }
  try {
    Json json = ParseOnce(text);
    Descriptor descriptor;
    const Node root{json, ""};
    ReadObject(root, Fields(), descriptor);
    CheckWhole(root, descriptor);
    if (IsReservedId(descriptor.id)) {
      return Error{kReservedName, fmt::format("The plugin descriptor {} uses a reserved id.", origin),
                   fmt::format("The id {} belongs to code that is linked into the host.", descriptor.id),
                   "Give the plugin an id under a domain of your own."};
    }
    descriptor.origin = origin;
    json.erase("libraries");
    const std::string canonical = json.dump();
    descriptor.digest = Sha256Of(std::as_bytes(std::span{canonical.data(), canonical.size()}));
    return descriptor;
  } catch (const SchemaProblem& problem) {
    return Invalid(origin, problem);
  } catch (const Json::parse_error& problem) {
    return NotJson(origin, fmt::format("The text breaks off from JSON at {}.", LineAndColumn(text, problem.byte)));
  } catch (const Json::exception& problem) {
    return NotJson(origin, fmt::format("{}.", problem.what()));
  }
}

}  // namespace muster::plugins
