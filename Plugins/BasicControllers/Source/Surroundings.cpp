// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Surroundings.h"

#include <algorithm>

namespace muster::basic {
namespace {

template <std::uint32_t kMost>
Seen<kMost> Look(const mu_world_view& world, std::uint32_t self, std::span<const std::uint32_t> found) {
  Seen<kMost> seen;
  for (const std::uint32_t slot : found) {
    if (const auto neighbour = ObserveNeighbour(world, self, slot, MU_CLASS_AIRCRAFT)) {
      seen.list[seen.count++] = *neighbour;
    }
  }
  return seen;
}

struct Place {
  float x, y, z;
};

Place PlaceOf(const mu_world_view& world, std::uint32_t slot) {
  return {static_cast<float>(world.position_x[slot]), static_cast<float>(world.position_y[slot]),
          static_cast<float>(world.position_z[slot])};
}

}  // namespace

mu_status NearestAircraft::Ask(const plugin::Host& host, const mu_think_batch& batch, std::uint32_t first,
                               float radiusMeters) {
  m_batch = &batch;
  m_first = first;
  const std::uint32_t count = std::min(kQueryBatch, batch.count - first);
  std::array<mu_nearest_query, kQueryBatch> queries;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = batch.slots[first + i];
    const Place place = PlaceOf(*batch.world, slot);
    queries[i] = {place.x, place.y, place.z, radiusMeters, kNeighbours, slot};
    m_results[i] = {};
  }
  return host.QueryNearest(std::span{queries.data(), count}, m_slots.data(), kNeighbours, m_results.data());
}

Seen<kNeighbours> NearestAircraft::Of(std::uint32_t index) const {
  const std::uint32_t i = index - m_first;
  return Look<kNeighbours>(*m_batch->world, m_batch->slots[index],
                           {m_slots.data() + std::size_t{i} * kNeighbours, m_results[i].count});
}

mu_status AircraftInRange::Ask(const plugin::Host& host, const mu_think_batch& batch, std::uint32_t first,
                               float radiusMeters) {
  m_batch = &batch;
  m_first = first;
  const std::uint32_t count = std::min(kQueryBatch, batch.count - first);
  std::array<mu_sphere_query, kQueryBatch> queries;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Place place = PlaceOf(*batch.world, batch.slots[first + i]);
    queries[i] = {place.x, place.y, place.z, radiusMeters};
    m_results[i] = {};
  }
  return host.QueryIds(std::span{queries.data(), count}, m_slots.data(), kInSight, m_results.data());
}

Seen<kInSight> AircraftInRange::Of(std::uint32_t index) const {
  const std::uint32_t i = index - m_first;
  return Look<kInSight>(*m_batch->world, m_batch->slots[index],
                        {m_slots.data() + std::size_t{i} * kInSight, m_results[i].count});
}

}  // namespace muster::basic
