// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The plugins of the build, as far as they are measured.
#pragma once

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/PluginHost.h"
#include "Recipes.h"

#include <filesystem>
#include <memory>

namespace muster::bench {

/// Every provider of a spatial index and of a codec that the roots hold, and what is built in. [main]
class LoadedPlugins {
 public:
  /// Plugins that do not load are logged and left out. Fails with PluginHost::Create's errors.
  static Result<std::unique_ptr<LoadedPlugins>> Load(const std::filesystem::path& root, const Logger& logger,
                                                     const IClock& clock);

  [[nodiscard]] const Providers& All() const noexcept { return m_providers; }

 private:
  std::unique_ptr<plugins::PluginHost> m_host{};
  Providers m_providers{};
};

}  // namespace muster::bench
