// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "World/EntityStore.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace muster::world {
namespace {

struct Fixture {
  explicit Fixture(std::uint32_t capacity)
      : health{registry.Add<float>({.name = "health"})},
        mark{registry.Add<std::uint64_t>({.name = "mark"})},
        scratch{registry.Add<std::uint16_t>({.name = "scratch", .isState = false})},
        store{registry, {.capacity = capacity}} {}

  std::uint64_t Digest() const {
    Digest64 digest;
    store.UpdateDigest(digest);
    return digest.Value();
  }

  ColumnRegistry registry;
  ColumnId<float> health;
  ColumnId<std::uint64_t> mark;
  ColumnId<std::uint16_t> scratch;
  EntityStore store;
};

template <class T>
void Shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t index = items.size(); index > 1; --index) {
    std::swap(items[index - 1], items[random.NextBelow(index)]);
  }
}

std::vector<std::uint32_t> SlotsOf(const EntityStore& store) {
  const std::span<const std::uint32_t> slots = store.LiveSlots();
  return {slots.begin(), slots.end()};
}

TEST(EntityStore, GivesTheLowestFreeSlotFirst) {
  Fixture world{200};
  std::vector<EntityHandle> handles(150);
  ASSERT_EQ(world.store.CreateMany(handles), 150U);
  for (std::uint32_t slot = 0; slot < 150; ++slot) {
    EXPECT_EQ(handles[slot].Slot(), slot);
    EXPECT_TRUE(world.store.IsAlive(handles[slot]));
  }
  ASSERT_TRUE(world.store.Destroy(handles[149]));
  ASSERT_TRUE(world.store.Destroy(handles[3]));
  ASSERT_TRUE(world.store.Destroy(handles[70]));
  EXPECT_EQ(world.store.Create().Slot(), 3U);
  EXPECT_EQ(world.store.Create().Slot(), 70U);
  EXPECT_EQ(world.store.Create().Slot(), 149U);
  EXPECT_EQ(world.store.Create().Slot(), 150U);
}

TEST(EntityStore, KeepsNoTraceOfTheOrderOfFrees) {
  std::vector<std::uint32_t> expected;
  std::uint64_t expectedDigest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Fixture world{1000};
    std::vector<EntityHandle> handles(1000);
    ASSERT_EQ(world.store.CreateMany(handles), 1000U);
    for (const EntityHandle handle : handles) {
      world.store.Column(world.mark)[handle.Slot()] = handle.Slot() * 7ULL;
    }
    std::vector<EntityHandle> doomed;
    for (std::size_t index = 0; index < handles.size(); ++index) {
      if (index % 3 != 0) {
        doomed.push_back(handles[index]);
      }
    }
    Random random{seed};
    Shuffle(doomed, random);
    if (seed % 2 == 0) {
      EXPECT_EQ(world.store.DestroyMany(doomed), doomed.size());
    } else {
      std::vector<std::uint64_t> bits(16, 0);
      for (const EntityHandle handle : doomed) {
        bits[handle.Slot() / 64] |= std::uint64_t{1} << (handle.Slot() % 64);
      }
      EXPECT_EQ(world.store.DestroySlots(bits), doomed.size());
    }
    std::vector<std::uint32_t> next;
    for (int index = 0; index < 100; ++index) {
      next.push_back(world.store.Create().Slot());
    }
    if (seed == 0) {
      expected = next;
      expectedDigest = world.Digest();
      EXPECT_TRUE(std::is_sorted(next.begin(), next.end()));
    }
    EXPECT_EQ(next, expected);
    EXPECT_EQ(world.Digest(), expectedDigest);
  }
}

TEST(EntityStore, RefusesStaleHandles) {
  Fixture world{10};
  const EntityHandle first = world.store.Create();
  EXPECT_TRUE(world.store.Destroy(first));
  EXPECT_FALSE(world.store.IsAlive(first));
  EXPECT_FALSE(world.store.Destroy(first));
  const EntityHandle second = world.store.Create();
  EXPECT_EQ(second.Slot(), first.Slot());
  EXPECT_NE(second, first);
  EXPECT_FALSE(world.store.Destroy(first));
  EXPECT_TRUE(world.store.IsAlive(second));
  EXPECT_EQ(world.store.LiveCount(), 1U);
}

TEST(EntityStore, KnowsNobodyByANullOrForeignHandle) {
  Fixture world{10};
  EXPECT_FALSE(world.store.IsAlive(EntityHandle{}));
  EXPECT_FALSE(world.store.Destroy(EntityHandle{}));
  EXPECT_FALSE(world.store.IsAlive(EntityHandle(10, 1)));
  EXPECT_FALSE(world.store.IsAlive(EntityHandle(~0U, 1)));
  EXPECT_FALSE(world.store.IsAlive(EntityHandle(3, 0)));
  EXPECT_TRUE(world.store.HandleAt(3).IsNull());
  EXPECT_TRUE(world.store.HandleAt(10'000).IsNull());
  const EntityHandle handle = world.store.Create();
  EXPECT_EQ(world.store.HandleAt(0), handle);
  EXPECT_FALSE(handle.IsNull());
}

TEST(EntityStore, DestroysARepeatedHandleOnce) {
  Fixture world{100};
  const EntityHandle handle = world.store.Create();
  const std::vector<EntityHandle> repeated{handle, handle, EntityHandle{}, handle};
  EXPECT_EQ(world.store.DestroyMany(repeated), 1U);
  EXPECT_EQ(world.store.LiveCount(), 0U);
  EXPECT_EQ(world.store.Create().Slot(), 0U);
  EXPECT_EQ(world.store.Create().Slot(), 1U);
}

TEST(EntityStore, IsFullAtItsCapacityAndNotBefore) {
  for (const std::uint32_t capacity : {1U, 63U, 64U, 65U, 4095U, 4096U, 4097U}) {
    Fixture world{capacity};
    std::vector<EntityHandle> handles(capacity + 10);
    EXPECT_EQ(world.store.CreateMany(handles), capacity);
    EXPECT_TRUE(handles[capacity].IsNull());
    EXPECT_TRUE(world.store.Create().IsNull());
    EXPECT_EQ(world.store.LiveCount(), capacity);
    EXPECT_TRUE(world.store.Destroy(handles[capacity - 1]));
    EXPECT_EQ(world.store.Create().Slot(), capacity - 1);
    EXPECT_TRUE(world.store.Create().IsNull());
    std::vector<std::uint64_t> everything((capacity + 63) / 64 + 3, ~std::uint64_t{0});
    EXPECT_EQ(world.store.DestroySlots(everything), capacity);
    EXPECT_EQ(world.store.LiveCount(), 0U);
    EXPECT_EQ(world.store.CreateMany(handles), capacity);
  }
}

TEST(EntityStore, ZeroesTheColumnsOfANewEntity) {
  Fixture world{300};
  const ColumnIndex board = world.store.AddByteColumn({.name = "blackboard"}, 24);
  std::vector<EntityHandle> handles(300);
  ASSERT_EQ(world.store.CreateMany(handles), 300U);
  for (const EntityHandle handle : handles) {
    world.store.Column(world.health)[handle.Slot()] = 1.0F;
    world.store.Column(world.mark)[handle.Slot()] = ~std::uint64_t{0};
    world.store.Column(world.scratch)[handle.Slot()] = 77;
    std::fill_n(static_cast<std::uint8_t*>(world.store.ColumnData(board)) + handle.Slot() * 24, 24, std::uint8_t{9});
  }
  ASSERT_TRUE(world.store.Destroy(handles[100]));
  ASSERT_TRUE(world.store.Destroy(handles[101]));
  ASSERT_TRUE(world.store.Destroy(handles[200]));
  EXPECT_EQ(world.store.Create().Slot(), 100U);
  std::vector<EntityHandle> rest(2);
  ASSERT_EQ(world.store.CreateMany(rest), 2U);
  for (const std::uint32_t slot : {100U, 101U, 200U}) {
    EXPECT_EQ(world.store.Column(world.health)[slot], 0.0F);
    EXPECT_EQ(world.store.Column(world.mark)[slot], 0U);
    EXPECT_EQ(world.store.Column(world.scratch)[slot], 0U);
    const auto* bytes = static_cast<const std::uint8_t*>(world.store.ColumnData(board)) + slot * 24;
    EXPECT_TRUE(std::all_of(bytes, bytes + 24, [](std::uint8_t byte) { return byte == 0; }));
  }
  // Neighbours keep what they had.
  for (const std::uint32_t slot : {99U, 102U, 199U, 201U}) {
    EXPECT_EQ(world.store.Column(world.mark)[slot], ~std::uint64_t{0});
    EXPECT_EQ(static_cast<const std::uint8_t*>(world.store.ColumnData(board))[slot * 24], 9U);
  }
}

TEST(EntityStore, StaggersColumnsByOddNumbersOfCacheLines) {
  ColumnRegistry registry;
  std::vector<ColumnId<double>> ids;
  for (int index = 0; index < 40; ++index) {
    ids.push_back(registry.Add<double>({.name = "column" + std::to_string(index)}));
  }
  EntityStore store{registry, {.capacity = 100}};
  std::set<std::uintptr_t> offsets;
  for (const ColumnId<double> id : ids) {
    const auto address = reinterpret_cast<std::uintptr_t>(store.ColumnData(id.index));
    EXPECT_EQ(address % 64, 0U);
    EXPECT_EQ((address / 64) % 2, 1U);
    offsets.insert(address % 4096);
  }
  EXPECT_EQ(offsets.size(), 32U);
}

TEST(EntityStore, HealsItsHolesAfterAMassDeath) {
  constexpr std::uint32_t kCapacity = 20'000;
  Fixture world{kCapacity};
  std::vector<EntityHandle> handles(kCapacity);
  ASSERT_EQ(world.store.CreateMany(handles), kCapacity);
  Random random{5};
  Shuffle(handles, random);
  handles.erase(handles.begin(), handles.begin() + 18'000);
  {
    std::vector<std::uint64_t> doomed(world.store.LiveBits().begin(), world.store.LiveBits().end());
    for (const EntityHandle handle : handles) {
      doomed[handle.Slot() / 64] &= ~(std::uint64_t{1} << (handle.Slot() % 64));
    }
    ASSERT_EQ(world.store.DestroySlots(doomed), 18'000U);
  }
  const auto touchedWords = [&] {
    const auto bits = world.store.LiveBits();
    return std::count_if(bits.begin(), bits.end(), [](std::uint64_t word) { return word != 0; });
  };
  EXPECT_GT(touchedWords(), 300);
  for (int tick = 0; tick < 1500; ++tick) {
    for (int index = 0; index < 20; ++index) {
      const std::size_t victim = random.NextBelow(handles.size());
      ASSERT_TRUE(world.store.Destroy(handles[victim]));
      handles[victim] = world.store.Create();
    }
  }
  EXPECT_EQ(world.store.LiveCount(), 2000U);
  EXPECT_LE(touchedWords(), 40);  // 32 is the least for 2,000 entities
}

// A reference that is obviously right: the free slots as an ordered set, and one generation for each slot.
class PlainStore {
 public:
  explicit PlainStore(std::uint32_t capacity) : m_generations(capacity, 0) {
    for (std::uint32_t slot = 0; slot < capacity; ++slot) {
      m_free.insert(slot);
    }
  }
  EntityHandle Create() {
    if (m_free.empty()) {
      return {};
    }
    const std::uint32_t slot = *m_free.begin();
    m_free.erase(m_free.begin());
    return {slot, ++m_generations[slot]};
  }
  bool Destroy(EntityHandle handle) {
    if (!IsAlive(handle)) {
      return false;
    }
    ++m_generations[handle.Slot()];
    m_free.insert(handle.Slot());
    return true;
  }
  bool IsAlive(EntityHandle handle) const {
    return handle.Slot() < m_generations.size() && m_generations[handle.Slot()] == handle.Generation() &&
           handle.Generation() % 2 == 1;
  }
  std::vector<std::uint32_t> LiveSlots() const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = 0; slot < m_generations.size(); ++slot) {
      if (m_generations[slot] % 2 == 1) {
        slots.push_back(slot);
      }
    }
    return slots;
  }

 private:
  std::set<std::uint32_t> m_free;
  std::vector<std::uint32_t> m_generations;
};

TEST(EntityStore, AgreesWithAPlainSetOverRandomWork) {
  constexpr std::uint32_t kCapacity = 777;
  Fixture world{kCapacity};
  PlainStore plain{kCapacity};
  std::vector<EntityHandle> known;
  Random random{42};
  for (int step = 0; step < 100'000; ++step) {
    const std::uint64_t choice = random.NextBelow(100);
    if (choice < 46) {
      const EntityHandle handle = world.store.Create();
      ASSERT_EQ(handle, plain.Create());
      if (!handle.IsNull()) {
        known.push_back(handle);
      }
    } else if (choice < 92 && !known.empty()) {
      const std::size_t index = random.NextBelow(known.size());
      ASSERT_EQ(world.store.Destroy(known[index]), plain.Destroy(known[index]));
      if (random.NextChance(0.9)) {  // the rest stay as stale handles
        known[index] = known.back();
        known.pop_back();
      }
    } else if (choice < 94) {
      std::vector<EntityHandle> handles(random.NextBelow(200));
      const std::size_t made = world.store.CreateMany(handles);
      for (std::size_t index = 0; index < made; ++index) {
        ASSERT_EQ(handles[index], plain.Create());
        known.push_back(handles[index]);
      }
      if (made < handles.size()) {
        ASSERT_TRUE(plain.Create().IsNull());
      }
    } else if (choice < 96 && !known.empty()) {
      std::vector<EntityHandle> handles;
      for (std::size_t index = random.NextBelow(150); index > 0; --index) {
        handles.push_back(known[random.NextBelow(known.size())]);
      }
      std::size_t died = 0;
      for (const EntityHandle handle : handles) {
        died += plain.Destroy(handle) ? 1U : 0U;
      }
      ASSERT_EQ(world.store.DestroyMany(handles), died);
    } else if (choice < 97) {
      // Words with few, many, all and no bits.
      std::vector<std::uint64_t> bits;
      for (std::uint32_t word = 0; word < (kCapacity + 63) / 64; ++word) {
        const std::uint64_t kind = random.NextBelow(4);
        bits.push_back(kind == 0   ? 0
                       : kind == 1 ? random.Next() & random.Next() & random.Next() & random.Next()
                       : kind == 2 ? random.Next()
                                   : ~std::uint64_t{0});
      }
      std::size_t died = 0;
      for (const std::uint32_t slot : plain.LiveSlots()) {
        if ((bits[slot / 64] >> (slot % 64) & 1U) != 0) {
          ASSERT_TRUE(plain.Destroy(world.store.HandleAt(slot)));
          ++died;
        }
      }
      ASSERT_EQ(world.store.DestroySlots(bits), died);
    } else if (!known.empty()) {
      const EntityHandle handle = known[random.NextBelow(known.size())];
      ASSERT_EQ(world.store.IsAlive(handle), plain.IsAlive(handle));
    }
    if (step % 500 == 0) {
      ASSERT_EQ(SlotsOf(world.store), plain.LiveSlots());
      ASSERT_EQ(world.store.LiveCount(), plain.LiveSlots().size());
    }
  }
}

TEST(EntityStore, TellsWorldsApartByDigest) {
  const auto build = [](Fixture& world) {
    std::vector<EntityHandle> handles(130);
    world.store.CreateMany(handles);
    for (const EntityHandle handle : handles) {
      world.store.Column(world.health)[handle.Slot()] = 0.5F;
    }
    return handles;
  };
  Fixture one{500};
  Fixture other{500};
  build(one);
  const std::vector<EntityHandle> handles = build(other);
  EXPECT_EQ(one.Digest(), other.Digest());
  other.store.Column(other.scratch)[5] = 9;  // not state
  EXPECT_EQ(one.Digest(), other.Digest());
  other.store.Column(other.health)[200] = 9.0F;  // a free slot
  EXPECT_EQ(one.Digest(), other.Digest());
  other.store.Column(other.health)[129] = 0.75F;
  EXPECT_NE(one.Digest(), other.Digest());
  other.store.Column(other.health)[129] = 0.5F;
  EXPECT_EQ(one.Digest(), other.Digest());
  ASSERT_TRUE(other.store.Destroy(handles[129]));
  EXPECT_NE(one.Digest(), other.Digest());
  other.store.Column(other.health)[other.store.Create().Slot()] = 0.5F;
  EXPECT_NE(one.Digest(), other.Digest()) << "another entity in the same slot";
}

TEST(EntityStore, LeavesDroppedColumnsOutOfTheDigest) {
  Fixture world{64};
  world.store.Create();
  const std::uint64_t before = world.Digest();
  const ColumnIndex board = world.store.AddByteColumn({.name = "board"}, 16);
  EXPECT_NE(world.Digest(), before);
  EXPECT_EQ(world.store.ColumnStride(board), 16U);
  world.store.DropColumn(board);
  EXPECT_EQ(world.Digest(), before);
  const ColumnIndex again = world.store.AddByteColumn({.name = "board"}, 32);
  EXPECT_NE(again, board);
  EXPECT_FALSE(world.store.Create().IsNull());
}

TEST(EntityStore, ListsLiveSlotsAscendingAfterEveryChange) {
  Fixture world{200};
  std::vector<EntityHandle> handles(200);
  world.store.CreateMany(handles);
  EXPECT_EQ(world.store.LiveSlots().size(), 200U);
  world.store.Destroy(handles[7]);
  EXPECT_EQ(world.store.LiveSlots().size(), 199U);
  EXPECT_EQ(world.store.LiveSlots()[7], 8U);
  world.store.Create();
  EXPECT_EQ(world.store.LiveSlots()[7], 7U);
  const std::vector<std::uint64_t> lowWord{~std::uint64_t{0}};
  world.store.DestroySlots(lowWord);
  EXPECT_EQ(world.store.LiveSlots().front(), 64U);
  const std::span<const std::uint32_t> slots = world.store.LiveSlots();
  EXPECT_TRUE(std::is_sorted(slots.begin(), slots.end()));
}

}  // namespace
}  // namespace muster::world
