// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// plugin.json: what a plugin says about itself, readable without running any of its code. The schema is published as
// PluginApi/plugin.schema.json.
//
//   Result<Descriptor> descriptor = ParseDescriptor(text, "Plugins/Grid/plugin.json");
//
// The text is hostile: it is bounded in size and depth, an unknown key or a wrong type is an error that names the place
// by JSON pointer, and nothing of it is used as a path before SafePath.h has looked at it. [any]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "Core/Result.h"
#include "Core/Sha256.h"
#include "PluginHost/Version.h"

namespace muster::plugins {

inline constexpr std::uint32_t kDescriptorSchema = 1;
inline constexpr std::size_t kMaxDescriptorBytes = 64 * 1024;
inline constexpr std::size_t kMaxDescriptorDepth = 8;
inline constexpr std::size_t kMaxIdCharacters = 63;  ///< what the library's note has room for

/// The platform whose libraries this host loads.
inline constexpr std::string_view kPlatformTag = "linux.x86_64";

enum class PluginKind : std::uint8_t { SnapshotCodec, Transport, SpatialIndex, AiController };
enum class Side : std::uint8_t { Server, Client, Both };
enum class HotReload : std::uint8_t {
  None,       ///< stays until the process ends
  Stateless,  ///< nothing to carry over
  Rebuild,    ///< the host rebuilds what the plugin derives from its columns
  Stateful    ///< saves a blob that the next generation reads
};

/// The word of plugin.json.
[[nodiscard]] std::string_view ToString(PluginKind kind) noexcept;
[[nodiscard]] std::string_view ToString(Side side) noexcept;
[[nodiscard]] std::string_view ToString(HotReload hotReload) noexcept;
[[nodiscard]] std::optional<PluginKind> PluginKindFrom(std::string_view word) noexcept;
[[nodiscard]] std::optional<Side> SideFrom(std::string_view word) noexcept;
[[nodiscard]] std::optional<HotReload> HotReloadFrom(std::string_view word) noexcept;

/// The interface that a plugin of this kind must provide, e.g. "muster.transport/0".
[[nodiscard]] std::string_view InterfaceOf(PluginKind kind) noexcept;

/// Another plugin, by id and the versions that will do.
struct PluginReference {
  std::string id;
  VersionRange versions;
};

struct Dependencies {
  std::vector<PluginReference> required;   ///< must be there, in range, and loads first
  std::vector<PluginReference> optional;   ///< if it is there it must be in range, and loads first
  std::vector<PluginReference> conflicts;  ///< must not be there in these versions
  std::vector<std::string> after;          ///< loads later than these, where they are there
};

/// API levels (MU_API_LEVEL) a plugin works with, inclusive.
struct ApiLevelRange {
  std::uint32_t min = 0;
  std::uint32_t max = UINT32_MAX;
};

struct LibraryEntry {
  std::string path;  ///< relative to the plugin's folder
  Sha256Digest sha256{};
};

struct Descriptor {
  std::uint32_t schema = kDescriptorSchema;
  std::string id;
  std::string name;
  std::string description;
  Version version;
  PluginKind kind = PluginKind::SpatialIndex;
  std::vector<std::string> provides;  ///< interface ids
  ApiLevelRange engine;
  Dependencies depends;
  Side side = Side::Both;
  bool wireAffecting = false;  ///< both ends of a connection must have it in the same version
  std::map<std::string, LibraryEntry, std::less<>> libraries;  ///< by platform tag; empty in a source folder
  HotReload hotReload = HotReload::None;
  std::string licence;
  std::vector<std::string> authors;
  std::string url;
  std::vector<std::string> tags;

  std::string origin;     ///< where the text came from, for messages
  Sha256Digest digest{};  ///< over the canonical text without `libraries`, so that a rebuild does not change it
};

/// True for a reverse-dotted id of at least two lower-case parts: `com.example.grid`.
[[nodiscard]] bool IsPluginId(std::string_view text) noexcept;

/// Ids that only the engine's linked-in code may bear.
[[nodiscard]] bool IsReservedId(std::string_view id) noexcept;

/// Fails with: kDescriptorNotJson (with line and column), kDescriptorInvalid (with a JSON pointer), kReservedName.
/// `origin` stands in messages and in Descriptor::origin.
[[nodiscard]] Result<Descriptor> ParseDescriptor(std::string_view text, std::string_view origin);

/// A key of a descriptor's top level, for whoever checks the published schema or writes a form.
struct DescriptorField {
  std::string_view name;
  bool required;
};
[[nodiscard]] std::vector<DescriptorField> DescriptorFields();

}  // namespace muster::plugins
