// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What muster-bench can measure: one function a subject matter, each gives recipes of groups.
#pragma once

#include "BenchKit/Case.h"
#include "PluginApi/SnapshotCodec.h"
#include "PluginApi/SpatialIndex.h"
#include "SpatialSubject.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace muster::bench {

/// A table with its names. The library it lies in stays loaded as long as any recipe.
template <class Table>
struct NamedTable {
  std::string label{};    ///< "grid"
  std::string subject{};  ///< "muster.spatial.grid"
  const Table* table = nullptr;
};

struct Providers {
  std::vector<NamedTable<mu_spatial_index_v0>> spatialIndexes{};
  std::vector<NamedTable<mu_snapshot_codec_v0>> codecs{};
};

/// Calls `body(context, begin, end)` for consecutive chunks of `grain` of [0, count), on two threads.
using ChunkBody = void (*)(void* context, std::size_t begin, std::size_t end);

class IParallelLoop {
 public:
  virtual ~IParallelLoop() = default;
  [[nodiscard]] virtual std::string Label() const = 0;
  [[nodiscard]] virtual std::string Subject() const = 0;
  /// Outside of the time taken: helpers are awake afterwards, where there are any.
  virtual void WarmUp() = 0;
  virtual void Run(std::size_t count, std::size_t grain, ChunkBody body, void* context) = 0;
  /// No loop follows for a while.
  virtual void Rest() {}
};

using LoopFactory = std::function<std::unique_ptr<IParallelLoop>()>;

/// What is measured against beside the references that are written here. Empty where the libraries are absent.
struct Peers {
  std::vector<SpatialFactory> spatial{};
  std::vector<LoopFactory> loops{};
};

std::vector<GroupRecipe> EntityRecipes();
std::vector<GroupRecipe> IterateRecipes();
std::vector<GroupRecipe> SpatialRecipes(const Providers& providers, const Peers& peers);
/// What a distribution or a wished cell size costs beside the uniform world.
std::vector<GroupRecipe> SpatialEvennessRecipes(const Providers& providers);
std::vector<GroupRecipe> LoopRecipes(const Peers& peers);
std::vector<GroupRecipe> CodecRecipes(const Providers& providers);
std::vector<GroupRecipe> PacketRecipes();
std::vector<GroupRecipe> JitterRecipes();

/// All of the above, in this order.
std::vector<GroupRecipe> AllRecipes(const Providers& providers, const Peers& peers);

}  // namespace muster::bench
