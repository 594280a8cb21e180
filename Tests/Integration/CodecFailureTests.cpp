// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A codec that breaks while the world runs: the world goes on, and the log says who it was.
#include "GameServer.h"

#include "Core/Clock.h"
#include "Core/Log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace muster::tests {
namespace {

TEST(CodecFailure, IsCountedAndTheLogNamesTheCodec) {
  ManualClock clock;
  MemorySink log;
  const std::filesystem::path build{MUSTER_TEST_BINARY_DIR};
  server::ServerConfig config;
  config.network.transport = "muster.transport.loopback";
  config.plugins.codec = "com.example.codec";
  config.world.simWorkerThreads = 1;
  config.world.testSpawnAiCount = 5;
  auto server = server::GameServer::Create(
      config, {.clock = clock,
               .logSink = log,
               .pluginRoots = {{build / "Plugins"}, {build / "Conformance/Codecs/CodecFails"}},
               .contentDirectory = std::filesystem::path{MUSTER_TEST_SOURCE_DIR} / "Content"});
  ASSERT_TRUE(server) << server.Failure().ToString();
  for (std::uint64_t tick = 1; tick <= 60; ++tick) {
    clock.Advance(kTickDuration);
    (*server)->RunTick(Tick{tick});
  }
  EXPECT_EQ((*server)->Replication().Stats().codecFailures, 57U) << "every tick but the first three";
  EXPECT_EQ((*server)->World().Store().LiveCount(), 5U);
  const auto entries = log.Entries();
  const auto isAboutIt = [](const MemorySink::Entry& entry) {
    return entry.level == LogLevel::Error &&
           entry.text.find("The codec com.example.codec 1.0.0 fails") != std::string::npos;
  };
  const auto told = std::count_if(entries.begin(), entries.end(), isAboutIt);
  EXPECT_GE(told, 1);
  EXPECT_LE(told, 2) << "not every tick";
}

}  // namespace
}  // namespace muster::tests
