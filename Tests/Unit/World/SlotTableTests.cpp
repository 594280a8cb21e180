// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SlotTable.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace muster::world {
namespace {

TEST(SlotTable, NeverGivesTheNullHandleWhenGenerationsWrap) {
  SlotTable table{4, 0xFFFF'FFFEU};
  const EntityHandle last = table.Allocate();
  EXPECT_EQ(last.Generation(), 0xFFFF'FFFFU);
  EXPECT_TRUE(table.Free(last));
  EXPECT_FALSE(table.IsAlive(last));
  EXPECT_TRUE(table.HandleAt(0).IsNull());
  const EntityHandle first = table.Allocate();
  EXPECT_EQ(first.Slot(), 0U);
  EXPECT_EQ(first.Generation(), 1U);
  EXPECT_FALSE(first.IsNull());
  EXPECT_TRUE(table.IsAlive(first));
  EXPECT_FALSE(table.IsAlive(last));
}

TEST(SlotTable, UsesEveryOddGenerationOfASlotBeforeOneComesBack) {
  SlotTable table{1};
  std::uint32_t expected = 1;
  for (int reuse = 0; reuse < 100'000; ++reuse) {
    const EntityHandle handle = table.Allocate();
    ASSERT_EQ(handle.Generation(), expected);
    ASSERT_TRUE(table.Free(handle));
    expected += 2;
  }
}

TEST(SlotTable, GivesOutWhatTheQuickListHoldsInSlotOrder) {
  SlotTable table{300};
  std::vector<EntityHandle> handles(300);
  ASSERT_EQ(table.AllocateMany(handles), 300U);
  // More frees than the list holds, highest first.
  for (std::uint32_t slot = 200; slot > 100; --slot) {
    ASSERT_TRUE(table.Free(handles[slot]));
  }
  for (std::uint32_t slot = 101; slot <= 200; ++slot) {
    EXPECT_EQ(table.Allocate().Slot(), slot);
  }
  EXPECT_TRUE(table.Allocate().IsNull());
}

/// A set of free slots that is searched from the bottom: what the table promises, without any of its shortcuts.
TEST(SlotTable, GivesOutTheLowestFreeSlotWhateverWasFreedBefore) {
  constexpr std::uint32_t capacity = 64 * 70 + 13;
  SlotTable table{capacity};
  std::set<std::uint32_t> free;
  for (std::uint32_t slot = 0; slot < capacity; ++slot) {
    free.insert(free.end(), slot);
  }
  std::vector<EntityHandle> live;
  Random random{11};
  const auto take = [&](EntityHandle handle) {
    ASSERT_FALSE(free.empty());
    ASSERT_EQ(handle.Slot(), *free.begin());
    free.erase(free.begin());
    live.push_back(handle);
  };
  for (int round = 0; round < 60'000; ++round) {
    const std::uint64_t choice = random.NextBelow(100);
    if (choice < 48 && !live.empty()) {
      const auto victim = static_cast<std::size_t>(random.NextBelow(live.size()));
      ASSERT_TRUE(table.Free(live[victim]));
      ASSERT_FALSE(table.Free(live[victim]));
      free.insert(live[victim].Slot());
      live[victim] = live.back();
      live.pop_back();
    } else if (choice < 97) {
      const EntityHandle handle = table.Allocate();
      ASSERT_EQ(handle.IsNull(), free.empty());
      if (!handle.IsNull()) {
        take(handle);
      }
    } else {
      std::vector<EntityHandle> handles(static_cast<std::size_t>(random.NextBelow(choice == 99 ? 3'000 : 100)));
      const std::size_t room = free.size();
      ASSERT_EQ(table.AllocateMany(handles), std::min(room, handles.size()));
      for (std::size_t index = 0; index < std::min(room, handles.size()); ++index) {
        take(handles[index]);
      }
    }
    ASSERT_EQ(table.LiveCount(), live.size());
    if (round % 5'000 == 0) {
      for (std::uint32_t slot = 0; slot < capacity; ++slot) {
        ASSERT_EQ((table.LiveBits()[slot / 64] >> (slot % 64) & 1U) == 0, free.count(slot) == 1);
      }
      std::vector<std::uint64_t> all(table.LiveBits().begin(), table.LiveBits().end());
      if (round % 10'000 == 0) {
        ASSERT_EQ(table.FreeSlots(all), live.size());
        for (const EntityHandle handle : live) {
          free.insert(handle.Slot());
        }
        live.clear();
      }
    }
  }
}

TEST(SlotTable, BumpsOnlyTheGenerationsItFrees) {
  for (const std::uint64_t doomed : {std::uint64_t{0x11}, std::uint64_t{0xFFFF'0000'FF00'00FF}, ~std::uint64_t{0}}) {
    SlotTable table{128};
    std::vector<EntityHandle> handles(128);
    ASSERT_EQ(table.AllocateMany(handles), 128U);
    const std::vector<std::uint64_t> bits{doomed};
    table.FreeSlots(bits);
    for (const EntityHandle handle : handles) {
      const bool isDoomed = handle.Slot() < 64 && (doomed >> handle.Slot() & 1U) != 0;
      EXPECT_EQ(table.IsAlive(handle), !isDoomed);
      EXPECT_EQ(table.GenerationAt(handle.Slot()), isDoomed ? 2U : 1U);
    }
    EXPECT_EQ(table.FreeSlots(bits), 0U) << "they are dead already";
  }
}

}  // namespace
}  // namespace muster::world
