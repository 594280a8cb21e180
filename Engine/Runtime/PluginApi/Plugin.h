// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The C++20 layer: write a class, name it in MUSTER_PLUGIN, and the library has its entry, its note and its tables.
//
//   #include "PluginApi/Plugin.h"
//
//   class Grid {
//    public:
//     Grid(const muster::plugin::Host& host, const mu_spatial_params& params);   // throw to refuse
//     void Rebuild(const mu_spatial_view& view);
//     void QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const;
//     ...                                                     // what is missing, the compiler names
//   };
//
//   MUSTER_PLUGIN(muster::plugin::SpatialIndexTable<Grid>);    // once per library, outside any namespace
//
// Several tables may be listed. What a class must offer stands at the concepts in PluginTables.h: SpatialIndex,
// AiController, SnapshotCodec, Transport. MUSTER_PLUGIN_ID and MUSTER_PLUGIN_VERSION are compile definitions that the
// build takes from plugin.json.
//
// Errors: return a negative mu_status, or throw. `throw Failure{status, sentence}` chooses the status; every other
// exception becomes MU_E_EXCEPTION with what() as the sentence; none crosses the border.
// Threads: as tagged in the C headers. A plugin makes no threads of its own.
// Lifetime: CurrentHost() is valid from init to deinit; instances are destroyed before deinit. Unloading runs static
// destructors; thread_local objects with destructors would pin the library and are refused by the host.
#pragma once

#include <cstddef>
#include <string_view>

#include "PluginApi/Entry.h"
#include "PluginApi/PluginTables.h"

namespace muster::plugin {

/// The entry and note of a library that provides `Tables`. Used through MUSTER_PLUGIN.
template <class... Tables>
struct Library {
  static_assert(sizeof...(Tables) >= 1, "a plugin provides at least one table");
  static_assert(sizeof...(Tables) <= MU_NOTE_INTERFACES, "the note has no room for that many interfaces");

  template <std::size_t IdSize, std::size_t VersionSize>
  static constexpr mu_note_section Note(const char (&id)[IdSize], const char (&version)[VersionSize]) {
    static_assert(IdSize <= sizeof(mu_note::plugin_id), "the plugin's id is too long for the note");
    static_assert(VersionSize <= sizeof(mu_note::version), "the plugin's version is too long for the note");
    mu_note_section section{};
    section.name_size = sizeof(MU_NOTE_NAME);
    section.description_size = sizeof(mu_note);
    section.type = MU_NOTE_TYPE;
    Copy(section.name, MU_NOTE_NAME);
    mu_note& note = section.description;
    note.note_version = MU_NOTE_VERSION;
    note.note_size = sizeof(mu_note);
    note.api_level = MU_API_LEVEL;
    note.pointer_bits = 8 * sizeof(void*);
    note.sanitizer = MU_BUILT_SANITIZER;
    note.compiler = MU_BUILT_COMPILER;
    note.compiler_major = MU_BUILT_COMPILER_MAJOR;
    note.optimised = MU_BUILT_OPTIMISED;
    Copy(note.plugin_id, id);
    Copy(note.version, version);
    std::size_t next = 0;
    ((note.interfaces[next++] = Tables::kNote), ...);
    return section;
  }

  static mu_status Init(const mu_host* host) noexcept {
    if (host == nullptr || host->struct_size < sizeof(mu_host)) {
      return MU_E_INVALID_ARGUMENT;
    }
    return detail::Guarded([&] { detail::g_host = Host{host}; });
  }

  static void Deinit() noexcept { detail::g_host = Host{}; }

  static const void* GetInterface(const char* id) noexcept {
    const void* found = nullptr;
    const std::string_view wanted{id == nullptr ? "" : id};
    ((found = wanted == Tables::kId ? static_cast<const void*>(&Tables::kTable) : found), ...);
    return found;
  }

 private:
  template <std::size_t To, std::size_t From>
  static constexpr void Copy(char (&to)[To], const char (&from)[From]) {
    for (std::size_t i = 0; i < From; ++i) {
      to[i] = from[i];
    }
  }
};

}  // namespace muster::plugin

#ifdef __clang__
#define MUSTER_PLUGIN_BUILD "clang " __clang_version__
#else
#define MUSTER_PLUGIN_BUILD "gcc " __VERSION__
#endif

/// Defines the entry symbol and the note. Arguments: the tables, e.g. muster::plugin::SpatialIndexTable<Grid>.
#define MUSTER_PLUGIN(...)                                                                                             \
  namespace {                                                                                                          \
  MU_NOTE_ATTRIBUTES constinit const mu_note_section g_noteOfThisLibrary =                                             \
      muster::plugin::Library<__VA_ARGS__>::Note(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION);                             \
  void IdentityOfThisLibrary(mu_plugin_identity* out) {                                                                \
    *out = mu_plugin_identity{muster::plugin::ToText(MUSTER_PLUGIN_ID), muster::plugin::ToText(MUSTER_PLUGIN_VERSION), \
                              muster::plugin::ToText(MUSTER_PLUGIN_BUILD)};                                            \
  }                                                                                                                    \
  }                                                                                                                    \
  const mu_plugin_entry mu_plugin_entry_v1 = {MU_ENTRY_MAGIC,                                                          \
                                              sizeof(mu_plugin_entry),                                                 \
                                              MU_API_LEVEL,                                                            \
                                              0,                                                                       \
                                              &IdentityOfThisLibrary,                                                  \
                                              &muster::plugin::Library<__VA_ARGS__>::Init,                             \
                                              &muster::plugin::Library<__VA_ARGS__>::Deinit,                           \
                                              &muster::plugin::Library<__VA_ARGS__>::GetInterface}
