// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PlainEntities.h"
#include "Recipes.h"
#include "World/EntityStore.h"
#include "World/LiveRuns.h"

#include "Core/Bytes.h"
#include "Core/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <numeric>
#include <utility>

namespace muster::bench {
namespace {

using world::ColumnId;
using world::ColumnRegistry;
using world::EntityHandle;
using world::EntityStore;

constexpr float kStepSeconds = 1.0F / 60.0F;

/// Arrays of floats in one block, each begun an odd number of cache lines behind a page: the best layout for a loop over
/// several arrays at once, so that a reference is not slow for its addresses.
class FloatArrays {
 public:
  FloatArrays(std::size_t arrays, std::size_t length) {
    constexpr std::size_t pageFloats = 4096 / sizeof(float);
    constexpr std::size_t lineFloats = kCacheLineBytes / sizeof(float);
    const std::size_t stride = (length / pageFloats + 2) * pageFloats;
    m_block.resize(arrays * stride + pageFloats, 0.0F);
    for (std::size_t array = 0; array < arrays; ++array) {
      auto address = reinterpret_cast<std::uintptr_t>(m_block.data() + array * stride);
      address = (address + 4095) / 4096 * 4096;
      m_arrays.push_back(reinterpret_cast<float*>(address) + (2 * array + 1) * lineFloats);
    }
  }
  FloatArrays(const FloatArrays&) = delete;
  FloatArrays& operator=(const FloatArrays&) = delete;

  float* operator[](std::size_t array) const { return m_arrays[array]; }

 private:
  std::vector<float> m_block{};
  std::vector<float*> m_arrays{};
};

/// The loop everybody runs over a stretch of six arrays. Inlined, so that each caller's compiler sees its own bounds.
inline void Integrate(float* __restrict px, float* __restrict py, float* __restrict pz, const float* __restrict vx,
                      const float* __restrict vy, const float* __restrict vz, std::size_t count) {
  for (std::size_t index = 0; index < count; ++index) {
    px[index] += vx[index] * kStepSeconds;
    py[index] += vy[index] * kStepSeconds;
    pz[index] += vz[index] * kStepSeconds;
  }
}

void Triad(float* __restrict a, const float* __restrict b, const float* __restrict c, std::size_t count) {
  for (std::size_t index = 0; index < count; ++index) {
    a[index] = b[index] + c[index] * kStepSeconds;
  }
}

/// The same entities three times: in the store, densely in arrays, in the registry.
struct Moving {
  Moving(std::uint32_t live, std::uint32_t capacity)
      : columns{registry.Add<float>({"positionX"}), registry.Add<float>({"positionY"}),
                registry.Add<float>({"positionZ"}), registry.Add<float>({"velocityX"}),
                registry.Add<float>({"velocityY"}), registry.Add<float>({"velocityZ"})},
        store{registry, {capacity}},
        sparse{capacity},
        dense{6, live},
        triad{3, 3 * std::size_t{live}},
        liveCount{live} {
    std::vector<EntityHandle> everybody(capacity);
    store.CreateMany(everybody);
    Random random{capacity};
    // Whom the reaper leaves is chance, so the living are scattered over the whole capacity.
    for (std::uint32_t left = capacity; left > live; --left) {
      const auto victim = static_cast<std::size_t>(random.NextBelow(left));
      store.Destroy(everybody[victim]);
      everybody[victim] = everybody[left - 1];
    }
    std::size_t place = 0;
    for (const std::uint32_t slot : store.LiveSlots()) {
      std::array<float, 6> values{};
      for (std::size_t column = 0; column < 6; ++column) {
        values[column] = random.NextBetween(-100.0F, 100.0F);
        store.Column(columns[column])[slot] = values[column];
        dense[column][place] = values[column];
      }
      handles.push_back(sparse.Spawn({values[0], values[1], values[2]}, {values[3], values[4], values[5]}));
      ++place;
    }
  }

  void StepStore() {
    std::array<float*, 6> data{};
    for (std::size_t column = 0; column < 6; ++column) {
      data[column] = store.Column(columns[column]).data();
    }
    world::ForEachDenseRun(
        store.LiveBits(),
        [&](std::uint32_t first, std::uint32_t count) {
          Integrate(data[0] + first, data[1] + first, data[2] + first, data[3] + first, data[4] + first,
                    data[5] + first, count);
        },
        [&](std::uint32_t slot) {
          data[0][slot] += data[3][slot] * kStepSeconds;
          data[1][slot] += data[4][slot] * kStepSeconds;
          data[2][slot] += data[5][slot] * kStepSeconds;
        });
  }
  void StepDense() { Integrate(dense[0], dense[1], dense[2], dense[3], dense[4], dense[5], liveCount); }
  void StepSparse() {
    sparse.ForEach([](Vector3& position, const Vector3& velocity) {
      position.x += velocity.x * kStepSeconds;
      position.y += velocity.y * kStepSeconds;
      position.z += velocity.z * kStepSeconds;
    });
  }
  void StepTriad() { Triad(triad[0], triad[1], triad[2], 3 * liveCount); }

  std::string Check() {
    StepStore();
    StepDense();
    StepSparse();
    std::size_t place = 0;
    for (const std::uint32_t slot : store.LiveSlots()) {
      const Vector3& other = sparse.PositionOf(handles[place]);
      if (store.Column(columns[0])[slot] != dense[0][place] || store.Column(columns[2])[slot] != dense[2][place] ||
          other.x != dense[0][place] || other.z != dense[2][place]) {
        return fmt::format("entity {} is not where the plain loop puts it", place);
      }
      ++place;
    }
    return place == liveCount ? std::string{} : "not everybody was moved";
  }

  ColumnRegistry registry{};
  ColumnId<float> columns[6];
  EntityStore store;
  SparseSetRegistry sparse;
  FloatArrays dense;
  FloatArrays triad;
  std::size_t liveCount;
  std::vector<std::uint64_t> handles{};
};

Group IterateGroup(const std::string& name, std::uint32_t live, std::uint32_t capacity) {
  Group group;
  group.name = name;
  const auto all = std::make_shared<Moving>(live, capacity);
  const auto add = [&](std::string label, std::string subject, Mode mode, std::function<void()> pass) {
    Case made;
    made.label = std::move(label);
    made.subject = std::move(subject);
    made.mode = mode;
    made.unit = "entity";
    made.unitsPerPass = live;
    made.pass = std::move(pass);
    group.cases.push_back(std::move(made));
  };
  for (const Mode mode : {Mode::Tick, Mode::Hot}) {
    add("store", "EntityStore columns, dense runs", mode, [all] { all->StepStore(); });
    add("arrays", "plain arrays of the living", mode, [all] { all->StepDense(); });
    add("triad", "plain a = b + s c, as many bytes", mode, [all] { all->StepTriad(); });
    add("sparse_set", "sparse-set registry", mode, [all] { all->StepSparse(); });
    for (const char* other : {"arrays", "triad", "sparse_set"}) {
      group.ratios.push_back({"store", other, mode});
    }
  }
  group.check = [all] { return all->Check(); };
  return group;
}

}  // namespace

std::vector<GroupRecipe> IterateRecipes() {
  struct Size {
    const char* name;
    std::uint32_t live;
    std::uint32_t capacity;
    bool isQuick;
  };
  std::vector<GroupRecipe> recipes;
  for (const Size& size :
       {Size{"entity/iterate/2000of20000", 2'000, 20'000, true}, Size{"entity/iterate/20000", 20'000, 20'000, false},
        Size{"entity/iterate/1000000", 1'000'000, 1'000'000, false}}) {
    recipes.push_back({size.name, "position += velocity * dt for everybody", size.isQuick,
                       [size] { return IterateGroup(size.name, size.live, size.capacity); }});
  }
  return recipes;
}

}  // namespace muster::bench
