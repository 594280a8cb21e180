// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GameServer.h"

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Link/TransportHandle.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace muster::tests {
namespace {

TEST(TransportAddress, AServerOnAnAddressThatItsTransportCannotSpeakSaysSoInThePluginsWords) {
  server::ServerConfig config;
  config.network.transport = "muster.transport.enet";
  config.server.bindAddress = "::1";
  config.server.port = 0;
  SteadyClock clock;
  MemorySink sink;
  auto server = server::GameServer::Create(
      config, {.clock = clock,
               .logSink = sink,
               .pluginRoots = {{std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "Plugins"}},
               .contentDirectory = std::filesystem::path{MUSTER_TEST_SOURCE_DIR} / "Content"});
  ASSERT_TRUE(server) << server.Failure().ToString();
  const auto bound = (*server)->Listen();
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.Failure().code, link::kTransportFailed);
  EXPECT_NE(bound.Failure().cause.find("IPv4 only"), std::string::npos) << bound.Failure().ToString();
}

}  // namespace
}  // namespace muster::tests
