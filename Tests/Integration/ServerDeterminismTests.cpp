// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "VirtualWorld.h"

#include "Core/Hash.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace muster::tests {
namespace {

struct RunDigests {
  std::vector<std::uint64_t> state;                ///< after each tick
  std::map<std::uint32_t, std::uint64_t> packets;  ///< of every message a session was sent, in order
  std::uint64_t packetCount = 0;
  std::size_t deaths = 0;
};

/// 1,200 scripted ticks: agents in a crowd tight enough to collide, under fire, clients that come, fly, leave and come
/// again.
RunDigests RunScript(std::uint32_t workers) {
  server::ServerConfig config;
  config.world.simWorkerThreads = workers;
  config.world.testSpawnAiCount = 300;
  config.world.testSpawnSpreadKm = 8.0;
  config.world.testSpawnAiMix = "loiter:60,pursuit:40";
  config.world.testProjectileRate = 40.0;
  config.world.testProjectileTtlS = 1.0;
  config.server.maxPeers = 16;
  VirtualWorld world{config};

  RunDigests digests;
  std::map<std::uint32_t, Digest64> packets;
  world.Server().ObservePackets([&](SessionId session, std::uint32_t sequence, std::span<const std::byte> message) {
    Digest64& digest = packets[session.Value()];
    digest.Update(sequence);
    digest.Update(message);
    ++digests.packetCount;
  });
  for (int tick = 0; tick < 1'200; ++tick) {
    if (tick % 60 == 0 && tick / 60 < 8) {
      world.AddClient("bot-" + std::to_string(tick / 60));
    }
    if (tick == 700) {
      world.RemoveClient(2);  // without a goodbye
      world.AddClient("late");
    }
    world.Step();
    digests.state.push_back(world.Server().World().StateDigest());
  }
  for (const auto& [session, digest] : packets) {
    digests.packets[session] = digest.Value();
  }
  digests.deaths = world.Server().World().Counts().reaped;
  return digests;
}

TEST(ServerDeterminism, SameStateAndSamePacketsForAnyNumberOfWorkers) {
  const RunDigests reference = RunScript(1);
  ASSERT_EQ(reference.state.size(), 1'200U);
  ASSERT_EQ(reference.packets.size(), 9U);
  EXPECT_GT(reference.packetCount, 5'000U);
  EXPECT_NE(reference.state.front(), reference.state.back());
  for (const std::uint32_t workers : {2U, 3U, 4U, 7U, 8U}) {
    const RunDigests run = RunScript(workers);
    EXPECT_EQ(run.state, reference.state) << workers << " workers";
    EXPECT_EQ(run.packets, reference.packets) << workers << " workers";
    EXPECT_EQ(run.packetCount, reference.packetCount);
  }
  std::printf("state %016llx after 1,200 ticks, %llu packets, %zu deaths\n",
              static_cast<unsigned long long>(reference.state.back()),
              static_cast<unsigned long long>(reference.packetCount), reference.deaths);
}

}  // namespace
}  // namespace muster::tests
