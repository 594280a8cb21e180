// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "JsonNode.h"
#include "PluginHost/Descriptor.h"
#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

template <class Enum>
[[nodiscard]] Enum ReadWord(const JsonNode& node, std::optional<Enum> (*from)(std::string_view) noexcept,
                            std::string_view words) {
  const std::optional<Enum> value = from(node.Text());
  if (!value) {
    node.Refuse(fmt::format("is none of {}", words));
  }
  return *value;
}

[[nodiscard]] std::vector<std::string> ReadTexts(const JsonNode& node) {
  std::vector<std::string> texts;
  node.ForEach([&texts](const JsonNode& entry) { texts.push_back(entry.NonEmptyText()); });
  return texts;
}

[[nodiscard]] std::vector<std::string> ReadIds(const JsonNode& node) {
  std::vector<std::string> ids;
  node.ForEach([&ids](const JsonNode& entry) { ids.push_back(entry.PluginId()); });
  return ids;
}

void ReadVersion(const JsonNode& node, Version& version) {
  const std::optional<Version> parsed = Version::Parse(node.Text());
  if (!parsed) {
    node.Refuse("is no version of the form 1.2.3 or 1.2.3-rc.1");
  }
  version = *parsed;
}

[[nodiscard]] std::vector<PluginReference> ReadReferences(const JsonNode& node) {
  static const std::vector<Field<PluginReference>> kFields{
      {"id", true, [](const JsonNode& n, PluginReference& r) { r.id = n.PluginId(); }},
      {"version", true,
       [](const JsonNode& n, PluginReference& r) {
         const std::optional<VersionRange> range = VersionRange::Parse(n.Text());
         if (!range) {
           n.Refuse("is no range of versions like '>=1.2.0 <2.0.0', '^1.2.0', '~1.2.0', '1.2.3' or '*'");
         }
         r.versions = *range;
       }},
  };
  std::vector<PluginReference> references;
  node.ForEach([&references](const JsonNode& entry) {
    PluginReference reference;
    ReadObject(entry, kFields, reference);
    references.push_back(std::move(reference));
  });
  return references;
}

void ReadDependencies(const JsonNode& node, Dependencies& depends) {
  static const std::vector<Field<Dependencies>> kFields{
      {"required", false, [](const JsonNode& n, Dependencies& d) { d.required = ReadReferences(n); }},
      {"optional", false, [](const JsonNode& n, Dependencies& d) { d.optional = ReadReferences(n); }},
      {"conflicts", false, [](const JsonNode& n, Dependencies& d) { d.conflicts = ReadReferences(n); }},
      {"after", false, [](const JsonNode& n, Dependencies& d) { d.after = ReadIds(n); }},
  };
  ReadObject(node, kFields, depends);
}

void ReadEngine(const JsonNode& node, ApiLevelRange& range) {
  static const std::vector<Field<ApiLevelRange>> kFields{
      {"min_api_level", true, [](const JsonNode& n, ApiLevelRange& r) { r.min = n.Number(); }},
      {"max_api_level", false, [](const JsonNode& n, ApiLevelRange& r) { r.max = n.Number(); }},
  };
  ReadObject(node, kFields, range);
  if (range.min > range.max) {
    node.Refuse("has a min_api_level above its max_api_level");
  }
}

void ReadLibrary(const JsonNode& node, LibraryEntry& library) {
  static const std::vector<Field<LibraryEntry>> kFields{
      {"path", true, [](const JsonNode& n, LibraryEntry& l) { l.path = n.NonEmptyText(); }},
      {"sha256", true,
       [](const JsonNode& n, LibraryEntry& l) {
         const std::optional<Sha256Digest> digest = Sha256FromHex(n.Text());
         if (!digest) {
           n.Refuse("is not 64 hexadecimal digits");
         }
         l.sha256 = *digest;
       }},
  };
  ReadObject(node, kFields, library);
}

[[nodiscard]] std::string ReadInterfaceId(const JsonNode& node) {
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
       [](const JsonNode& n, Descriptor& d) {
         d.schema = n.Number();
         if (d.schema != kDescriptorSchema) {
           n.Refuse(fmt::format("is {}; this host reads schema {}", d.schema, kDescriptorSchema));
         }
       }},
      {"id", true, [](const JsonNode& n, Descriptor& d) { d.id = n.PluginId(); }},
      {"name", true, [](const JsonNode& n, Descriptor& d) { d.name = n.NonEmptyText(); }},
      {"description", false, [](const JsonNode& n, Descriptor& d) { d.description = n.Text(); }},
      {"version", true, [](const JsonNode& n, Descriptor& d) { ReadVersion(n, d.version); }},
      {"kind", true,
       [](const JsonNode& n, Descriptor& d) {
         d.kind = ReadWord(n, &PluginKindFrom, "transport, spatial_index, ai_controller, snapshot_codec");
       }},
      {"provides", true,
       [](const JsonNode& n, Descriptor& d) {
         n.ForEach([&d](const JsonNode& entry) {
           std::string id = ReadInterfaceId(entry);
           if (std::find(d.provides.begin(), d.provides.end(), id) != d.provides.end()) {
             entry.Refuse("stands twice in the list");
           }
           d.provides.push_back(std::move(id));
         });
       }},
      {"engine", true, [](const JsonNode& n, Descriptor& d) { ReadEngine(n, d.engine); }},
      {"depends", false, [](const JsonNode& n, Descriptor& d) { ReadDependencies(n, d.depends); }},
      {"side", true, [](const JsonNode& n, Descriptor& d) { d.side = ReadWord(n, &SideFrom, "server, client, both"); }},
      {"wire_affecting", true, [](const JsonNode& n, Descriptor& d) { d.wireAffecting = n.Boolean(); }},
      {"libraries", false,
       [](const JsonNode& n, Descriptor& d) {
         n.ForEachMember([&d](const std::string& tag, const JsonNode& entry) { ReadLibrary(entry, d.libraries[tag]); });
       }},
      {"hot_reload", true,
       [](const JsonNode& n, Descriptor& d) {
         d.hotReload = ReadWord(n, &HotReloadFrom, "none, stateless, rebuild, stateful");
       }},
      {"licence", true, [](const JsonNode& n, Descriptor& d) { d.licence = n.NonEmptyText(); }},
      {"authors", true, [](const JsonNode& n, Descriptor& d) { d.authors = ReadTexts(n); }},
      {"url", false, [](const JsonNode& n, Descriptor& d) { d.url = n.Text(); }},
      {"tags", false, [](const JsonNode& n, Descriptor& d) { d.tags = ReadTexts(n); }},
  };
  return kFields;
}

/// Rules that tie several fields together.
void CheckWhole(const JsonNode& root, const Descriptor& descriptor) {
  const std::string_view own = InterfaceOf(descriptor.kind);
  if (std::find(descriptor.provides.begin(), descriptor.provides.end(), own) == descriptor.provides.end()) {
    throw SchemaProblem{"/provides",
                        fmt::format("lacks {}, which is what the kind {} provides", own, ToString(descriptor.kind))};
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
    const JsonNode root{json, ""};
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
