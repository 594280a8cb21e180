// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

/// One candidate on its way through the rules.
struct Candidate {
  const Descriptor* descriptor;
  std::size_t index;  ///< in the caller's list
  PluginReport report;
  std::vector<std::size_t> requires_;  ///< candidates that must load for this one to load
  std::vector<std::size_t> before;     ///< candidates that load earlier; `requires_` are among them
  std::uint32_t phase = 0;
  std::uint32_t depth = 0;

  void Fail(Error error) {
    report.verdict = PluginVerdict::Failed;
    report.errors.push_back(std::move(error));
  }
  [[nodiscard]] bool IsLoaded() const noexcept { return report.verdict == PluginVerdict::Loaded; }
};

[[nodiscard]] std::string NameOf(const Descriptor& descriptor) {
  return fmt::format("{} {}", descriptor.id, descriptor.version.ToString());
}

[[nodiscard]] Error DependencyError(const ErrorCode& code, const Descriptor& descriptor, std::string cause,
                                    std::string action) {
  return Error{code, fmt::format("The plugin {} cannot load.", NameOf(descriptor)), std::move(cause),
               std::move(action)};
}

class Resolution {
 public:
  Resolution(std::span<const Descriptor> descriptors, const ResolveOptions& options) : m_options{options} {
    m_candidates.reserve(descriptors.size());
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
      const Descriptor& descriptor = descriptors[i];
      PluginReport report{descriptor.id, descriptor.version, descriptor.origin, PluginVerdict::Loaded, {}, {}};
      m_candidates.push_back(Candidate{&descriptor, i, std::move(report), {}, {}});
    }
    // From here on nothing depends on the order of the caller's list.
    std::sort(m_candidates.begin(), m_candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.report.id, a.report.origin, a.report.version) <
             std::tie(b.report.id, b.report.origin, b.report.version);
    });
  }

  [[nodiscard]] ResolveReport Run() {
    Filter();
    RefuseDuplicates();
    CheckHost();
    for (std::size_t i = 0; i < m_candidates.size(); ++i) {
      if (m_candidates[i].IsLoaded()) {
        CheckDependencies(i);
        CheckConflicts(i);
      }
    }
    RefuseCycles();
    SpreadFailures();
    return Finish();
  }

 private:
  void Filter() {
    const auto contains = [](const std::vector<std::string>& ids, const std::string& id) {
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    for (Candidate& candidate : m_candidates) {
      const Descriptor& descriptor = *candidate.descriptor;
      std::string reason;
      if (contains(m_options.disabled, descriptor.id)) {
        reason = "disabled by configuration";
      } else if (!m_options.only.empty() && !contains(m_options.only, descriptor.id)) {
        reason = "not among the plugins asked for";
      } else if (m_options.side != Side::Both && descriptor.side != Side::Both && descriptor.side != m_options.side) {
        reason = fmt::format("it is for the {} side", plugins::ToString(descriptor.side));
      }
      if (!reason.empty()) {
        candidate.report.verdict = PluginVerdict::Skipped;
        candidate.report.reason = std::move(reason);
      }
    }
  }

  void RefuseDuplicates() {
    for (std::size_t first = 0; first < m_candidates.size();) {
      std::size_t end = first + 1;
      while (end < m_candidates.size() && m_candidates[end].report.id == m_candidates[first].report.id) {
        ++end;
      }
      if (end - first > 1) {
        std::string places;
        for (std::size_t i = first; i < end; ++i) {
          places += (i == first ? "" : " and ") + m_candidates[i].report.origin;
        }
        for (std::size_t i = first; i < end; ++i) {
          if (m_candidates[i].IsLoaded()) {
            m_candidates[i].Fail(DependencyError(kDuplicateId, *m_candidates[i].descriptor,
                                                 fmt::format("The same id is in {}.", places),
                                                 "Remove all but one of them, or take its root out of the roots."));
          }
        }
      }
      first = end;
    }
  }

  void CheckHost() {
    for (Candidate& candidate : m_candidates) {
      if (!candidate.IsLoaded()) {
        continue;
      }
      const Descriptor& descriptor = *candidate.descriptor;
      if (m_options.apiLevel < descriptor.engine.min || m_options.apiLevel > descriptor.engine.max) {
        candidate.Fail(
            DependencyError(kApiLevel, descriptor,
                            descriptor.engine.max == UINT32_MAX
                                ? fmt::format("It wants API level {} or later; this host has {}.",
                                              descriptor.engine.min, m_options.apiLevel)
                                : fmt::format("It works with API levels {} to {}; this host has {}.",
                                              descriptor.engine.min, descriptor.engine.max, m_options.apiLevel),
                            "Install a version of the plugin that is made for this engine."));
      }
      if (descriptor.libraries.find(m_options.platform) == descriptor.libraries.end()) {
        std::string have;
        for (const auto& [tag, library] : descriptor.libraries) {
          have += (have.empty() ? "" : ", ") + tag;
        }
        candidate.Fail(DependencyError(kNoLibraryForPlatform, descriptor,
                                       fmt::format("It has a library for {}, not for {}.",
                                                   have.empty() ? "no platform" : have, m_options.platform),
                                       "Build the plugin here: a source folder's plugin.json gets its libraries in the "
                                       "build tree."));
      }
    }
  }

  /// The one candidate that bears the id, wherever it stands.
  [[nodiscard]] std::optional<std::size_t> FindId(std::string_view id) const {
    const auto found =
        std::lower_bound(m_candidates.begin(), m_candidates.end(), id,
                         [](const Candidate& c, std::string_view wanted) { return c.report.id < wanted; });
    if (found == m_candidates.end() || found->report.id != id) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(found - m_candidates.begin());
  }

  void CheckDependencies(std::size_t index) {
    Candidate& candidate = m_candidates[index];
    const Descriptor& descriptor = *candidate.descriptor;
    for (const PluginReference& reference : descriptor.depends.required) {
      const auto target = FindId(reference.id);
      if (!target) {
        candidate.Fail(DependencyError(kDependencyMissing, descriptor,
                                       fmt::format("It requires {} {}, which is nowhere in the plugin roots.",
                                                   reference.id, reference.versions.ToString()),
                                       fmt::format("Install {}, or disable {}.", reference.id, descriptor.id)));
        continue;
      }
      if (m_candidates[*target].report.verdict == PluginVerdict::Skipped) {
        candidate.Fail(DependencyError(
            kDependencyMissing, descriptor,
            fmt::format("It requires {}, which is passed over: {}.", reference.id, m_candidates[*target].report.reason),
            fmt::format("Enable {}, or disable {} as well.", reference.id, descriptor.id)));
        continue;
      }
      if (CheckRange(candidate, reference, *target, "requires")) {
        candidate.requires_.push_back(*target);
        candidate.before.push_back(*target);
      }
    }
    for (const PluginReference& reference : descriptor.depends.optional) {
      const auto target = FindId(reference.id);
      if (target && m_candidates[*target].IsLoaded() &&
          CheckRange(candidate, reference, *target, "works without or with")) {
        candidate.before.push_back(*target);
      }
    }
    for (const std::string& id : descriptor.depends.after) {
      if (const auto target = FindId(id); target && m_candidates[*target].IsLoaded()) {
        candidate.before.push_back(*target);
      }
    }
    std::sort(candidate.before.begin(), candidate.before.end());
    candidate.before.erase(std::unique(candidate.before.begin(), candidate.before.end()), candidate.before.end());
  }

  [[nodiscard]] bool CheckRange(Candidate& candidate, const PluginReference& reference, std::size_t target,
                                std::string_view verb) {
    const Version& present = m_candidates[target].report.version;
    if (reference.versions.Contains(present)) {
      return true;
    }
    candidate.Fail(DependencyError(kVersionOutOfRange, *candidate.descriptor,
                                   fmt::format("It {} {} {}; installed is {}.", verb, reference.id,
                                               reference.versions.ToString(), present.ToString()),
                                   fmt::format("Install a version of {} in that range, or another version of {}.",
                                               reference.id, candidate.report.id)));
    return false;
  }

  void CheckConflicts(std::size_t index) {
    Candidate& candidate = m_candidates[index];
    for (const PluginReference& reference : candidate.descriptor->depends.conflicts) {
      const auto target = FindId(reference.id);
      if (!target || m_candidates[*target].report.verdict == PluginVerdict::Skipped ||
          !reference.versions.Contains(m_candidates[*target].report.version)) {
        continue;
      }
      candidate.Fail(
          DependencyError(kConflict, *candidate.descriptor,
                          fmt::format("It does not run beside {} {}, and {} is installed.", reference.id,
                                      reference.versions.ToString(), NameOf(*m_candidates[*target].descriptor)),
                          fmt::format("Disable {} or {}.", candidate.report.id, reference.id)));
    }
  }

  /// Depth-first over `before`; a candidate met again on the way closes a cycle. Explicit stack: the graph is as deep
  /// as somebody's folder of plugins is long.
  void RefuseCycles() {
    enum class Mark : std::uint8_t { New, OnPath, Done };
    std::vector<Mark> marks(m_candidates.size(), Mark::New);
    std::vector<std::pair<std::size_t, std::size_t>> path;  // candidate, next edge
    for (std::size_t start = 0; start < m_candidates.size(); ++start) {
      if (marks[start] != Mark::New) {
        continue;
      }
      marks[start] = Mark::OnPath;
      path.assign(1, {start, 0});
      while (!path.empty()) {
        auto& [current, edge] = path.back();
        if (edge == m_candidates[current].before.size()) {
          marks[current] = Mark::Done;
          path.pop_back();
          continue;
        }
        const std::size_t next = m_candidates[current].before[edge++];
        if (marks[next] == Mark::OnPath) {
          FailCycle(path, next);
        } else if (marks[next] == Mark::New) {
          marks[next] = Mark::OnPath;
          path.emplace_back(next, 0);
        }
      }
    }
  }

  void FailCycle(const std::vector<std::pair<std::size_t, std::size_t>>& path, std::size_t start) {
    const auto first =
        std::find_if(path.begin(), path.end(), [start](const auto& step) { return step.first == start; });
    std::vector<std::size_t> members;
    std::transform(first, path.end(), std::back_inserter(members), [](const auto& step) { return step.first; });
    // Written from its smallest id, so that one cycle always reads the same.
    std::rotate(members.begin(), std::min_element(members.begin(), members.end()), members.end());
    std::string text;
    for (const std::size_t member : members) {
      text += m_candidates[member].report.id + " -> ";
    }
    text += m_candidates[members.front()].report.id;
    for (const std::size_t member : members) {
      m_candidates[member].Fail(DependencyError(
          kCyclicDependency, *m_candidates[member].descriptor,
          fmt::format("Its dependencies lead back to itself: {}.", text),
          "Take one of these dependencies out of the plugins' descriptors, or disable one of the plugins."));
    }
  }

  void SpreadFailures() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Candidate& candidate : m_candidates) {
        if (!candidate.IsLoaded()) {
          continue;
        }
        for (const std::size_t required : candidate.requires_) {
          if (!m_candidates[required].IsLoaded()) {
            candidate.Fail(
                DependencyError(kDependencyMissing, *candidate.descriptor,
                                fmt::format("It requires {}, which failed itself.", m_candidates[required].report.id),
                                fmt::format("See the error of {}.", m_candidates[required].report.id)));
            changed = true;
          }
        }
      }
    }
  }

  /// Longest way down and latest phase on it; the graph of what loads has no cycles any more.
  void Place(std::size_t index, std::vector<bool>& placed) {
    std::vector<std::size_t> stack{index};
    while (!stack.empty()) {
      const std::size_t current = stack.back();
      Candidate& candidate = m_candidates[current];
      if (placed[current]) {
        stack.pop_back();
        continue;
      }
      bool ready = true;
      candidate.phase = static_cast<std::uint32_t>(candidate.descriptor->kind);
      candidate.depth = 0;
      for (const std::size_t earlier : candidate.before) {
        if (!m_candidates[earlier].IsLoaded()) {
          continue;
        }
        if (!placed[earlier]) {
          ready = false;
          stack.push_back(earlier);
          continue;
        }
        candidate.phase = std::max(candidate.phase, m_candidates[earlier].phase);
        candidate.depth = std::max(candidate.depth, m_candidates[earlier].depth + 1);
      }
      if (ready) {
        placed[current] = true;
        stack.pop_back();
      }
    }
  }

  [[nodiscard]] ResolveReport Finish() {
    std::vector<bool> placed(m_candidates.size(), false);
    std::vector<std::size_t> loaded;
    for (std::size_t i = 0; i < m_candidates.size(); ++i) {
      if (m_candidates[i].IsLoaded()) {
        Place(i, placed);
        loaded.push_back(i);
      }
    }
    std::sort(loaded.begin(), loaded.end(), [this](std::size_t a, std::size_t b) {
      const Candidate& left = m_candidates[a];
      const Candidate& right = m_candidates[b];
      return std::tie(left.phase, left.depth, left.report.id) < std::tie(right.phase, right.depth, right.report.id);
    });
    ResolveReport report;
    for (const std::size_t i : loaded) {
      report.order.push_back(m_candidates[i].index);
    }
    for (Candidate& candidate : m_candidates) {
      report.plugins.push_back(std::move(candidate.report));
    }
    return report;
  }

  const ResolveOptions& m_options;
  std::vector<Candidate> m_candidates;
};

[[nodiscard]] std::string_view WordOf(PluginVerdict verdict) noexcept {
  switch (verdict) {
    case PluginVerdict::Loaded:
      return "loaded";
    case PluginVerdict::Skipped:
      return "skipped";
    case PluginVerdict::Failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace

bool ResolveReport::HasFailures() const noexcept {
  return std::any_of(plugins.begin(), plugins.end(),
                     [](const PluginReport& plugin) { return plugin.verdict == PluginVerdict::Failed; });
}

const PluginReport* ResolveReport::Find(std::string_view id) const noexcept {
  const auto found =
      std::find_if(plugins.begin(), plugins.end(), [id](const PluginReport& plugin) { return plugin.id == id; });
  return found == plugins.end() ? nullptr : &*found;
}

std::string ResolveReport::ToText() const {
  std::string text;
  for (const PluginReport& plugin : plugins) {
    text += fmt::format("{:<8} {} {}{}{}\n", WordOf(plugin.verdict), plugin.id, plugin.version.ToString(),
                        plugin.reason.empty() ? "" : ": ", plugin.reason);
    for (const Error& error : plugin.errors) {
      text += fmt::format("         {}\n", error.ToString());
    }
  }
  return text;
}

ResolveReport Resolve(std::span<const Descriptor> descriptors, const ResolveOptions& options) {
  return Resolution{descriptors, options}.Run();
}

}  // namespace muster::plugins
