// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginLoader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "GenerationInternals.h"
#include "PluginHost/CallGuard.h"
#include "PluginHost/Errors.h"
#include "PluginHost/LibraryInspector.h"

namespace muster::plugins {
namespace {

[[nodiscard]] std::string TitleOf(const Descriptor& descriptor) {
  return fmt::format("{} {}", descriptor.id, descriptor.version.ToString());
}

[[nodiscard]] Error LoadError(const ErrorCode& code, const Descriptor& descriptor, std::string cause,
                              std::string action) {
  return Error{code, fmt::format("The plugin {} was not loaded.", TitleOf(descriptor)), std::move(cause),
               std::move(action)};
}

/// Copies text out of the library, which may be gone when it is read.
[[nodiscard]] std::string Copied(mu_text text) {
  constexpr std::uint64_t kMaxBytes = 256;
  return text.data == nullptr ? std::string{}
                              : std::string{text.data, static_cast<std::size_t>(std::min(text.size, kMaxBytes))};
}

/// Every table is two 32-bit numbers and then functions; all functions of revision 0 are required.
[[nodiscard]] Result<void> CheckTable(const void* table, std::size_t expectedBytes, std::string_view interfaceId,
                                      const Descriptor& descriptor) {
  std::uint32_t structSize = 0;
  std::memcpy(&structSize, table, sizeof(structSize));
  if (structSize < expectedBytes) {
    return LoadError(
        kStructTooSmall, descriptor,
        fmt::format("Its table of {} has {} bytes, needed are {}.", interfaceId, structSize, expectedBytes),
        "Build the plugin against this engine's headers and set struct_size to sizeof the table.");
  }
  const auto* bytes = static_cast<const std::byte*>(table);
  for (std::size_t offset = 2 * sizeof(std::uint32_t); offset < expectedBytes; offset += sizeof(void*)) {
    void* function = nullptr;
    std::memcpy(&function, bytes + offset, sizeof(function));
    if (function == nullptr) {
      return LoadError(
          kFunctionMissing, descriptor,
          fmt::format("Function {} of its table of {} is null.", (offset - 8) / sizeof(void*), interfaceId),
          "Fill every function of the table.");
    }
  }
  return {};
}

[[nodiscard]] std::size_t TableBytes(std::string_view interfaceId) noexcept {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 4> kSizes{{
      {MU_TRANSPORT_V0, sizeof(mu_transport_v0)},
      {MU_SPATIAL_INDEX_V0, sizeof(mu_spatial_index_v0)},
      {MU_AI_CONTROLLER_V0, sizeof(mu_ai_controller_v0)},
      {MU_SNAPSHOT_CODEC_V0, sizeof(mu_snapshot_codec_v0)},
  }};
  const auto* found = std::find_if(kSizes.begin(), kSizes.end(),
                                   [interfaceId](const auto& entry) { return entry.first == interfaceId; });
  return found == kSizes.end() ? 0 : found->second;
}

}  // namespace

PluginLoader::PluginLoader(Options options, PrivateCopies copies, const Logger& log, const IClock& clock,
                           SpatialService& spatial)
    : m_options{std::move(options)}, m_copies{std::move(copies)}, m_log{log}, m_clock{clock}, m_spatial{spatial} {}

Result<std::vector<std::byte>> PluginLoader::ReadVerified(const FoundPlugin& plugin, Internals& internals) const {
  const Descriptor& descriptor = plugin.descriptor;
  const auto library = descriptor.libraries.find(kPlatformTag);
  if (library == descriptor.libraries.end()) {
    return LoadError(kNoLibraryForPlatform, descriptor, fmt::format("It has no library for {}.", kPlatformTag),
                     "Build the plugin; a source folder's plugin.json gets its libraries in the build tree.");
  }
  const std::string name = std::filesystem::path{library->second.path}.filename().string();
  if (IsReservedLibraryName(name)) {
    return LoadError(kReservedName, descriptor, fmt::format("Its library is called {}, as one of the system's.", name),
                     "Rename the library.");
  }
  const Result<std::filesystem::path> path = CheckInside(plugin.folder, library->second.path, m_options.owners);
  if (!path) {
    return path.Failure();
  }
  Result<std::vector<std::byte>> bytes = ReadSafeFile(*path, kMaxLibraryBytes, m_options.owners);
  if (!bytes) {
    return bytes;
  }
  internals.contentHash = Sha256Of(*bytes);
  if (internals.contentHash != library->second.sha256) {
    return LoadError(kHashMismatch, descriptor,
                     fmt::format("The SHA-256 of {} is {}, plugin.json says {}.", name, ToHex(internals.contentHash),
                                 ToHex(library->second.sha256)),
                     "Wait until the build has finished, or build or install the plugin again.");
  }
  return bytes;
}

Result<void> PluginLoader::Inspect(std::span<const std::byte> bytes, const Descriptor& descriptor) const {
  const Result<LibraryFacts> facts = InspectLibrary(bytes, descriptor.libraries.find(kPlatformTag)->second.path);
  if (!facts) {
    return facts.Failure();
  }
  LibraryVerdict verdict = JudgeLibrary(*facts, descriptor, HostBuild{}, m_options.strict);
  for (const Error& warning : verdict.warnings) {
    // A warning of a library that loads: the sentence about a refusal would mislead, so only cause and advice are told.
    m_log.Warning("{}: MU{} {}: {} {}", TitleOf(descriptor), warning.code.number, warning.code.name, warning.cause,
                  warning.action);
  }
  if (verdict.failures.empty()) {
    return {};
  }
  for (std::size_t i = 1; i < verdict.failures.size(); ++i) {
    m_log.Error("{}", verdict.failures[i].ToString());
  }
  return std::move(verdict.failures.front());
}

Result<void> PluginLoader::Open(Internals& internals) const {
  Result<std::unique_ptr<SharedLibrary>> library = SharedLibrary::Load(internals.shadowPath);
  if (!library) {
    Error error = std::move(library).Failure();
    error.sentence = fmt::format("The plugin {} was not loaded.", TitleOf(internals.source.descriptor));
    return error;
  }
  internals.library = std::move(library).Value();
  return CheckEntry(internals);
}

Result<void> PluginLoader::CheckEntry(Internals& internals) const {
  const Descriptor& descriptor = internals.source.descriptor;
  const mu_plugin_entry* entry = internals.library->Entry();
  const std::string_view advice = "Use MUSTER_PLUGIN, or define the entry as Entry.h describes it.";
  if (entry == nullptr || entry->magic != MU_ENTRY_MAGIC) {
    return LoadError(kEntryMissing, descriptor, fmt::format("Its {} is missing or something else.", MU_ENTRY_SYMBOL),
                     std::string{advice});
  }
  if (entry->struct_size < sizeof(mu_plugin_entry)) {
    return LoadError(kStructTooSmall, descriptor,
                     fmt::format("Its entry has {} bytes, needed are {}.", entry->struct_size, sizeof(mu_plugin_entry)),
                     "Build the plugin against this engine's headers.");
  }
  if (entry->api_level != MU_API_LEVEL) {
    return LoadError(kApiLevel, descriptor,
                     fmt::format("Its entry is of API level {}; this host has {}.", entry->api_level, MU_API_LEVEL),
                     "Build the plugin against this engine's headers.");
  }
  if (entry->identity == nullptr || entry->init == nullptr || entry->deinit == nullptr ||
      entry->get_interface == nullptr) {
    return LoadError(kFunctionMissing, descriptor, "A function of its entry is null.", std::string{advice});
  }
  internals.entry = entry;
  mu_plugin_identity identity{};
  entry->identity(&identity);
  internals.identity = PluginIdentity{Copied(identity.id), Copied(identity.version), Copied(identity.build)};
  if (internals.identity.id != descriptor.id || internals.identity.version != descriptor.version.ToString()) {
    return LoadError(
        kIdMismatch, descriptor,
        fmt::format("The running code says that it is {} {}.", internals.identity.id, internals.identity.version),
        "Build again, so that descriptor and library are of one make.");
  }
  return {};
}

Result<void> PluginLoader::Initialise(Internals& internals) const {
  const Descriptor& descriptor = internals.source.descriptor;
  const auto settings = m_options.settings.find(descriptor.id);
  internals.services = std::make_unique<GenerationServices>(
      m_log.For(descriptor.id), m_clock, m_spatial,
      settings == m_options.settings.end() ? PluginSettings{} : settings->second, m_options.memoryBudgetBytes);
  ClearLastSentence();
  const mu_status status = internals.entry->init(internals.services->Host());
  if (status != MU_OK) {
    return LoadError(kInitFailed, descriptor,
                     fmt::format("Its init returned {} ({}): {}.", StatusName(status), status,
                                 LastSentence().empty() ? "it left no sentence" : LastSentence()),
                     "See what the plugin needs; its own log lines may say more.");
  }
  internals.isInitialised = true;
  return ReadTables(internals);
}

Result<void> PluginLoader::ReadTables(Internals& internals) {
  const Descriptor& descriptor = internals.source.descriptor;
  for (const std::string& id : descriptor.provides) {
    const std::size_t tableBytes = TableBytes(id);
    if (tableBytes == 0) {
      continue;  // An interface of a later host: LibraryInspector has warned.
    }
    const void* table = internals.entry->get_interface(id.c_str());
    if (table == nullptr) {
      return LoadError(kNoProvider, descriptor, fmt::format("Its get_interface gives no table for {}.", id),
                       "List the table in MUSTER_PLUGIN, or take the interface out of `provides`.");
    }
    if (Result<void> checked = CheckTable(table, tableBytes, id, descriptor); !checked) {
      return checked;
    }
    internals.tables.emplace(id, table);
  }
  return {};
}

Result<std::shared_ptr<const PluginGeneration>> PluginLoader::Load(const FoundPlugin& plugin,
                                                                   PluginRoot::Layout layout) {
  auto internals = std::make_unique<Internals>();
  internals->source = plugin;
  internals->layout = layout;
  const Result<std::vector<std::byte>> bytes = ReadVerified(plugin, *internals);
  if (!bytes) {
    return bytes.Failure();
  }
  if (Result<void> inspected = Inspect(*bytes, plugin.descriptor); !inspected) {
    return std::move(inspected).Failure();
  }
  internals->number = ++m_lastNumber;
  Result<std::filesystem::path> copy = m_copies.Write(plugin.descriptor.id, internals->number, *bytes);
  if (!copy) {
    return std::move(copy).Failure();
  }
  internals->shadowPath = std::move(copy).Value();
  Result<void> running = Open(*internals).AndThen([&] { return Initialise(*internals); });
  if (!running) {
    Deinitialise(*internals);
    internals->library.reset();
    m_copies.Remove(internals->shadowPath);
    return std::move(running).Failure();
  }
  m_log.Info("loaded {} as generation {} ({}), {}", TitleOf(plugin.descriptor), internals->number,
             ToHex(internals->contentHash).substr(0, 12), internals->identity.build);
  return std::shared_ptr<const PluginGeneration>{std::make_shared<PluginGeneration>(std::move(internals))};
}

void PluginLoader::Deinitialise(Internals& internals) {
  if (internals.isInitialised) {
    internals.isInitialised = false;
    internals.tables.clear();
    internals.entry->deinit();
  }
}

Result<void> PluginLoader::Unload(const PluginGeneration& generation) {
  Internals& internals = generation.Inside();
  const std::string name = TitleOf(internals.source.descriptor);
  Deinitialise(internals);
  if (const std::uint64_t leaked = internals.services->AllocatedBytes(); leaked != 0) {
    m_log.Warning("{}, generation {}, left {} bytes of the host's allocator behind", name, internals.number, leaked);
  }
  internals.entry = nullptr;
  internals.library->Unload();
  const bool isMapped = SharedLibrary::IsMapped(internals.shadowPath);
  m_copies.Remove(internals.shadowPath);
  if (isMapped) {
    return Error{
        kImageStillMapped, fmt::format("The plugin {}, generation {}, cannot be unloaded.", name, internals.number),
        "It is deinitialised, but the loader keeps its image: unique symbols, a thread_local destructor of a "
        "living thread, or somebody else who opened it.",
        "The process goes on and grows with each reload; restart it at leisure, and see that the plugin passes "
        "its checks."};
  }
  m_log.Info("unloaded {}, generation {}", name, internals.number);
  return {};
}

void PluginLoader::Abandon(const PluginGeneration& generation) {
  Internals& internals = generation.Inside();
  Deinitialise(internals);
  internals.library->Pin();
  m_copies.Remove(internals.shadowPath);
}

}  // namespace muster::plugins
