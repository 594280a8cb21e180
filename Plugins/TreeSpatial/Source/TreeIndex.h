// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The queries of muster.spatial_index/0 over a BlockTree. See PluginApi/SpatialIndex.h for what each must answer.
//
// Threads: Rebuild [sim]; everything else [worker], concurrently, between two rebuilds. Queries allocate nothing, but a
// nearest query for more than kStackNearest neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "BlockTree.h"
#include "Kernels.h"
#include "PluginApi/SpatialIndex.h"
#include "PointOrder.h"
#include "SlotWords.h"

namespace muster::tree {

class TreeIndex {
 public:
  explicit TreeIndex(const Kernels& kernels);

  void Rebuild(const mu_spatial_view& view);
  void QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const;
  void QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                mu_id_query_result* results) const;
  void QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                    mu_nearest_result* results) const;
  void CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const;
  void Stats(mu_spatial_stats& stats) const;

 private:
  void SetBits(const Target& target, std::uint64_t* bits) const;
  mu_id_query_result CollectIds(const Target& target, std::uint32_t* slots, std::uint32_t capacity) const;
  std::uint32_t CollectNearest(const mu_nearest_query& query, std::uint32_t* slots, std::uint32_t wanted) const;

  const Kernels& m_kernels;
  PointOrder m_order;
  BlockTree m_tree;
  SlotWords m_words;
  std::uint32_t m_rebuildsSinceSort = 0;
};

}  // namespace muster::tree
