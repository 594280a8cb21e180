// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SlotTable.h"

#include <gtest/gtest.h>

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
