// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// From a plugin's folder to a running generation, and back.
#pragma once

#include <memory>
#include <vector>

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/PluginHost.h"
#include "PrivateCopies.h"

namespace muster::plugins {

class PluginLoader {
 public:
  struct Options {
    TrustedOwners owners;
    bool strict = false;
    std::map<std::string, PluginSettings, std::less<>> settings{};
    std::uint64_t memoryBudgetBytes = 0;
  };

  /// `clock` and `spatial` outlive every generation.
  PluginLoader(Options options, PrivateCopies copies, const Logger& log, const IClock& clock, SpatialService& spatial);

  /// The whole way. Logs warnings about the library, and every failure but the returned one.
  [[nodiscard]] Result<std::shared_ptr<const PluginGeneration>> Load(const FoundPlugin& plugin,
                                                                     PluginRoot::Layout layout);

  /// deinit, unload, look whether it is gone. Fails with kImageStillMapped.
  [[nodiscard]] Result<void> Unload(const PluginGeneration& generation);

  /// deinit, and leave the image where it is: for what somebody may still point to, and for the end of a sanitized
  /// process, whose reports need the image.
  void Abandon(const PluginGeneration& generation);

  [[nodiscard]] const TrustedOwners& Owners() const noexcept { return m_options.owners; }

 private:
  using Internals = PluginGeneration::Internals;

  [[nodiscard]] Result<std::vector<std::byte>> ReadVerified(const FoundPlugin& plugin, Internals& internals) const;
  [[nodiscard]] Result<void> Inspect(std::span<const std::byte> bytes, const Descriptor& descriptor) const;
  [[nodiscard]] Result<void> Open(Internals& internals) const;
  [[nodiscard]] Result<void> CheckEntry(Internals& internals) const;
  [[nodiscard]] Result<void> Initialise(Internals& internals) const;
  [[nodiscard]] static Result<void> ReadTables(Internals& internals);
  static void Deinitialise(Internals& internals);

  const Options m_options;
  const PrivateCopies m_copies;
  const Logger m_log;
  const IClock& m_clock;
  SpatialService& m_spatial;
  GenerationNumber m_lastNumber = 0;
};

}  // namespace muster::plugins
