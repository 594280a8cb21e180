// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One loaded library. Loading a plugin again makes another generation with a higher number; both can be loaded at once.
// Consumers hold generations through std::shared_ptr<const PluginGeneration>, mostly inside a Provider; the library is
// unloaded by PluginHost::Retire only, never by the last pointer going away on some thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "Core/Sha256.h"
#include "PluginHost/Descriptor.h"

namespace muster::plugins {

/// Counts within one process from 1; built-in providers have 0.
using GenerationNumber = std::uint64_t;

/// What the running code answers about itself, copied out of the library.
struct PluginIdentity {
  std::string id;
  std::string version;
  std::string build;
};

class PluginGeneration {
 public:
  ~PluginGeneration();
  PluginGeneration(const PluginGeneration&) = delete;
  PluginGeneration& operator=(const PluginGeneration&) = delete;

  /// [any]
  [[nodiscard]] const std::string& Id() const noexcept;
  [[nodiscard]] GenerationNumber Number() const noexcept;
  [[nodiscard]] const Descriptor& Description() const noexcept;
  [[nodiscard]] const PluginIdentity& Identity() const noexcept;
  /// SHA-256 of the file that is loaded.
  [[nodiscard]] const Sha256Digest& ContentHash() const noexcept;
  /// The private copy that is mapped.
  [[nodiscard]] const std::filesystem::path& ShadowPath() const noexcept;
  /// Bytes that the plugin holds of the host's allocator.
  [[nodiscard]] std::uint64_t AllocatedBytes() const noexcept;

  /// [main][sim] The table of an interface this host knows, already checked for size and missing functions, or null.
  /// Valid until the generation is retired.
  [[nodiscard]] const void* Interface(std::string_view interfaceId) const noexcept;

  /// What the host keeps about a loaded library.
  struct Internals;
  explicit PluginGeneration(std::unique_ptr<Internals> internals);
  [[nodiscard]] Internals& Inside() const noexcept { return *m_internals; }

 private:
  std::unique_ptr<Internals> m_internals;
};

}  // namespace muster::plugins
