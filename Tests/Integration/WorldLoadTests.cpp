// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A whole server whose world holds more than aircraft, and is recorded.

#include "Console.h"
#include "RecordedColumns.h"
#include "ServerApp.h"
#include "VirtualWorld.h"

#include "Core/Files.h"
#include "Recording/RecordingReader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace muster::tests {
namespace {

server::ServerConfig LivelyWorld() {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  config.world.testSpawnAiCount = 30;
  config.world.testSpawnSpreadKm = 5.0;
  config.world.testProjectileRate = 20.0;
  config.world.testProjectileTtlS = 1.5;
  config.world.entityCapacity = 64;
  config.server.maxPeers = 4;
  return config;
}

std::uint32_t CountOf(server::GameServer& server, std::uint8_t entityClass) {
  const auto& store = server.World().Store();
  const auto classes = store.Column(server.World().Columns().entityClass);
  const auto live = store.LiveSlots();
  return static_cast<std::uint32_t>(
      std::count_if(live.begin(), live.end(), [&](std::uint32_t slot) { return classes[slot] == entityClass; }));
}

server::Console MakeConsole(VirtualWorld& world) {
  return server::Console{world.Server(),
                         {.figures = [] { return server::TickFigures{}; },
                          .shutdown = [](std::string) {},
                          .reloadConfig = [] { return std::string{}; }}};
}

TEST(WorldLoad, ProjectilesChurnAndClientsSeeThemComeAndGo) {
  VirtualWorld world{LivelyWorld()};
  EXPECT_GE(world.Server().World().Store().Capacity(), 30U + 4U + 30U) << "raised for what the load needs";
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60 * 10);
  EXPECT_NEAR(CountOf(world.Server(), MU_CLASS_PROJECTILE), 30.0, 1.0) << "rate times lifetime, less what has hit";
  EXPECT_GT(world.Server().World().Counts().expired, 150U);
  EXPECT_EQ(world.Server().World().Counts().refusedSpawns, 0U);
  // Within a few ticks: what is born or dies is told a moment later.
  EXPECT_NEAR(static_cast<double>(client.World().EntityCount()),
              static_cast<double>(world.Server().World().Store().LiveCount()), 6.0);
  EXPECT_EQ(client.Stats().malformed, 0U);
  EXPECT_TRUE(world.Server().Timings().Summarise().phases[static_cast<std::size_t>(telemetry::Phase::Weapons)]);
}

TEST(WorldLoad, APlayerDrivesATruckOnTheGround) {
  server::ServerConfig config = LivelyWorld();
  config.spawn.playerArchetype = "builtin:truck";
  config.world.testProjectileRate = 0.0;
  VirtualWorld world{config};
  world.AddClient("Ada");
  world.Steps(10);
  const auto& session = *world.Server().Sessions().Sessions()[0];
  const auto& store = world.Server().World().Store();
  const auto& columns = world.Server().World().Columns();
  ASSERT_TRUE(store.IsAlive(session.entity));
  const Vec3d start = simulation::PositionAt(store, columns, session.entity.Slot());
  world.Steps(300);
  ASSERT_TRUE(store.IsAlive(session.entity));
  const Vec3d end = simulation::PositionAt(store, columns, session.entity.Slot());
  EXPECT_EQ(start.y, 0.0);
  EXPECT_EQ(end.y, 0.0);
  EXPECT_GT(Length(end - start), 20.0);
}

TEST(WorldLoad, ALoadOfVehiclesStartsOnTheGroundWhateverHeightIsAsked) {
  server::ServerConfig config = LivelyWorld();
  config.world.testSpawnEntityType = "builtin:rover";
  config.world.testSpawnAglM = 4'000.0;
  VirtualWorld world{config};
  const auto& store = world.Server().World().Store();
  for (const std::uint32_t slot : store.LiveSlots()) {
    EXPECT_EQ(simulation::PositionAt(store, world.Server().World().Columns(), slot).y, 0.0);
  }
  EXPECT_EQ(CountOf(world.Server(), MU_CLASS_GROUND), 30U);
}

TEST(WorldLoad, WhatIsNoProjectileStopsTheServerWithAName) {
  server::ServerConfig config = LivelyWorld();
  config.world.testProjectileEntityType = "builtin:trainer";
  try {
    const VirtualWorld world{config};
    ADD_FAILURE() << "it started";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("ProjectileUnfit"), std::string::npos) << error.what();
  }
}

TEST(WorldRecorder, EveryColumnOfTheWorldHasARowWithItsSizeAndName) {
  world::ColumnRegistry registry;
  const auto columns = simulation::EntityColumns::Register(registry);
  const auto described = server::AllRecordedColumns(columns);
  ASSERT_EQ(described.size(), registry.Descriptors().size());
  for (std::size_t i = 0; i < described.size(); ++i) {
    EXPECT_EQ(described[i].index, i);
    EXPECT_EQ(described[i].description.name, registry.Descriptors()[i].name);
    EXPECT_EQ(described[i].description.elementBytes, registry.Descriptors()[i].elementBytes);
  }
  EXPECT_EQ(server::ChooseRecordedColumns(columns, {"health", "position_x"})->at(1).description.name, "position_x");
  EXPECT_EQ(server::ChooseRecordedColumns(columns, {"speed"}).Failure().code, server::kRecordingColumnUnknown);
  EXPECT_EQ(server::ChooseRecordedColumns(columns, {"health", "health"}).Failure().code,
            server::kRecordingColumnUnknown);
}

TEST(WorldRecorder, TheConsoleRecordsTheRunningWorldBitForBit) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.HasValue());
  const std::string path = (folder->Path() / "world.rec").string();
  server::ServerConfig config = LivelyWorld();
  config.recording.everyTicks = 2;
  VirtualWorld world{config};
  server::Console console = MakeConsole(world);
  world.AddClient("Ada");
  world.Steps(60);
  EXPECT_NE(console.Execute("record stop").find("Nothing"), std::string::npos);
  EXPECT_NE(console.Execute("record").find("usage"), std::string::npos);
  EXPECT_NE(console.Execute("record start").find("usage"), std::string::npos);
  ASSERT_NE(console.Execute("record start " + path).find("recording to"), std::string::npos);
  EXPECT_NE(console.Execute("record start " + path).find("RecordingRunning"), std::string::npos);

  struct Seen {
    Tick tick;
    std::vector<world::EntityHandle> handles;
    std::vector<double> x;
    std::vector<float> health;
    float throttle;
  };
  std::vector<Seen> seen;
  const auto& store = world.Server().World().Store();
  const auto& columns = world.Server().World().Columns();
  for (int tick = 0; tick < 120; ++tick) {
    world.Step();
    Seen& now = seen.emplace_back();
    now.tick = world.Now();
    for (const std::uint32_t slot : store.LiveSlots()) {
      now.handles.push_back(store.HandleAt(slot));
      now.x.push_back(store.Column(columns.positionX)[slot]);
      now.health.push_back(store.Column(columns.health)[slot]);
    }
    now.throttle = store.Column(columns.control)[world.Server().Sessions().Sessions()[0]->entity.Slot()].throttle;
    // The world runs faster than any disk here; the ring holds 16 ticks.
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  EXPECT_NE(console.Execute("record stop").find("stopping"), std::string::npos);
  while (console.Execute("record status").find("ended") == std::string::npos) {
    world.Step();
    std::this_thread::yield();
  }
  EXPECT_NE(console.Execute("record start " + path).find("RecordingExists"), std::string::npos);

  auto reader = recording::RecordingReader::Open(path);
  ASSERT_TRUE(reader.HasValue()) << reader.Failure().ToString();
  EXPECT_EQ(reader->Schema().columns.size(), server::AllRecordedColumns(columns).size());
  std::size_t ticks = 0;
  std::size_t worlds = 0;
  for (Result<bool> more = reader->Next(); more && *more; more = reader->Next()) {
    const recording::RecordedTick& current = reader->Current();
    const auto expected =
        std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.tick == current.tick; });
    ASSERT_NE(expected, seen.end());
    ASSERT_EQ(current.inputs.size(), 1U);
    EXPECT_EQ(current.inputs[0].throttle, expected->throttle);
    ++ticks;
    if (!current.hasWorld) {
      continue;
    }
    ++worlds;
    std::vector<double> x;
    std::vector<float> health;
    reader->ReadColumn(*reader->FindColumn("position_x"), x);
    reader->ReadColumn(*reader->FindColumn("health"), health);
    EXPECT_EQ(current.handles, expected->handles);
    EXPECT_EQ(x, expected->x);
    EXPECT_EQ(health, expected->health);
  }
  EXPECT_TRUE(reader->IsComplete());
  EXPECT_EQ(ticks + reader->Current().leftOut, 120U);
  EXPECT_GT(worlds, 0U);
}

TEST(WorldRecorder, TheConfigurationRecordsFromTheStartAndNeverOverAnother) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.HasValue());
  server::ServerConfig config = LivelyWorld();
  config.recording.path = (folder->Path() / "world.rec").string();
  config.recording.columns = {"health", "position_x"};
  for (const char* name : {"world.rec", "world.rec.1"}) {
    {
      VirtualWorld world{config};
      world.Steps(20);
    }
    auto reader = recording::RecordingReader::Open(folder->Path() / name);
    ASSERT_TRUE(reader.HasValue()) << reader.Failure().ToString();
    const recording::RecordingSummary summary = recording::Summarise(*reader);
    EXPECT_TRUE(summary.isComplete);
    EXPECT_EQ(summary.ticks + summary.leftOut, 20U);
    EXPECT_EQ(summary.schema.columns.size(), 2U);
  }
  server::CommandLine print;
  print.printRecording = folder->Path() / "world.rec.1";
  EXPECT_EQ(server::RunServer(print), 0);
  print.printRecording = MUSTER_TEST_SOURCE_DIR "/Content/Archetypes/truck.toml";
  EXPECT_EQ(server::RunServer(print), server::kExitFailure);

  config.recording.columns = {"speed"};
  EXPECT_THROW(VirtualWorld{config}, std::runtime_error);
}

}  // namespace
}  // namespace muster::tests
