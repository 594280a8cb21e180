// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Another spatial index in the same server: chosen by configuration, put in while the world runs, and the same world
// whichever answers.
#include "Console.h"
#include "VirtualWorld.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::tests {
namespace {

constexpr const char* kGrid = "muster.spatial.grid";
constexpr const char* kTree = "muster.spatial.tree";
constexpr const char* kLinear = "builtin.linear";

server::ServerConfig ConfigWith(std::string_view index) {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  config.world.testSpawnAiCount = 300;
  config.plugins.spatialIndex = index;
  return config;
}

TEST(SpatialSwap, ConfigurationChoosesTheIndex) {
  for (const std::string_view index : {kGrid, kTree, kLinear}) {
    VirtualWorld world{ConfigWith(index)};
    world.Steps(5);
    const auto active = world.Server().Spatial().Active();
    EXPECT_EQ(active.name, index);
    EXPECT_FALSE(active.isDisabled);
  }
}

TEST(SpatialSwap, AnotherPluginTakesOverAndGivesBackWhileTheWorldRuns) {
  VirtualWorld world{ConfigWith(kGrid)};
  server::Console console{world.Server(), {}};
  netclient::Client& client = world.AddClient("Ada");
  const std::size_t loadedAtStart = world.Server().Plugins().Generations().size();
  world.Steps(60);
  for (int round = 0; round < 3; ++round) {
    for (const std::string next : {kTree, kGrid, kLinear, kTree, kTree, kLinear, kGrid}) {
      const std::string answer = console.Execute("plugin swap spatial " + next);
      ASSERT_NE(answer.find("-> " + next), std::string::npos) << answer;
      world.Steps(5);
      const auto active = world.Server().Spatial().Active();
      EXPECT_EQ(active.name, next);
      EXPECT_FALSE(active.isDisabled);
    }
  }
  EXPECT_EQ(client.Phase(), netclient::Client::State::Playing);
  EXPECT_LE(world.Server().Plugins().Generations().size(), loadedAtStart + 1) << "what was swapped out is not gone";
}

TEST(SpatialSwap, TheWorldIsTheSameWhicheverIndexAnswers) {
  const auto digestAfter = [](std::string_view index, std::string_view swappedTo) {
    VirtualWorld world{ConfigWith(index)};
    server::Console console{world.Server(), {}};
    world.AddClient("Ada");
    world.Steps(60);
    if (!swappedTo.empty()) {
      console.Execute("plugin swap spatial " + std::string{swappedTo});
    }
    world.Steps(120);
    return world.Server().World().StateDigest();
  };
  const auto expected = digestAfter(kLinear, "");
  EXPECT_EQ(digestAfter(kGrid, ""), expected);
  EXPECT_EQ(digestAfter(kTree, ""), expected);
  EXPECT_EQ(digestAfter(kGrid, kTree), expected);
  EXPECT_EQ(digestAfter(kTree, kLinear), expected);
}

}  // namespace
}  // namespace muster::tests
