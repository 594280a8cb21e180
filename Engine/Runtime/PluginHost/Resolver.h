// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Decides from descriptors alone which plugins load, in which order, and why the others do not. A pure function: the
// same descriptors in any order give the same report.
//
//   ResolveReport report = Resolve(descriptors, {.side = Side::Server});
//   for (std::size_t index : report.order) { load(descriptors[index]); }
//   fmt::print("{}", report.ToText());
//
// Order: by phase of the kind (codecs, transports, spatial indices, controllers; never before a dependency's), then by
// depth in the graph, then by id. A failure reaches whoever requires the plugin; nobody else. [any]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "Core/Error.h"
#include "PluginApi/Abi.h"
#include "PluginHost/Descriptor.h"

namespace muster::plugins {

struct ResolveOptions {
  Side side = Side::Server;  ///< which end this process is; Both takes every plugin
  std::string platform{kPlatformTag};
  std::uint32_t apiLevel = MU_API_LEVEL;
  std::vector<std::string> disabled{};  ///< ids that are passed over
  std::vector<std::string> only{};      ///< when not empty, every other id is passed over
};

enum class PluginVerdict : std::uint8_t { Loaded, Skipped, Failed };

struct PluginReport {
  std::string id;
  Version version;
  std::string origin;
  PluginVerdict verdict = PluginVerdict::Loaded;
  std::string reason;           ///< of a skip
  std::vector<Error> errors{};  ///< of a failure: all that were found
};

struct ResolveReport {
  std::vector<std::size_t> order;     ///< indices of the descriptors to load, first to last
  std::vector<PluginReport> plugins;  ///< one per descriptor, by (id, origin)

  [[nodiscard]] bool HasFailures() const noexcept;
  /// The report of an id, or null.
  [[nodiscard]] const PluginReport* Find(std::string_view id) const noexcept;
  /// A line per plugin and an indented line per error, for people.
  [[nodiscard]] std::string ToText() const;
};

/// Errors in the report: kDuplicateId, kNoLibraryForPlatform, kApiLevel, kDependencyMissing, kVersionOutOfRange,
/// kConflict, kCyclicDependency (the path is printed).
[[nodiscard]] ResolveReport Resolve(std::span<const Descriptor> descriptors, const ResolveOptions& options);

}  // namespace muster::plugins
