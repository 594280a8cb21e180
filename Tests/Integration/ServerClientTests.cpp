// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "VirtualWorld.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace muster::tests {
namespace {

using State = netclient::Client::State;

server::ServerConfig SmallWorld() {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  config.world.testSpawnAiCount = 20;
  config.world.testSpawnSpreadKm = 5.0;
  config.server.maxPeers = 4;
  config.server.motd = "be kind";
  return config;
}

TEST(ServerClient, AClientJoinsAndSeesTheWorldAndItself) {
  VirtualWorld world{SmallWorld()};
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  ASSERT_EQ(client.Phase(), State::Playing);
  EXPECT_EQ(client.World().EntityCount(), 21U);
  EXPECT_FALSE(client.OwnEntity().IsNull());
  EXPECT_NE(client.World().Find(client.OwnEntity()), nullptr);
  EXPECT_EQ(client.Notice(), "be kind");
  EXPECT_FALSE(client.Archetypes().empty());
  EXPECT_EQ(client.Stats().malformed, 0U);
}

TEST(ServerClient, InputMovesTheOwnCraftAndArrivesInTime) {
  VirtualWorld world{SmallWorld()};
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(400);
  const auto& session = *world.Server().Sessions().Sessions()[0];
  EXPECT_GT(session.input.Stats().received, 300U);
  EXPECT_LT(session.input.Stats().repeated, 10U);
  EXPECT_LE(std::abs(session.input.MarginOverTarget()), 2);
  EXPECT_GT(client.World().Newest().inputTick, Tick{350});
  const auto controls = world.Server().World().Store().Column(world.Server().World().Columns().control);
  EXPECT_NEAR(controls[session.entity.Slot()].throttle, 0.7F, 0.001F);
}

TEST(ServerClient, ALeavingClientLeavesNothingBehind) {
  VirtualWorld world{SmallWorld()};
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  EXPECT_EQ(world.Server().World().Store().LiveCount(), 21U);
  client.Leave();
  world.Steps(60);
  EXPECT_EQ(client.Phase(), State::Closed);
  EXPECT_FALSE(client.Failure());
  EXPECT_TRUE(world.Server().Sessions().Sessions().empty());
  EXPECT_EQ(world.Server().World().Store().LiveCount(), 20U);
}

TEST(ServerClient, AVanishedClientIsGoneAfterItsTimeout) {
  VirtualWorld world{SmallWorld()};
  world.AddClient("Ada");
  world.Steps(60);
  world.RemoveClient(0);
  world.Steps(12 * 60);
  EXPECT_TRUE(world.Server().Sessions().Sessions().empty());
  EXPECT_EQ(world.Server().World().Store().LiveCount(), 20U);
}

TEST(ServerClient, TheFifthOfFourIsToldThatTheServerIsFull) {
  VirtualWorld world{SmallWorld()};
  for (int i = 0; i < 4; ++i) {
    world.AddClient("bot");
  }
  world.Steps(60);
  netclient::Client& fifth = world.AddClient("fifth");
  world.Steps(60);
  ASSERT_EQ(fifth.Phase(), State::Closed);
  ASSERT_TRUE(fifth.Failure());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(world.Clients()[i]->Phase(), State::Playing);
  }
}

TEST(ServerClient, ALostCraftIsReplacedAfterAWhile) {
  VirtualWorld world{SmallWorld()};
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  const NetId first = client.OwnEntity();
  auto& simulation = world.Server().World();
  const auto& session = *world.Server().Sessions().Sessions()[0];
  simulation.Store().Column(simulation.Columns().health)[session.entity.Slot()] = 0.0F;
  world.Steps(30);
  EXPECT_TRUE(client.OwnEntity().IsNull());
  EXPECT_EQ(client.World().EntityCount(), 20U);
  world.Steps(240);
  EXPECT_FALSE(client.OwnEntity().IsNull());
  EXPECT_EQ(client.World().EntityCount(), 21U);
  (void)first;
}

TEST(ServerClient, APausedWorldStandsStillAndKeepsItsPlayers) {
  VirtualWorld world{SmallWorld()};
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  world.Server().SetPaused(true);
  world.Steps(2);
  const std::uint64_t still = world.Server().World().StateDigest();
  const Tick before = client.World().Newest().tick;
  world.Steps(120);
  EXPECT_GT(client.World().Newest().tick, before);
  auto& simulation = world.Server().World();
  const auto x = simulation.Store().Column(simulation.Columns().positionX);
  const double held = x[simulation.Store().LiveSlots()[3]];
  world.Steps(60);
  EXPECT_EQ(held, x[simulation.Store().LiveSlots()[3]]);
  world.Server().SetPaused(false);
  world.Steps(30);
  EXPECT_NE(world.Server().World().StateDigest(), still);
  EXPECT_EQ(client.Phase(), State::Playing);
}

TEST(ServerClient, ShutdownTellsEveryPlayerWhy) {
  VirtualWorld world{SmallWorld()};
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  world.Server().Sessions().CloseAll(link::DisconnectReason::ServerShutdown, protocol::kServerShutdown, "maintenance");
  world.Steps(60);
  ASSERT_EQ(client.Phase(), State::Closed);
  ASSERT_TRUE(client.Failure());
  EXPECT_EQ(client.Failure()->code, protocol::kServerShutdown);
  EXPECT_NE(client.Failure()->sentence.find("maintenance"), std::string::npos);
  EXPECT_TRUE(world.Server().Sessions().Sessions().empty());
}

TEST(ServerClient, WhatAClientSeesIsWhatTheServerHas) {
  VirtualWorld world{SmallWorld()};
  world.AddClient("Ada");
  world.AddClient("Bob");
  world.Steps(120);
  world.Server().SetPaused(true);
  world.Steps(120);  // everything that moved has been sent by now
  const auto codec = world.Server().Plugins().Catalog().Find<mu_snapshot_codec_v0>(world.Server().Identity().codecName);
  ASSERT_TRUE(codec);
  auto& simulation = world.Server().World();
  const auto x = simulation.Store().Column(simulation.Columns().positionX);
  const auto y = simulation.Store().Column(simulation.Columns().positionY);
  const auto z = simulation.Store().Column(simulation.Columns().positionZ);
  for (const auto& client : world.Clients()) {
    std::size_t compared = 0;
    client->World().ForEachEntity([&](const netclient::ReplicatedEntity& entity) {
      const auto handle = world.Server().Replication().HandleOf(entity.netId);
      ASSERT_FALSE(handle.IsNull());
      mu_record_values values{};
      ASSERT_EQ(codec->table->dequantise(&entity.record, &values), MU_OK);
      EXPECT_NEAR(values.position[0], x[handle.Slot()], 0.016);
      EXPECT_NEAR(values.position[1], y[handle.Slot()], 0.016);
      EXPECT_NEAR(values.position[2], z[handle.Slot()], 0.016);
      ++compared;
    });
    EXPECT_EQ(compared, simulation.Store().LiveCount());
  }
}

}  // namespace
}  // namespace muster::tests
