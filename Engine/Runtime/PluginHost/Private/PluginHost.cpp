// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/PluginHost.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "GenerationInternals.h"
#include "PluginApi/Note.h"
#include "PluginHost/Errors.h"
#include "PluginLoader.h"

namespace muster::plugins {
namespace {

/// Generations that stand when a sanitized process ends stay mapped, so that its reports can name what leaked.
constexpr bool kKeepImagesAtExit = MU_BUILT_SANITIZER != MU_SANITIZER_NONE;

/// Catalog, list of generations, and the pointer that was handed to Retire.
constexpr long kOwnReferences = 3;

[[nodiscard]] Error NotFound(std::string_view id) {
  return Error{kPluginNotFound, fmt::format("There is no plugin {}.", id),
               "No plugin.json with that id lies in the plugin roots.",
               "Check the id and the plugin roots; `plugin list` shows what is loaded."};
}

}  // namespace

struct PluginHost::State {
  State(PluginHostConfig hostConfig, PluginLoader::Options loaderOptions, PrivateCopies copies, const Logger& logger,
        const IClock& clock)
      : config{std::move(hostConfig)},
        log{logger.For("PluginHost")},
        loader{std::move(loaderOptions), std::move(copies), log, clock, spatial} {}

  [[nodiscard]] GenerationPointer Newest(std::string_view id) const {
    const auto found = std::find_if(generations.rbegin(), generations.rend(),
                                    [id](const GenerationPointer& generation) { return generation->Id() == id; });
    return found == generations.rend() ? nullptr : *found;
  }

  /// The newest generation of each id, which is what dependencies are judged against.
  [[nodiscard]] std::vector<GenerationPointer> NewestOfEach() const {
    std::map<std::string, GenerationPointer> newest;
    for (const GenerationPointer& generation : generations) {
      newest[generation->Id()] = generation;
    }
    std::vector<GenerationPointer> result;
    for (auto& [id, generation] : newest) {
      result.push_back(std::move(generation));
    }
    return result;
  }

  [[nodiscard]] PluginRoot::Layout LayoutOf(const FoundPlugin& plugin) const {
    for (const PluginRoot& root : config.roots) {
      std::error_code problem;
      if (std::filesystem::equivalent(root.path, plugin.root, problem)) {
        return root.layout;
      }
    }
    return PluginRoot::Layout::Source;
  }

  [[nodiscard]] ResolveOptions Options() const {
    return ResolveOptions{config.side, std::string{kPlatformTag}, MU_API_LEVEL, config.disabled, config.only};
  }

  const PluginHostConfig config;
  const Logger log;
  SpatialService spatial;
  PluginLoader loader;
  ProviderCatalog catalog;
  std::vector<GenerationPointer> generations;
  DiscoveryReport discovery;
  ResolveReport report;
};

Result<std::unique_ptr<PluginHost>> PluginHost::Create(PluginHostConfig config, const Logger& logger,
                                                       const IClock& clock) {
  Result<PrivateCopies> copies = PrivateCopies::Create(config.cacheDirectory, logger.For("PluginHost"));
  if (!copies) {
    return std::move(copies).Failure();
  }
  PluginLoader::Options options{TrustedOwners::OfThisProcess(), config.strict, config.settings,
                                config.memoryBudgetBytes};
  auto state = std::make_unique<State>(std::move(config), std::move(options), std::move(copies).Value(), logger, clock);
  return std::unique_ptr<PluginHost>{new PluginHost{std::move(state)}};
}

PluginHost::PluginHost(std::unique_ptr<State> state) : m_state{std::move(state)} {}

PluginHost::~PluginHost() {
  while (!m_state->generations.empty()) {
    GenerationPointer generation = m_state->generations.back();
    const bool isShared = generation.use_count() > kOwnReferences;
    if (isShared) {
      m_state->log.Error("{}, generation {}, is still held by somebody at the end", generation->Id(),
                         generation->Number());
    }
    if (isShared || kKeepImagesAtExit) {
      m_state->catalog.Remove(*generation);
      m_state->generations.pop_back();
      m_state->loader.Abandon(*generation);
    } else if (Result<void> retired = Retire(std::move(generation)); !retired) {
      m_state->log.Error("{}", retired.Failure().ToString());
    }
  }
}

void PluginHost::DiscoverAndResolve() {
  m_state->discovery = Discover(m_state->config.roots, m_state->loader.Owners());
  for (const RejectedPlugin& rejected : m_state->discovery.rejected) {
    m_state->log.Error("{}", rejected.error.ToString());
  }
  std::vector<Descriptor> descriptors;
  for (const FoundPlugin& plugin : m_state->discovery.found) {
    descriptors.push_back(plugin.descriptor);
  }
  m_state->report = Resolve(descriptors, m_state->Options());
  for (const PluginReport& plugin : m_state->report.plugins) {
    for (const Error& error : plugin.errors) {
      m_state->log.Error("{}", error.ToString());
    }
    if (plugin.verdict == PluginVerdict::Skipped) {
      m_state->log.Info("skipped {} {}: {}", plugin.id, plugin.version.ToString(), plugin.reason);
    }
  }
}

Result<PluginHost::GenerationPointer> PluginHost::LoadFound(const FoundPlugin& plugin) {
  for (const PluginReference& required : plugin.descriptor.depends.required) {
    if (m_state->Newest(required.id) == nullptr) {
      return Error{kDependencyMissing, fmt::format("The plugin {} was not loaded.", plugin.descriptor.id),
                   fmt::format("It requires {}, which did not load.", required.id),
                   fmt::format("See the error of {}.", required.id)};
    }
  }
  Result<GenerationPointer> generation = m_state->loader.Load(plugin, m_state->LayoutOf(plugin));
  if (generation) {
    m_state->catalog.Add(*generation);
    m_state->generations.push_back(*generation);
  }
  return generation;
}

Result<PluginHost::GenerationPointer> PluginHost::LoadResolved(std::size_t index) {
  const FoundPlugin& plugin = m_state->discovery.found[index];
  Result<GenerationPointer> generation = LoadFound(plugin);
  if (generation) {
    return generation;
  }
  m_state->log.Error("{}", generation.Failure().ToString());
  for (PluginReport& reported : m_state->report.plugins) {
    if (reported.id == plugin.descriptor.id && reported.origin == plugin.descriptor.origin) {
      reported.verdict = PluginVerdict::Failed;
      reported.errors.push_back(generation.Failure());
    }
  }
  return generation;
}

Result<void> PluginHost::LoadAll() {
  MUSTER_ASSERT(m_state->generations.empty(), "LoadAll is called once, before anything is loaded");
  DiscoverAndResolve();
  std::optional<Error> first;
  if (!m_state->discovery.rejected.empty()) {
    first = m_state->discovery.rejected.front().error;
  }
  for (const PluginReport& plugin : m_state->report.plugins) {
    if (!first && !plugin.errors.empty()) {
      first = plugin.errors.front();
    }
  }
  const std::vector<std::size_t> order = m_state->report.order;
  for (const std::size_t index : order) {
    if (Result<GenerationPointer> loaded = LoadResolved(index); !loaded && !first) {
      first = std::move(loaded).Failure();
    }
  }
  return first ? Result<void>{*std::move(first)} : Result<void>{};
}

Result<PluginHost::GenerationPointer> PluginHost::Load(std::string_view id) {
  if (GenerationPointer present = m_state->Newest(id)) {
    return present;
  }
  DiscoverAndResolve();
  const PluginReport* report = m_state->report.Find(id);
  if (report == nullptr) {
    const auto rejected =
        std::find_if(m_state->discovery.rejected.begin(), m_state->discovery.rejected.end(),
                     [id](const RejectedPlugin& candidate) { return candidate.path.filename().string() == id; });
    return rejected == m_state->discovery.rejected.end() ? NotFound(id) : rejected->error;
  }
  if (report->verdict == PluginVerdict::Failed) {
    return report->errors.front();
  }
  if (report->verdict == PluginVerdict::Skipped) {
    return Error{kPluginNotFound, fmt::format("The plugin {} was not loaded.", id),
                 fmt::format("It is passed over: {}.", report->reason), "Change the server's plugin configuration."};
  }
  // What it requires, directly and further down; the order of the resolution then loads each before who needs it.
  const auto& found = m_state->discovery.found;
  const std::vector<std::size_t> order = m_state->report.order;
  std::set<std::string, std::less<>> wanted{std::string{id}};
  for (auto index = order.rbegin(); index != order.rend(); ++index) {
    if (wanted.count(found[*index].descriptor.id) != 0) {
      for (const PluginReference& required : found[*index].descriptor.depends.required) {
        wanted.insert(required.id);
      }
    }
  }
  for (const std::size_t index : order) {
    const std::string& candidate = found[index].descriptor.id;
    if (wanted.count(candidate) == 0 || m_state->Newest(candidate) != nullptr) {
      continue;
    }
    if (Result<GenerationPointer> loaded = LoadResolved(index); !loaded) {
      return loaded;
    }
  }
  return m_state->Newest(id);
}

Result<PluginHost::GenerationPointer> PluginHost::LoadReplacement(std::string_view idOrFolder) {
  Result<FoundPlugin> plugin = [&]() -> Result<FoundPlugin> {
    if (!idOrFolder.empty() && idOrFolder.front() == '/') {
      const std::filesystem::path folder = std::filesystem::path{idOrFolder}.lexically_normal();
      Result<std::filesystem::path> root = CheckRoot(folder.parent_path(), m_state->loader.Owners());
      if (!root) {
        return std::move(root).Failure();
      }
      return ReadPluginFolder(*root, folder.filename(), PluginRoot::Layout::Source, m_state->loader.Owners());
    }
    const GenerationPointer present = m_state->Newest(idOrFolder);
    if (present == nullptr) {
      return NotFound(idOrFolder);
    }
    const auto& inside = present->Inside();
    return ReadPluginFolder(inside.source.root, inside.source.folder.lexically_relative(inside.source.root),
                            inside.layout, m_state->loader.Owners());
  }();
  if (!plugin) {
    return std::move(plugin).Failure();
  }
  const GenerationPointer present = m_state->Newest(plugin->descriptor.id);
  if (present != nullptr &&
      (present->Description().hotReload == HotReload::None || plugin->descriptor.hotReload == HotReload::None)) {
    return Error{kNotReloadable, fmt::format("The plugin {} was not replaced.", present->Id()),
                 "Its plugin.json says hot_reload \"none\".", "Restart the server to load the new version."};
  }
  // The set with the newcomer in the old one's place must resolve, for it and for whoever depends on it.
  std::vector<Descriptor> descriptors{plugin->descriptor};
  for (const GenerationPointer& generation : m_state->NewestOfEach()) {
    if (generation->Id() != plugin->descriptor.id) {
      descriptors.push_back(generation->Description());
    }
  }
  ResolveOptions options = m_state->Options();
  options.only.clear();
  options.disabled.clear();
  const ResolveReport report = Resolve(descriptors, options);
  for (const PluginReport& reported : report.plugins) {
    if (!reported.errors.empty()) {
      return reported.errors.front();
    }
  }
  return LoadFound(*plugin);
}

Result<void> PluginHost::Retire(GenerationPointer generation) {
  MUSTER_ASSERT(generation != nullptr, "there is something to retire");
  auto& generations = m_state->generations;
  const auto position = std::find(generations.begin(), generations.end(), generation);
  MUSTER_ASSERT(position != generations.end(), "a generation of this host that is not retired yet");
  if (generation.use_count() > kOwnReferences) {
    return Error{kStillReferenced,
                 fmt::format("The plugin {}, generation {}, was not retired.", generation->Id(), generation->Number()),
                 fmt::format("{} others still hold it.", generation.use_count() - kOwnReferences),
                 "Exchange the slots that use it first."};
  }
  generations.erase(position);
  m_state->catalog.Remove(*generation);
  return m_state->loader.Unload(*generation);
}

ProviderCatalog& PluginHost::Catalog() noexcept {
  return m_state->catalog;
}
SpatialService& PluginHost::Spatial() noexcept {
  return m_state->spatial;
}
std::vector<PluginHost::GenerationPointer> PluginHost::Generations() const {
  return m_state->generations;
}
const std::vector<RejectedPlugin>& PluginHost::Rejected() const noexcept {
  return m_state->discovery.rejected;
}
const ResolveReport& PluginHost::Report() const noexcept {
  return m_state->report;
}

PluginLock PluginHost::Lock() const {
  std::vector<LockEntry> entries;
  for (const GenerationPointer& generation : m_state->NewestOfEach()) {
    entries.push_back(LockEntryOf(generation->Description(), LibraryEntry{{}, generation->ContentHash()}));
  }
  return PluginLock{std::move(entries)};
}

}  // namespace muster::plugins
