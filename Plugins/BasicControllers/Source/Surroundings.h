// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What agents know of each other: the host's spatial queries for a part of a batch at a time, so that asking costs one
// call for many agents and a batch of any length a bounded piece of the stack.
//
//   for (std::uint32_t first = 0; first < batch.count; first += kQueryBatch) {
//     NearestAircraft nearest;
//     if (const mu_status status = nearest.Ask(host, batch, first, radius); status != MU_OK) { return ...; }
//     ... nearest.Of(i) for agents first to first + kQueryBatch of the batch
#pragma once

#include "Neighbour.h"

#include "PluginApi/PluginHostAccess.h"

#include <array>
#include <cstdint>
#include <span>

namespace muster::basic {

/// Agents asked for at once.
inline constexpr std::uint32_t kQueryBatch = 64;
/// The nearest that steering looks at.
inline constexpr std::uint32_t kNeighbours = 4;
/// As many in a wide circle as a patrol tells apart.
inline constexpr std::uint32_t kInSight = 32;

/// Everybody that an agent was told about, in the order of the host's answer.
template <std::uint32_t kMost>
struct Seen {
  std::array<Neighbour, kMost> list;
  std::uint32_t count = 0;

  [[nodiscard]] std::span<const Neighbour> All() const { return {list.data(), count}; }
};

/// The aircraft nearest to each agent, nearest first.
class NearestAircraft {
 public:
  /// For the agents from `first` on, kQueryBatch of them or what the batch has left.
  mu_status Ask(const plugin::Host& host, const mu_think_batch& batch, std::uint32_t first, float radiusMeters);
  /// `index` is of the batch.
  [[nodiscard]] Seen<kNeighbours> Of(std::uint32_t index) const;

 private:
  const mu_think_batch* m_batch = nullptr;
  std::uint32_t m_first = 0;
  std::array<mu_nearest_result, kQueryBatch> m_results;
  std::array<std::uint32_t, std::size_t{kQueryBatch} * kNeighbours> m_slots;
};

/// The aircraft within a radius of each agent, by slot; in a crowd those of the lowest slots.
class AircraftInRange {
 public:
  mu_status Ask(const plugin::Host& host, const mu_think_batch& batch, std::uint32_t first, float radiusMeters);
  [[nodiscard]] Seen<kInSight> Of(std::uint32_t index) const;

 private:
  const mu_think_batch* m_batch = nullptr;
  std::uint32_t m_first = 0;
  std::array<mu_id_query_result, kQueryBatch> m_results;
  std::array<std::uint32_t, std::size_t{kQueryBatch} * kInSight> m_slots;
};

}  // namespace muster::basic
