// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recipes.h"

#include <iterator>
#include <utility>

namespace muster::bench {

std::vector<GroupRecipe> AllRecipes(const Providers& providers, const Peers& peers) {
  std::vector<GroupRecipe> all;
  const auto add = [&](std::vector<GroupRecipe> recipes) {
    all.insert(all.end(), std::make_move_iterator(recipes.begin()), std::make_move_iterator(recipes.end()));
  };
  add(EntityRecipes());
  add(IterateRecipes());
  add(SpatialRecipes(providers, peers));
  add(SpatialEvennessRecipes(providers));
  add(LoopRecipes(peers));
  add(CodecRecipes(providers));
  add(PacketRecipes());
  add(JitterRecipes());
  return all;
}

}  // namespace muster::bench
