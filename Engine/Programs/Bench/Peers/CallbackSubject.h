// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Marking bits for a structure that hands out slots one by one.
#pragma once

#include "SpatialSubject.h"

#include <cstdint>

namespace muster::bench {

/// A structure with `template <class Take> void ForEachWithin(const mu_sphere_query&, Take&&)`, as a subject.
template <class Derived>
class CallbackSubject : public ISpatialSubject {
 public:
  void Gather(std::span<const mu_sphere_query> queries, SlotLists& lists) override {
    for (std::size_t query = 0; query < queries.size(); ++query) {
      std::uint32_t* const first = lists.At(query);
      std::uint32_t* next = first;
      Self().ForEachWithin(queries[query], [&](std::uint32_t slot) { *next++ = slot; });
      lists.counts[query] = static_cast<std::uint32_t>(next - first);
    }
  }
  void Mark(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) override {
    for (const mu_sphere_query& query : queries) {
      Self().ForEachWithin(query, [&](std::uint32_t slot) { bits[slot / 64] |= std::uint64_t{1} << (slot % 64); });
      bits += words;
    }
  }

 private:
  Derived& Self() noexcept { return static_cast<Derived&>(*this); }
};

/// The exact test, for structures that find boxes.
inline bool IsWithin(const Cloud& cloud, std::uint32_t slot, const mu_sphere_query& query) {
  return mu_spatial_is_within(cloud.x[slot], cloud.y[slot], cloud.z[slot], query.x, query.y, query.z, query.radius) !=
         0;
}

}  // namespace muster::bench
