// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PlainEntities.h"
#include "Recipes.h"
#include "World/EntityStore.h"

#include "Core/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <unordered_set>
#include <utility>

namespace muster::bench {
namespace {

using world::ColumnId;
using world::ColumnRegistry;
using world::EntityHandle;
using world::EntityStore;

constexpr std::uint32_t kCapacity = 20'000;
constexpr std::uint32_t kChurnLive = 10'000;
constexpr std::uint32_t kChurnsPerPass = 2'000;

std::vector<std::uint32_t> ShuffledIndices(std::uint32_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  Random random{seed};
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(random.NextBelow(left))]);
  }
  return order;
}

Case CaseOf(std::string label, std::string subject, std::string unit, double units, std::function<void()> pass) {
  Case made;
  made.label = std::move(label);
  made.subject = std::move(subject);
  made.unit = std::move(unit);
  made.unitsPerPass = units;
  made.pass = std::move(pass);
  return made;
}

// A store lives in a library, so its users call it; a pool in a header grows into their loops. Both are compared with.
[[gnu::noinline]] std::uint64_t CreateByCall(FreeListPool& pool) {
  return pool.Create();
}
[[gnu::noinline]] bool DestroyByCall(FreeListPool& pool, std::uint64_t handle) {
  return pool.Destroy(handle);
}

/// Entities alone: the store without a column, and the pool.
struct Pools {
  explicit Pools(std::uint32_t count)
      : store{ColumnRegistry{}, {std::max(2 * count, 64U)}},
        pool{2 * std::size_t{count}},
        handles(count),
        plain(count),
        order(ShuffledIndices(count, count)) {}

  EntityStore store;
  FreeListPool pool;
  std::vector<EntityHandle> handles;
  std::vector<std::uint64_t> plain;
  std::vector<std::uint32_t> order;

  void CreateAll() {
    for (EntityHandle& handle : handles) {
      handle = store.Create();
    }
  }
  void DestroyAll() {
    for (const std::uint32_t index : order) {
      store.Destroy(handles[index]);
    }
  }
};

/// Handles are all different while they live, and all dead once destroyed.
std::string CheckPools(Pools& pools) {
  const auto isDistinct = [](const auto& handles) {
    return std::unordered_set<std::uint64_t>(handles.begin(), handles.end()).size() == handles.size();
  };
  pools.CreateAll();
  std::vector<std::uint64_t> values;
  for (const EntityHandle handle : pools.handles) {
    values.push_back(handle.IsNull() ? 0 : handle.Value() & 0xFFFF'FFFFU);
  }
  for (std::uint64_t& handle : pools.plain) {
    handle = pools.pool.Create();
  }
  bool isRight = isDistinct(values) && isDistinct(pools.plain) && pools.store.LiveCount() == pools.handles.size();
  pools.DestroyAll();
  for (const std::uint32_t index : pools.order) {
    isRight &= pools.pool.Destroy(pools.plain[index]) && !pools.pool.Destroy(pools.plain[index]) &&
               !pools.store.IsAlive(pools.handles[index]) && !pools.store.Destroy(pools.handles[index]);
  }
  return isRight && pools.store.LiveCount() == 0 ? std::string{} : "handles are not what was created and destroyed";
}

Group PairsGroup(const std::string& name, std::uint32_t count) {
  Group group;
  group.name = name;
  const auto pools = std::make_shared<Pools>(count);
  // A pass of one pair would time the call of the pass.
  const std::uint32_t repeats = std::max(1U, 256U / count);
  const double pairs = static_cast<double>(count) * repeats;
  const auto repeat = [repeats](auto body) {
    return [repeats, body] {
      for (std::uint32_t turn = 0; turn < repeats; ++turn) {
        body();
      }
    };
  };
  group.cases.push_back(CaseOf("store", "EntityStore Create, Destroy", "pair", pairs, repeat([pools] {
                                 pools->CreateAll();
                                 pools->DestroyAll();
                               })));
  group.cases.push_back(CaseOf("store_many", "EntityStore CreateMany, DestroyMany", "pair", pairs, repeat([pools] {
                                 pools->store.CreateMany(pools->handles);
                                 pools->store.DestroyMany(pools->handles);
                               })));
  group.cases.push_back(CaseOf("freelist", "free list and generations", "pair", pairs, repeat([pools] {
                                 for (std::uint64_t& handle : pools->plain) {
                                   handle = pools->pool.Create();
                                 }
                                 for (const std::uint32_t index : pools->order) {
                                   pools->pool.Destroy(pools->plain[index]);
                                 }
                               })));
  group.cases.push_back(
      CaseOf("freelist_called", "the same behind calls, as in a library", "pair", pairs, repeat([pools] {
               for (std::uint64_t& handle : pools->plain) {
                 handle = CreateByCall(pools->pool);
               }
               for (const std::uint32_t index : pools->order) {
                 DestroyByCall(pools->pool, pools->plain[index]);
               }
             })));
  group.ratios = {{"store", "freelist"},
                  {"store", "freelist_called"},
                  {"store_many", "freelist"},
                  {"store_many", "freelist_called"},
                  {"store_many", "store"}};
  group.check = [pools] { return CheckPools(*pools); };
  return group;
}

Group FreeGroup(const std::string& name) {
  Group group;
  group.name = name;
  const auto pools = std::make_shared<Pools>(kCapacity);
  const auto words = std::make_shared<std::vector<std::uint64_t>>(kCapacity / 64, ~std::uint64_t{0});
  const double inWords = static_cast<double>(words->size() * 64);
  const auto refill = [pools] {
    pools->store.DestroySlots(pools->store.LiveBits());
    pools->store.CreateMany(pools->handles);
  };
  group.cases.push_back(CaseOf("single", "EntityStore Destroy, in slot order", "entity", kCapacity, [pools] {
    for (const EntityHandle handle : pools->handles) {
      pools->store.Destroy(handle);
    }
  }));
  group.cases.push_back(CaseOf("many", "EntityStore DestroyMany", "entity", kCapacity,
                               [pools] { pools->store.DestroyMany(pools->handles); }));
  group.cases.push_back(CaseOf("words", "EntityStore DestroySlots, full words", "entity", inWords,
                               [pools, words] { pools->store.DestroySlots(*words); }));
  for (Case& made : group.cases) {
    made.prepare = refill;
  }
  group.ratios = {{"many", "single"}, {"words", "single"}};
  group.check = [pools, words, refill] {
    refill();
    const std::size_t died = pools->store.DestroySlots(*words);
    const bool isRight = died == words->size() * 64 && pools->store.LiveCount() == kCapacity - died;
    refill();
    return isRight && pools->store.DestroyMany(pools->handles) == kCapacity ? std::string{} : "not everybody died";
  };
  return group;
}

Group ChurnGroup(const std::string& name) {
  Group group;
  group.name = name;
  const auto pools = std::make_shared<Pools>(kChurnLive);  // twice as many slots
  const auto victims = std::make_shared<std::vector<std::uint32_t>>();
  Random random{5};
  for (std::uint32_t turn = 0; turn < kChurnsPerPass; ++turn) {
    victims->push_back(static_cast<std::uint32_t>(random.NextBelow(kChurnLive)));
  }
  group.cases.push_back(CaseOf("store", "EntityStore", "replacement", kChurnsPerPass, [pools, victims] {
    for (const std::uint32_t victim : *victims) {
      pools->store.Destroy(pools->handles[victim]);
      pools->handles[victim] = pools->store.Create();
    }
  }));
  group.cases.push_back(
      CaseOf("freelist", "free list and generations", "replacement", kChurnsPerPass, [pools, victims] {
        for (const std::uint32_t victim : *victims) {
          pools->pool.Destroy(pools->plain[victim]);
          pools->plain[victim] = pools->pool.Create();
        }
      }));
  group.ratios = {{"store", "freelist"}};
  group.check = [pools] {
    const std::string wrong = CheckPools(*pools);
    // Half of all slots, scattered: fill everything, then let every other one die at random.
    std::vector<EntityHandle> all(2 * std::size_t{kChurnLive});
    pools->store.CreateMany(all);
    const std::vector<std::uint32_t> order = ShuffledIndices(2 * kChurnLive, 6);
    for (std::uint32_t index = 0; index < 2 * kChurnLive; ++index) {
      if (index < kChurnLive) {
        pools->handles[index] = all[order[index]];
      } else {
        pools->store.Destroy(all[order[index]]);
      }
    }
    for (std::uint64_t& handle : pools->plain) {
      handle = pools->pool.Create();
    }
    return pools->store.LiveCount() == kChurnLive ? wrong : "half of the slots should live";
  };
  return group;
}

Group ValidGroup(const std::string& name) {
  Group group;
  group.name = name;
  const auto pools = std::make_shared<Pools>(kCapacity);
  pools->CreateAll();
  for (std::uint64_t& handle : pools->plain) {
    handle = pools->pool.Create();
  }
  std::shuffle(pools->handles.begin(), pools->handles.end(), std::minstd_rand{3});
  std::shuffle(pools->plain.begin(), pools->plain.end(), std::minstd_rand{3});
  for (std::uint32_t index = 0; index < kCapacity / 2; ++index) {
    pools->store.Destroy(pools->handles[pools->order[index]]);
    pools->pool.Destroy(pools->plain[pools->order[index]]);
  }
  const auto countStore = [pools] {
    return std::count_if(pools->handles.begin(), pools->handles.end(),
                         [&](EntityHandle handle) { return pools->store.IsAlive(handle); });
  };
  const auto countPlain = [pools] {
    return std::count_if(pools->plain.begin(), pools->plain.end(),
                         [&](std::uint64_t handle) { return pools->pool.IsAlive(handle); });
  };
  group.cases.push_back(
      CaseOf("store", "EntityStore IsAlive", "handle", kCapacity, [countStore] { Keep(countStore()); }));
  group.cases.push_back(
      CaseOf("freelist", "free list and generations", "handle", kCapacity, [countPlain] { Keep(countPlain()); }));
  group.ratios = {{"store", "freelist"}};
  group.check = [countStore, countPlain] {
    return countStore() == kCapacity / 2 && countPlain() == kCapacity / 2 ? std::string{} : "half should be stale";
  };
  return group;
}

/// A store with six columns, and the registry.
struct Spawning {
  explicit Spawning(std::uint32_t count)
      : columns{registry.Add<float>({"positionX"}), registry.Add<float>({"positionY"}),
                registry.Add<float>({"positionZ"}), registry.Add<float>({"velocityX"}),
                registry.Add<float>({"velocityY"}), registry.Add<float>({"velocityZ"})},
        store{registry, {std::max(2 * count, 64U)}},
        plain{2 * std::size_t{count}},
        handles(count),
        plainHandles(count),
        order(ShuffledIndices(count, count)) {}

  /// Columns stay where they are for the store's life, so who spawns many looks them up once.
  [[nodiscard]] std::array<float*, 6> Data() {
    std::array<float*, 6> data{};
    for (std::size_t column = 0; column < 6; ++column) {
      data[column] = store.Column(columns[column]).data();
    }
    return data;
  }
  static void Write(const std::array<float*, 6>& data, std::uint32_t slot) {
    for (std::size_t column = 0; column < 6; ++column) {
      data[column][slot] = static_cast<float>(column);
    }
  }

  ColumnRegistry registry{};
  ColumnId<float> columns[6];
  EntityStore store;
  SparseSetRegistry plain;
  std::vector<EntityHandle> handles;
  std::vector<std::uint64_t> plainHandles;
  std::vector<std::uint32_t> order;
};

Group SpawnGroup(const std::string& name, std::uint32_t count) {
  Group group;
  group.name = name;
  const auto all = std::make_shared<Spawning>(count);
  const std::uint32_t repeats = std::max(1U, 256U / count);
  const double units = static_cast<double>(count) * repeats;
  const auto single = [all, repeats] {
    const std::array<float*, 6> data = all->Data();
    for (std::uint32_t turn = 0; turn < repeats; ++turn) {
      for (EntityHandle& handle : all->handles) {
        handle = all->store.Create();
        Spawning::Write(data, handle.Slot());
      }
      for (const std::uint32_t index : all->order) {
        all->store.Destroy(all->handles[index]);
      }
    }
  };
  const auto many = [all, repeats] {
    const std::array<float*, 6> data = all->Data();
    for (std::uint32_t turn = 0; turn < repeats; ++turn) {
      all->store.CreateMany(all->handles);
      for (const EntityHandle handle : all->handles) {
        Spawning::Write(data, handle.Slot());
      }
      all->store.DestroyMany(all->handles);
    }
  };
  const auto plain = [all, repeats] {
    for (std::uint32_t turn = 0; turn < repeats; ++turn) {
      for (std::uint64_t& handle : all->plainHandles) {
        handle = all->plain.Spawn({0.0F, 1.0F, 2.0F}, {3.0F, 4.0F, 5.0F});
      }
      for (const std::uint32_t index : all->order) {
        all->plain.Despawn(all->plainHandles[index]);
      }
    }
  };
  group.cases.push_back(CaseOf("store", "EntityStore Create, Destroy", "entity", units, single));
  group.cases.push_back(CaseOf("store_many", "EntityStore CreateMany, DestroyMany", "entity", units, many));
  group.cases.push_back(CaseOf("sparse_set", "sparse-set registry", "entity", units, plain));
  group.ratios = {{"store", "sparse_set"}, {"store_many", "sparse_set"}};
  group.check = [all] {
    const EntityHandle handle = all->store.Create();
    const bool isZero = all->store.Column(all->columns[5])[handle.Slot()] == 0.0F;
    Spawning::Write(all->Data(), handle.Slot());
    const bool isWritten = all->store.Column(all->columns[5])[handle.Slot()] == 5.0F;
    return isZero && isWritten && all->store.Destroy(handle) ? std::string{} : "columns do not hold what was written";
  };
  return group;
}

}  // namespace

std::vector<GroupRecipe> EntityRecipes() {
  std::vector<GroupRecipe> recipes;
  for (const std::uint32_t count : {1U, 100U, 1'000U, 10'000U, 100'000U}) {
    const std::string name = fmt::format("entity/pairs/{}", count);
    recipes.push_back({name, "create so many, then destroy them in random order", count == 1'000,
                       [=] { return PairsGroup(name, count); }});
  }
  recipes.push_back({"entity/free/20000", "destroy everybody: singly, by list, by whole words", true,
                     [] { return FreeGroup("entity/free/20000"); }});
  recipes.push_back({"entity/churn/20000", "replace one of 10,000 that are scattered over 20,000 slots", true,
                     [] { return ChurnGroup("entity/churn/20000"); }});
  recipes.push_back({"entity/valid/20000", "is this handle alive; half are stale", true,
                     [] { return ValidGroup("entity/valid/20000"); }});
  for (const std::uint32_t count : {1U, 1'000U, 100'000U}) {
    const std::string name = fmt::format("entity/spawn/{}", count);
    recipes.push_back({name, "create with position and velocity, then destroy in random order", count == 1'000,
                       [=] { return SpawnGroup(name, count); }});
  }
  return recipes;
}

}  // namespace muster::bench
