// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFolderDepth = 4;
constexpr const char* kDescriptorName = "plugin.json";

/// Walks one root. Every folder entered has been checked, so nothing is read where others may write.
class Search {
 public:
  Search(fs::path root, PluginRoot::Layout layout, const TrustedOwners& owners, DiscoveryReport& report)
      : m_root{std::move(root)}, m_layout{layout}, m_owners{owners}, m_report{report} {}

  void Visit(const fs::path& relative, int depth) {
    std::error_code problem;
    const fs::path folder = relative.empty() ? m_root : m_root / relative;
    if (!relative.empty() && fs::exists(fs::symlink_status(folder / kDescriptorName, problem))) {
      Read(relative);
      return;
    }
    if (depth == kMaxFolderDepth) {
      return;
    }
    std::vector<fs::path> names;
    for (fs::directory_iterator entry{folder, problem}, end; !problem && entry != end; entry.increment(problem)) {
      const fs::path name = entry->path().filename();
      std::error_code ignored;
      if (name.string().front() != '.' && entry->is_directory(ignored)) {
        names.push_back(name);
      }
    }
    if (problem) {
      m_report.rejected.push_back(
          {folder, Error{kRootUnreadable, fmt::format("The folder {} could not be searched.", folder.string()),
                         problem.message() + ".", "Check its permissions."}});
    }
    std::sort(names.begin(), names.end());
    for (const fs::path& name : names) {
      const fs::path next = relative / name;
      Result<fs::path> inside = CheckInside(m_root, next, m_owners);
      if (!inside) {
        m_report.rejected.push_back({m_root / next, std::move(inside).Failure()});
      } else if (*inside == m_root / next) {
        Visit(next, depth + 1);
      }
      // Else it is a link to a folder of this root, which is visited under its own name.
    }
  }

 private:
  void Read(const fs::path& relative) {
    Result<FoundPlugin> plugin = ReadPluginFolder(m_root, relative, m_layout, m_owners);
    if (plugin) {
      m_report.found.push_back(std::move(plugin).Value());
    } else {
      m_report.rejected.push_back({m_root / relative, std::move(plugin).Failure()});
    }
  }

  const fs::path m_root;
  const PluginRoot::Layout m_layout;
  const TrustedOwners& m_owners;
  DiscoveryReport& m_report;
};

}  // namespace

Result<FoundPlugin> ReadPluginFolder(const fs::path& root, const fs::path& relativeFolder, PluginRoot::Layout layout,
                                     const TrustedOwners& owners) {
  const Result<fs::path> file = CheckInside(root, relativeFolder / kDescriptorName, owners);
  if (!file) {
    return file.Failure();
  }
  const Result<std::vector<std::byte>> bytes = ReadSafeFile(*file, kMaxDescriptorBytes, owners);
  if (!bytes) {
    return bytes.Failure();
  }
  const std::string_view text{reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  Result<Descriptor> descriptor = ParseDescriptor(text, file->string());
  if (!descriptor) {
    return std::move(descriptor).Failure();
  }
  const fs::path folder = file->parent_path();
  if (layout == PluginRoot::Layout::Installed && folder.filename() != descriptor->id) {
    return Error{kIdMismatch, fmt::format("The plugin in {} is installed under another name.", folder.string()),
                 fmt::format("Its id is {}, its folder is called {}.", descriptor->id, folder.filename().string()),
                 fmt::format("Rename the folder to {}.", descriptor->id)};
  }
  return FoundPlugin{std::move(descriptor).Value(), folder, root};
}

DiscoveryReport Discover(std::span<const PluginRoot> roots, const TrustedOwners& owners) {
  DiscoveryReport report;
  for (const PluginRoot& root : roots) {
    Result<fs::path> canonical = CheckRoot(root.path, owners);
    if (!canonical) {
      report.rejected.push_back({root.path, std::move(canonical).Failure()});
      continue;
    }
    Search{std::move(canonical).Value(), root.layout, owners, report}.Visit({}, 0);
  }
  return report;
}

}  // namespace muster::plugins
