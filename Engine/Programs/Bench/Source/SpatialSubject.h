// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who answers spatial questions: a provider of muster.spatial_index/0, a loop over all points, or a library beside it.
//
// Everybody gets the same batches and writes the same kind of result, so what is compared is the structure and not the
// way it is called.
#pragma once

#include "Cloud.h"
#include "PluginApi/SpatialIndex.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace muster::bench {

/// One list of slots a query, each in its own stretch of `capacity`.
struct SlotLists {
  SlotLists(std::size_t queries, std::uint32_t slotsPerQuery)
      : capacity{slotsPerQuery}, slots(queries * slotsPerQuery), counts(queries) {}

  [[nodiscard]] std::uint32_t* At(std::size_t query) noexcept { return slots.data() + query * capacity; }
  [[nodiscard]] std::span<const std::uint32_t> Of(std::size_t query) const noexcept {
    return {slots.data() + query * capacity, counts[query]};
  }

  std::uint32_t capacity;
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> counts;
};

class ISpatialSubject {
 public:
  virtual ~ISpatialSubject() = default;

  /// For ratios: "grid", "nanoflann".
  [[nodiscard]] virtual std::string Label() const = 0;
  /// For people.
  [[nodiscard]] virtual std::string Subject() const = 0;
  [[nodiscard]] virtual bool HasNearest() const { return true; }

  /// Takes over `cloud`, by the cheapest means the structure has when every point moved. The cloud outlives its use.
  virtual void Rebuild(const Cloud& cloud) = 0;
  /// Slots within the radius, any order. There is room for all.
  virtual void Gather(std::span<const mu_sphere_query> queries, SlotLists& lists) = 0;
  /// The k nearest, in any order among equally far ones.
  virtual void Nearest(std::span<const mu_nearest_query> queries, SlotLists& lists) = 0;
  /// Bit `slot` of `words` words a query; zeroed by the caller.
  virtual void Mark(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) = 0;
};

using SpatialFactory = std::function<std::unique_ptr<ISpatialSubject>()>;

/// Ours, through the table of a plugin. `table` outlives the subject.
std::unique_ptr<ISpatialSubject> MakeProviderSubject(std::string label, std::string subject,
                                                     const mu_spatial_index_v0& table, float cellSizeMeters = 0.0F);

/// A loop over all points: what is right, and what a structure must beat.
std::unique_ptr<ISpatialSubject> MakeBruteForce();

}  // namespace muster::bench
