// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The host as one generation sees it: the tables of Host.h and what stands behind their context pointer.
#pragma once

#include <atomic>
#include <cstdint>

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/LogThrottle.h"
#include "PluginApi/Host.h"
#include "PluginHost/HostSpatial.h"
#include "PluginHost/PluginHost.h"

namespace muster::plugins {

/// Lives as long as its generation is initialised; a plugin holds its address.
class GenerationServices {
 public:
  GenerationServices(Logger log, const IClock& clock, SpatialService& spatial, PluginSettings settings,
                     std::uint64_t memoryBudgetBytes);
  GenerationServices(const GenerationServices&) = delete;
  GenerationServices& operator=(const GenerationServices&) = delete;

  [[nodiscard]] const mu_host* Host() const noexcept { return &m_host; }
  [[nodiscard]] std::uint64_t AllocatedBytes() const noexcept { return m_allocated.load(std::memory_order_relaxed); }

  // What the tables call.
  [[nodiscard]] static GenerationServices& From(void* context) noexcept {
    return *static_cast<GenerationServices*>(context);
  }
  void Write(std::uint32_t level, mu_text text);
  [[nodiscard]] void* Allocate(std::uint64_t sizeBytes, std::uint64_t alignment) noexcept;
  void Release(void* block, std::uint64_t sizeBytes, std::uint64_t alignment) noexcept;
  [[nodiscard]] const SettingValue* Setting(const char* key) const;
  [[nodiscard]] std::uint64_t NowNs() const noexcept;
  [[nodiscard]] IHostSpatial* Spatial() const noexcept { return m_spatial.Current(); }

 private:
  const mu_host m_host;
  const Logger m_log;
  const IClock& m_clock;
  SpatialService& m_spatial;
  const PluginSettings m_settings;
  const std::uint64_t m_memoryBudgetBytes;
  std::atomic<std::uint64_t> m_allocated{0};
  LogThrottle m_throttle;
};

}  // namespace muster::plugins
