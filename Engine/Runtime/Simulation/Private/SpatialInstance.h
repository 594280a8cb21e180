// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One instance of one provider of the spatial interface: made with its table, called through a guard, destroyed with
// the same table. Answers are checked for what could hurt whoever uses them: counts and slots in range.
#pragma once

#include "Core/Result.h"
#include "PluginHost/CallGuard.h"
#include "PluginHost/Slot.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

namespace muster::simulation {

class SpatialInstance {
 public:
  using Provider = plugins::Provider<mu_spatial_index_v0>;

  /// Fails with plugins::kCreateFailed.
  static Result<std::unique_ptr<SpatialInstance>> Create(Provider provider, const mu_spatial_params& params);
  ~SpatialInstance();
  SpatialInstance(const SpatialInstance&) = delete;
  SpatialInstance& operator=(const SpatialInstance&) = delete;

  const Provider& Who() const { return m_provider; }
  /// Destroys the instance and hands its provider on. Nothing else may be called afterwards.
  Provider Release();

  /// [any]
  bool HasFailed() const { return m_guard.IsTripped(); }
  Error FirstFailure() const;

  // Each is false when the provider failed, in this call or before; what was written is then nobody's.
  /// [sim]
  bool Rebuild(const mu_spatial_view& view);
  /// [worker]
  bool QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const;
  bool QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                mu_id_query_result* results) const;
  bool QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                    mu_nearest_result* results) const;
  bool CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const;
  /// [sim]
  mu_spatial_stats Stats() const;

 private:
  SpatialInstance(Provider provider, mu_spatial_index* index);

  template <class Call>
  bool Guarded(const char* function, Call&& call) const;
  /// The status of an answer that was checked.
  mu_status Judged(bool isSound) const;
  void Destroy();

  Provider m_provider;
  mu_spatial_index* m_index;
  std::uint32_t m_slotCapacity = 0;
  mutable plugins::CallGuard m_guard;
  mutable std::atomic<bool> m_isUnsound{false};
};

}  // namespace muster::simulation
