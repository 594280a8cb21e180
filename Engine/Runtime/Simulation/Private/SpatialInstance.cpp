// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialInstance.h"

#include "PluginHost/Errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace muster::simulation {

namespace {

Error CreateFailed(const plugins::Provider<mu_spatial_index_v0>& provider, std::string cause) {
  return {plugins::kCreateFailed, fmt::format("The spatial index of {} could not be created.", provider.name),
          std::move(cause), "Look into the plugin's log lines; another provider can be swapped in meanwhile."};
}

}  // namespace

SpatialInstance::SpatialInstance(Provider provider, mu_spatial_index* index)
    : m_provider{std::move(provider)},
      m_index{index},
      m_guard{fmt::format("{} {}", m_provider.name, m_provider.VersionText())} {}

SpatialInstance::~SpatialInstance() {
  Destroy();
}

Result<std::unique_ptr<SpatialInstance>> SpatialInstance::Create(Provider provider, const mu_spatial_params& params) {
  mu_spatial_index* index = nullptr;
  plugins::ClearLastSentence();
  mu_status status = MU_E_EXCEPTION;
  try {
    status = provider.table->create(&params, &index);
  } catch (...) {
    return CreateFailed(provider, "An exception came out of its create function.");
  }
  if (status != MU_OK) {
    return CreateFailed(provider, fmt::format("{}: {}", plugins::StatusName(status), plugins::LastSentence()));
  }
  if (index == nullptr) {
    return CreateFailed(provider, "Its create function reported success and gave nothing.");
  }
  return std::unique_ptr<SpatialInstance>{new SpatialInstance{std::move(provider), index}};
}

SpatialInstance::Provider SpatialInstance::Release() {
  Destroy();
  return std::move(m_provider);
}

void SpatialInstance::Destroy() {
  if (mu_spatial_index* const index = std::exchange(m_index, nullptr)) {
    m_provider.table->destroy(index);
  }
}

Error SpatialInstance::FirstFailure() const {
  Error error = m_guard.FirstFailure();
  if (m_isUnsound.load(std::memory_order_acquire)) {
    error.cause = "It answered with a count or a slot that cannot be.";
  }
  return error;
}

mu_status SpatialInstance::Judged(bool isSound) const {
  if (!isSound) {
    m_isUnsound.store(true, std::memory_order_release);
  }
  return isSound ? MU_OK : MU_E_FAILED;
}

// A table written in C++ by hand can let an exception out; it is the same failure as a status. No status of this
// interface is an answer, so those that are elsewhere count as failures too.
template <class Call>
bool SpatialInstance::Guarded(const char* function, Call&& call) const {
  if (HasFailed()) {
    return false;
  }
  return m_guard.Call(function, [&]() -> mu_status {
    try {
      const mu_status status = call();
      return status == MU_OK || plugins::IsProviderFailure(status) ? status : MU_E_FAILED;
    } catch (...) {
      return MU_E_EXCEPTION;
    }
  }) == MU_OK;
}

bool SpatialInstance::Rebuild(const mu_spatial_view& view) {
  m_slotCapacity = view.slot_capacity;
  return Guarded("rebuild", [&] { return m_provider.table->rebuild(m_index, &view); });
}

bool SpatialInstance::QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits,
                                std::uint32_t words) const {
  return Guarded("query_bits", [&] {
    return m_provider.table->query_bits(m_index, queries.data(), static_cast<std::uint32_t>(queries.size()), bits,
                                        words);
  });
}

bool SpatialInstance::QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                               mu_id_query_result* results) const {
  return Guarded("query_ids", [&]() -> mu_status {
    const mu_status status = m_provider.table->query_ids(
        m_index, queries.data(), static_cast<std::uint32_t>(queries.size()), slots, capacity, results);
    if (status != MU_OK) {
      return status;
    }
    for (std::size_t query = 0; query < queries.size(); ++query) {
      const std::uint32_t* const first = slots + query * capacity;
      if (results[query].count > capacity ||
          std::any_of(first, first + results[query].count,
                      [this](std::uint32_t slot) { return slot >= m_slotCapacity; })) {
        return Judged(false);
      }
    }
    return MU_OK;
  });
}

bool SpatialInstance::QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots,
                                   std::uint32_t capacity, mu_nearest_result* results) const {
  return Guarded("query_nearest", [&]() -> mu_status {
    const mu_status status = m_provider.table->query_nearest(
        m_index, queries.data(), static_cast<std::uint32_t>(queries.size()), slots, capacity, results);
    if (status != MU_OK) {
      return status;
    }
    for (std::size_t query = 0; query < queries.size(); ++query) {
      const std::uint32_t* const first = slots + query * capacity;
      if (results[query].count > std::min(queries[query].k, capacity) ||
          std::any_of(first, first + results[query].count,
                      [this](std::uint32_t slot) { return slot >= m_slotCapacity; })) {
        return Judged(false);
      }
    }
    return MU_OK;
  });
}

bool SpatialInstance::CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
  return Guarded("candidate_pairs", [&]() -> mu_status {
    const mu_status status = m_provider.table->candidate_pairs(m_index, pairs.data(), pairs.size(), &count);
    if (status != MU_OK) {
      return status;
    }
    const std::size_t written = static_cast<std::size_t>(std::min<std::uint64_t>(count, pairs.size()));
    const bool isSound =
        std::all_of(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(written),
                    [this](const mu_slot_pair& pair) { return pair.a < pair.b && pair.b < m_slotCapacity; });
    return Judged(isSound);
  });
}

mu_spatial_stats SpatialInstance::Stats() const {
  mu_spatial_stats stats{};
  stats.struct_size = sizeof(stats);
  m_guard.CallVoid("stats", [&] { m_provider.table->stats(m_index, &stats); });
  return stats;
}

}  // namespace muster::simulation
