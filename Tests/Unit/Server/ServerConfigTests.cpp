// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerApp.h"
#include "ServerConfigCheck.h"
#include "ServerConfigSchema.h"
#include "StandardInput.h"

#include "Config/Load.h"
#include "Core/Files.h"
#include "Link/Address.h"
#include "Simulation/LoadSpawner.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <string>
#include <vector>

namespace muster::server {
namespace {

constexpr const char* kSample = MUSTER_TEST_SOURCE_DIR "/Server/Config/sample.toml";

TEST(ServerConfig, ReferencePageIsWhatTheSchemaSays) {
  const auto page = ReadTextFile(MUSTER_TEST_SOURCE_DIR "/Docs/Reference/ServerConfig.md", 1 << 20);
  ASSERT_TRUE(page);
  EXPECT_EQ(*page, ConfigReference()) << "run: muster-server --print-config-reference > Docs/Reference/ServerConfig.md";
}

TEST(ServerConfig, DefaultsOfTheStructAreTheDefaultsOfTheKeys) {
  const auto schema = MakeServerSchema();
  const auto loaded = config::LoadText(schema.Keys(), "", "empty.toml");
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  const ServerConfig config = schema.Bind(loaded.config);
  EXPECT_EQ(config.server.maxPeers, ServerConfig{}.server.maxPeers);
  EXPECT_EQ(config.server.bindAddress, "127.0.0.1");
  EXPECT_EQ(config.world.maxCatchupTicks, 3U);
  EXPECT_EQ(config.security.connectRateLimitCount, 5U);
}

TEST(ServerConfig, TheSampleWorldIsSoundAndLetsItsSwarmIn) {
  const auto schema = MakeServerSchema();
  config::Sources sources;
  sources.file = kSample;
  const auto loaded = config::Load(schema.Keys(), sources);
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  const ServerConfig config = schema.Bind(loaded.config);
  EXPECT_GE(config.server.maxPeers, 64U);
  EXPECT_EQ(config.world.testSpawnAiCount, 500U);
  EXPECT_TRUE(config.security.connectRateLimitCount == 0 || config.security.connectRateLimitCount >= 64U);
}

TEST(ServerConfig, LayersOverrideEachOther) {
  const auto schema = MakeServerSchema();
  config::Sources sources;
  sources.environment = {"MUSTER_SERVER_MAX_PEERS=40", "MUSTER_SERVER_PORT=5000", "PATH=/bin"};
  sources.overrides = {"server.port=6000"};
  const auto loaded =
      config::LoadText(schema.Keys(), "[server]\nmax_peers = 20\nport = 4000\nname = \"x\"\n", "a.toml", sources);
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  const ServerConfig config = schema.Bind(loaded.config);
  EXPECT_EQ(config.server.name, "x");
  EXPECT_EQ(config.server.maxPeers, 40U);
  EXPECT_EQ(config.server.port, 6'000U);
}

TEST(ServerConfig, AMisspeltKeyNamesItsPlaceAndTheNearestOne) {
  const auto schema = MakeServerSchema();
  const auto loaded = config::LoadText(schema.Keys(), "[server]\n\nmax_peer = 20\n", "a.toml");
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].code, config::kConfigUnknownKey);
  const std::string text = loaded.ErrorText();
  EXPECT_NE(text.find("a.toml:3"), std::string::npos) << text;
  EXPECT_NE(text.find("max_peers"), std::string::npos) << text;
}

TEST(ServerConfig, TextsThatCannotBeReadForWhatTheyAreAreFoundBeforeTheStart) {
  ServerConfig config;
  EXPECT_TRUE(CheckServerConfig(config).empty());
  config.server.bindAddress = "300.1.1.1";
  config.world.testSpawnAiMix = "loiter:nan";
  const std::vector<Error> errors = CheckServerConfig(config);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].code, link::kBadAddress);
  EXPECT_TRUE(errors[0].sentence.starts_with("server.bind_address"));
  EXPECT_EQ(errors[1].code, simulation::kSpawnMixInvalid);
  EXPECT_TRUE(errors[1].sentence.starts_with("world.test_spawn_ai_mix"));
}

TEST(ServerConfig, CheckConfigRefusesWhatTheStartWouldRefuse) {
  CommandLine commandLine;
  commandLine.checkConfig = true;
  EXPECT_EQ(RunServer(commandLine), 0);
  for (const char* wrong : {"server.bind_address=300.1.1.1", "world.test_spawn_ai_mix=loiter:nan",
                            "world.test_spawn_ai_mix=,", "server.port=70000"}) {
    commandLine.sources.overrides = {wrong};
    EXPECT_EQ(RunServer(commandLine), kExitUsage) << wrong;
  }
}

/// Standard input replaced by a pipe for the time of a test.
class StandardInputTest : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    m_saved = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    m_write = ends[1];
  }
  void TearDown() override {
    ::dup2(m_saved, STDIN_FILENO);
    ::close(m_saved);
    CloseWriter();
  }
  void Write(const std::string& text) {
    ASSERT_EQ(::write(m_write, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void CloseWriter() {
    if (m_write >= 0) {
      ::close(m_write);
      m_write = -1;
    }
  }
  void Read(StandardInput& input) {
    input.Read([this](std::string_view line) { lines.emplace_back(line); });
  }
  std::vector<std::string> lines;

 private:
  int m_saved = -1;
  int m_write = -1;
};

TEST_F(StandardInputTest, GivesWholeLinesOnly) {
  StandardInput input{true};
  Write("sta");
  Read(input);
  EXPECT_TRUE(lines.empty());
  Write("tus\npeers\nhe");
  Read(input);
  EXPECT_EQ(lines, (std::vector<std::string>{"status", "peers"}));
}

TEST_F(StandardInputTest, CutsALineWithoutEndJustAboveTheLimitAndGoesOn) {
  StandardInput input{true};
  for (int i = 0; i < 40; ++i) {
    Write(std::string(4'000, 'x'));
    Read(input);
  }
  Write("\nstatus\n");
  Read(input);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].size(), StandardInput::kMaxLineBytes + 1);
  EXPECT_EQ(lines[1], "status");
}

TEST_F(StandardInputTest, RunsALastLineWithoutItsEnd) {
  StandardInput input{true};
  Write("shutdown");
  Read(input);
  EXPECT_TRUE(lines.empty());
  CloseWriter();
  Read(input);
  EXPECT_EQ(lines, std::vector<std::string>{"shutdown"});
}

TEST_F(StandardInputTest, EndsQuietlyWithItsInput) {
  StandardInput input{true};
  CloseWriter();
  Read(input);
  EXPECT_EQ(input.Descriptor(), -1);
  EXPECT_EQ(StandardInput{false}.Descriptor(), -1);
}

}  // namespace
}  // namespace muster::server
