// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "World/CommandBuffer.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace muster::world {
namespace {

TEST(ChunkedCommands, ComeOutInChunkOrderHoweverWorkersRan) {
  ChunkedCommands<int> commands;
  commands.Begin(8);
  std::vector<std::thread> threads;
  for (std::size_t worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&commands, worker] {
      for (const std::size_t chunk : {7 - worker, worker}) {
        for (int index = 0; index < 100; ++index) {
          commands.Record(chunk, static_cast<int>(chunk) * 1000 + index);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::vector<int> expected;
  for (int chunk = 0; chunk < 8; ++chunk) {
    for (int index = 0; index < 100; ++index) {
      expected.push_back(chunk * 1000 + index);
    }
  }
  std::vector<int> seen;
  commands.ForEach([&](int command) { seen.push_back(command); });
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(commands.Count(), 800U);
}

TEST(ChunkedCommands, ForgetLastTickWhenANewOneBegins) {
  ChunkedCommands<int> commands;
  commands.Begin(3);
  commands.Record(2, 5);
  commands.Begin(1);
  commands.Record(0, 1);
  EXPECT_EQ(commands.Count(), 1U);
  commands.Begin(3);
  EXPECT_EQ(commands.Count(), 0U);
}

TEST(ChunkedCommands, DespawnAnEntityThatTwoChunksKilledOnce) {
  ColumnRegistry registry;
  EntityStore store{registry, {.capacity = 64}};
  const EntityHandle first = store.Create();
  const EntityHandle second = store.Create();
  const EntityHandle third = store.Create();
  ChunkedCommands<EntityHandle> despawns;
  despawns.Begin(2);
  despawns.Record(1, first);
  despawns.Record(0, first);
  despawns.Record(1, third);
  EXPECT_EQ(CommitDespawns(store, despawns), 2U);
  EXPECT_FALSE(store.IsAlive(first));
  EXPECT_TRUE(store.IsAlive(second));
  EXPECT_FALSE(store.IsAlive(third));
}

}  // namespace
}  // namespace muster::world
