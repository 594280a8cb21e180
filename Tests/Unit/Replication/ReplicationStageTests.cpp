// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ReplicationHarness.h"

#include "Protocol/BuiltInCodec.h"
#include "Protocol/SnapshotMessage.h"

#include <gtest/gtest.h>

namespace muster::replication::testing {
namespace {

constexpr double kDraw = 10'000.0;

Harness::Options Small(std::uint32_t capacity = 64) {
  Harness::Options options;
  options.capacity = capacity;
  options.replication.drawDistanceMeters = kDraw;
  return options;
}

std::size_t CountEvents(const TestClient& client, NetId netId, netclient::EntityEvent::Kind kind) {
  std::size_t count = 0;
  for (const netclient::EntityEvent& event : client.receiver.Events()) {
    count += event.netId == netId && event.kind == kind ? 1U : 0U;
  }
  return count;
}

TEST(Replication, ShowsAnEntityInTheNextPacket) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  const world::EntityHandle other = harness.Spawn({100.0, 0.0, 0.0});
  harness.Step();
  harness.Step();
  EXPECT_EQ(harness.Difference(client), "");
  EXPECT_EQ(client.ownNetId, harness.Stage().NetIdOf(client.own));
  EXPECT_EQ(CountEvents(client, harness.Stage().NetIdOf(other), netclient::EntityEvent::Kind::Spawned), 1U);
}

TEST(Replication, SendsAClientsOwnCraftInEveryPacket) {
  Harness::Options options = Small(512);
  options.replication.snapshotBudgetBytes = kMinBudgetBytes;
  Harness harness{options};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  for (int i = 0; i < 500; ++i) {
    harness.SetVelocity(harness.Spawn({10.0 * i, 0.0, 0.0}), {100.0F, 0.0F, 30.0F});
  }
  harness.SetVelocity(client.own, {50.0F, 1.0F, 0.0F});
  for (int i = 0; i < 300; ++i) {
    harness.FlyAll();
    harness.Step();
    const netclient::ReplicatedEntity* own = client.receiver.Find(client.ownNetId);
    if (i > 0) {
      ASSERT_NE(own, nullptr);
      ASSERT_EQ(own->recordTick, client.receiver.Newest().tick);
    }
  }
}

TEST(Replication, LeavesNobodyInvisibleHoweverLongTheRotation) {
  // Far more entities than a packet holds, and every first packet is lost: whoever waits must come all the same.
  Harness::Options options = Small(700);
  options.replication.snapshotBudgetBytes = 300;
  Harness harness{options};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  for (int i = 0; i < 600; ++i) {
    harness.SetVelocity(harness.Spawn({5.0 * i, 0.0, 7.0 * i}), {90.0F, 0.0F, -40.0F});
  }
  harness.downQuality.loss = 1.0;
  for (int i = 0; i < 100; ++i) {
    harness.FlyAll();
    harness.Step();
  }
  harness.downQuality.loss = 0.0;
  for (int i = 0; i < 400; ++i) {
    harness.FlyAll();
    harness.Step();
  }
  EXPECT_EQ(client.receiver.EntityCount(), 601U);
}

TEST(Replication, UpdatesEveryEntityAgainAndAgainWhenTheBudgetIsTight) {
  Harness::Options options = Small(700);
  options.replication.snapshotBudgetBytes = 300;
  Harness harness{options};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  for (int i = 0; i < 400; ++i) {
    harness.SetVelocity(harness.Spawn({20.0 * i, 0.0, 0.0}), {90.0F, 0.0F, -40.0F});
  }
  for (int i = 0; i < 600; ++i) {
    harness.FlyAll();
    harness.Step();
  }
  TickCount oldest = 0;
  client.receiver.ForEachEntity(
      [&](const netclient::ReplicatedEntity& entity) { oldest = std::max(oldest, harness.Now() - entity.recordTick); });
  EXPECT_LT(oldest, 240);
  EXPECT_EQ(client.receiver.EntityCount(), 401U);
}

TEST(Replication, NeverTakesAnEntityAwayBecauseItWasNotMentioned) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  const world::EntityHandle other = harness.Spawn({100.0, 0.0, 0.0});
  harness.Steps(4);
  const NetId netId = harness.Stage().NetIdOf(other);
  harness.downQuality.loss = 1.0;
  harness.Steps(1'000);
  EXPECT_NE(client.receiver.Find(netId), nullptr);
  harness.downQuality.loss = 0.0;
  harness.Steps(10);
  EXPECT_EQ(harness.Difference(client), "");
  EXPECT_EQ(CountEvents(client, netId, netclient::EntityEvent::Kind::Left), 0U);
}

TEST(Replication, KeepsAMassDeathWithinTheBudgetAndSeesItThrough) {
  Harness harness{Small(1'200)};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  std::vector<world::EntityHandle> doomed;
  for (int i = 0; i < 1'000; ++i) {
    doomed.push_back(harness.Spawn({1.0 * i, 0.0, 0.0}));
  }
  ASSERT_TRUE(harness.StepsUntilEqual(200).has_value());
  harness.downQuality.loss = 0.3;
  harness.Store().DestroyMany(doomed);
  ASSERT_TRUE(harness.StepsUntilEqual(200).has_value()) << harness.Difference(client);
  EXPECT_EQ(client.receiver.EntityCount(), 1U);
}

TEST(Replication, SaysWhetherAnEntityWasDestroyed) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  const world::EntityHandle shot = harness.Spawn({100.0, 0.0, 0.0});
  const world::EntityHandle removed = harness.Spawn({200.0, 0.0, 0.0});
  const world::EntityHandle distant = harness.Spawn({300.0, 0.0, 0.0});
  harness.Steps(4);
  const std::array<NetId, 3> ids{harness.Stage().NetIdOf(shot), harness.Stage().NetIdOf(removed),
                                 harness.Stage().NetIdOf(distant)};
  harness.Kill(shot, true);
  harness.Kill(removed);
  harness.Move(distant, {kDraw * 2.0, 0.0, 0.0});
  client.receiver.ClearEvents();
  harness.Steps(4);
  std::array<protocol::LeaveReason, 3> reasons{};
  for (const netclient::EntityEvent& event : client.receiver.Events()) {
    ASSERT_EQ(event.kind, netclient::EntityEvent::Kind::Left);
    reasons.at(static_cast<std::size_t>(std::find(ids.begin(), ids.end(), event.netId) - ids.begin())) = event.reason;
  }
  EXPECT_EQ(client.receiver.Events().size(), 3U);
  EXPECT_EQ(reasons, (std::array{protocol::LeaveReason::Destroyed, protocol::LeaveReason::Despawned,
                                 protocol::LeaveReason::OutOfInterest}));
}

TEST(Replication, HasAWiderBorderOutThanIn) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  const world::EntityHandle other = harness.Spawn({kDraw * 1.02, 0.0, 0.0});
  harness.Steps(4);
  const NetId netId = harness.Stage().NetIdOf(other);
  EXPECT_EQ(client.receiver.Find(netId), nullptr);
  harness.Move(other, {kDraw * 0.99, 0.0, 0.0});
  harness.Steps(4);
  EXPECT_NE(client.receiver.Find(netId), nullptr);
  harness.Move(other, {kDraw * 1.02, 0.0, 0.0});
  harness.Steps(4);
  EXPECT_NE(client.receiver.Find(netId), nullptr);
  harness.Move(other, {kDraw * 1.06, 0.0, 0.0});
  harness.Steps(4);
  EXPECT_EQ(client.receiver.Find(netId), nullptr);
}

TEST(Replication, DoesNotRepeatWhatTheClientHas) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  for (int i = 0; i < 50; ++i) {
    harness.Spawn({100.0 + i, 0.0, 0.0});
  }
  harness.Steps(20);
  const std::uint64_t before = client.receiver.Stats().updates;
  harness.Steps(360);
  const std::uint64_t others = client.receiver.Stats().updates - before - 360;
  EXPECT_EQ(others, 50U * 3U) << "one proof of life every 120 ticks, and the own craft in each packet";
}

TEST(Replication, SendsMostUpdatesRelativeToAnAnchor) {
  Harness harness{Small(300)};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  harness.downQuality = {0.05, 0.0, 3, 5};
  for (int i = 0; i < 200; ++i) {
    harness.SetVelocity(harness.Spawn({20.0 * i, 0.0, 0.0}), {90.0F, 0.0F, -40.0F});
  }
  for (int i = 0; i < 400; ++i) {
    harness.FlyAll();
    harness.Step();
  }
  const ReplicationStats& stats = harness.Stage().Stats();
  EXPECT_GT(stats.anchoredUpdates.records, 20 * stats.absoluteUpdates.records);
  EXPECT_LT(stats.lateUpdates * 8, stats.anchoredUpdates.records);
  EXPECT_EQ(client.receiver.Stats().withoutAnchor, 0U) << "in order, an anchor the server refers to is always there";
}

TEST(Replication, ShowsTheWholeWorldToAClientThatAsksForEverything) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  for (int i = 0; i < 20; ++i) {
    harness.SetVelocity(harness.Spawn({20.0 * i, 0.0, 0.0}), {90.0F, 0.0F, -40.0F});
  }
  for (int i = 0; i < 100; ++i) {
    harness.FlyAll();
    harness.Step();
    for (std::uint32_t id = 0; id < 40; ++id) {
      client.needAbsolute.push_back(NetId{id});
    }
    client.needAbsolute.push_back(NetId{0xFFFFFFFF});
  }
  for (const world::EntityHandle handle : harness.Living()) {
    harness.SetVelocity(handle, {});
  }
  EXPECT_TRUE(harness.StepsUntilEqual(60).has_value()) << harness.Difference(client);
}

TEST(Replication, WorksWithTheCodecThatIsLinkedIn) {
  Harness::Options options = Small();
  options.codec = &protocol::BuiltInCodec();
  Harness harness{options};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  for (int i = 0; i < 50; ++i) {
    harness.SetVelocity(harness.Spawn({20.0 * i, 0.0, 0.0}), {90.0F, 0.0F, -40.0F});
  }
  for (int i = 0; i < 100; ++i) {
    harness.FlyAll();
    harness.Step();
  }
  for (const world::EntityHandle handle : harness.Living()) {
    harness.SetVelocity(handle, {});
  }
  EXPECT_TRUE(harness.StepsUntilEqual(60).has_value()) << harness.Difference(client);
}

TEST(Replication, SendsNothingToAClientWhoseTurnItIsNot) {
  Harness harness{Small()};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  harness.Steps(3);
  client.nextSequence = 0;
  const std::uint64_t messages = harness.Stage().Stats().messages;
  harness.Steps(3);
  EXPECT_EQ(harness.Stage().Stats().messages, messages);
}

}  // namespace
}  // namespace muster::replication::testing
