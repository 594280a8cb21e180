// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How plugins' spatial queries reach the world's index. The simulation implements IHostSpatial and enters it for the
// time of `think`; outside of that time the service refuses.
//
//   {
//     const SpatialService::Scope scope = host.Spatial().Enter(queries);
//     ... workers call think ...                                    // the service is live
//   }                                                               // and refuses again
//
// So a plugin can keep its service pointer as long as it lives and never reach an index that is gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "Core/Assert.h"
#include "PluginApi/SpatialIndex.h"

namespace muster::plugins {

/// Ordered, cut queries over this tick's positions; the shapes of mu_host_spatial_v0.
class IHostSpatial {
 public:
  virtual ~IHostSpatial() = default;
  /// [worker] Concurrently. Ascending slots at `slots + i * capacity`.
  virtual mu_status QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                             mu_id_query_result* results) = 0;
  /// [worker] Concurrently. Nearest first, ties by slot, at `slots + i * capacity`.
  virtual mu_status QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots,
                                 std::uint32_t capacity, mu_nearest_result* results) = 0;
};

class SpatialService {
 public:
  /// While it lives, plugins' queries go to the implementation. Ends after the last worker has returned from think.
  class [[nodiscard]] Scope {
   public:
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { m_service.m_current.store(nullptr, std::memory_order_release); }

   private:
    friend class SpatialService;
    explicit Scope(SpatialService& service) noexcept : m_service{service} {}
    SpatialService& m_service;
  };

  /// [sim] `implementation` outlives the scope. One scope at a time.
  Scope Enter(IHostSpatial& implementation) {
    MUSTER_ASSERT(m_current.load(std::memory_order_relaxed) == nullptr, "think does not nest");
    m_current.store(&implementation, std::memory_order_release);
    return Scope{*this};
  }

  /// [worker] Null outside of think.
  [[nodiscard]] IHostSpatial* Current() const noexcept { return m_current.load(std::memory_order_acquire); }

 private:
  std::atomic<IHostSpatial*> m_current{nullptr};
};

}  // namespace muster::plugins
