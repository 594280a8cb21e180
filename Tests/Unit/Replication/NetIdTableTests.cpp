// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetIdTable.h"

#include <gtest/gtest.h>

#include <vector>

namespace muster::replication {
namespace {

class NetIds : public ::testing::Test {
 protected:
  std::vector<std::uint32_t> Update() {
    table.Update(store, health);
    return {table.Live().begin(), table.Live().end()};
  }

  world::ColumnRegistry registry;
  world::EntityStore store{registry, {.capacity = 8}};
  NetIdTable table{8, 10};
  std::vector<float> health = std::vector<float>(8, 1.0F);
};

TEST_F(NetIds, GiveTheLowestFreeIdToWhoeverIsBorn) {
  const world::EntityHandle first = store.Create();
  const world::EntityHandle second = store.Create();
  EXPECT_EQ(Update(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(table.Of(first), NetId{1});
  EXPECT_EQ(table.Of(second), NetId{2});
  EXPECT_EQ(table.HandleOf(NetId{2}), second);
  store.Destroy(first);
  Update();
  table.Release(NetId{1});
  const world::EntityHandle third = store.Create();
  Update();
  EXPECT_EQ(table.Of(third), NetId{1});
}

TEST_F(NetIds, HoldTheIdOfTheDeadUntilItIsReleased) {
  const world::EntityHandle dead = store.Create();
  Update();
  store.Destroy(dead);
  const world::EntityHandle inTheSameSlot = store.Create();
  ASSERT_EQ(inTheSameSlot.Slot(), dead.Slot());
  EXPECT_EQ(Update(), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(table.Held().size(), 1U);
  EXPECT_EQ(table.Of(dead), NetId{});
  EXPECT_EQ(table.HandleOf(NetId{1}), world::EntityHandle{});
  EXPECT_EQ(table.Of(inTheSameSlot), NetId{2});
}

TEST_F(NetIds, CountTheGenerationsOfAnId) {
  world::EntityHandle handle = store.Create();
  Update();
  const std::uint8_t first = table.Generation(NetId{1});
  for (int i = 1; i <= 300; ++i) {
    store.Destroy(handle);
    Update();
    table.Release(NetId{1});
    handle = store.Create();
    Update();
    ASSERT_EQ(table.Generation(NetId{1}), static_cast<std::uint8_t>(first + i));
  }
}

TEST_F(NetIds, TellAWreckFromWhatWasTakenAway) {
  const world::EntityHandle shot = store.Create();
  const world::EntityHandle removed = store.Create();
  Update();
  health[shot.Slot()] = 0.0F;
  Update();
  store.Destroy(shot);
  store.Destroy(removed);
  Update();
  EXPECT_EQ(table.ReasonOfDeath(NetId{1}), protocol::LeaveReason::Destroyed);
  EXPECT_EQ(table.ReasonOfDeath(NetId{2}), protocol::LeaveReason::Despawned);
}

TEST_F(NetIds, LetTheNewbornWaitWhileAllIdsAreHeld) {
  std::vector<world::EntityHandle> handles(8);
  store.CreateMany(handles);
  Update();
  store.DestroyMany(handles);
  store.CreateMany(handles);
  Update();
  EXPECT_EQ(table.Live().size(), 2U);
  EXPECT_EQ(table.Waiting(), 6U);
  EXPECT_EQ(table.Of(handles[2]), NetId{});
  for (std::uint32_t id = 1; id <= 8; ++id) {
    table.Release(NetId{id});
  }
  Update();
  EXPECT_EQ(table.Live().size(), 8U);
  EXPECT_EQ(table.Waiting(), 0U);
}

}  // namespace
}  // namespace muster::replication
