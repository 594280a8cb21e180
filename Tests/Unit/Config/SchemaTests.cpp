// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Config/Schema.h"

#include "Config/Load.h"
#include "Core/Assert.h"
#include "SampleSchema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace muster::config {
namespace {

[[noreturn]] void Throw(const AssertionFailure& failure) {
  throw std::logic_error{failure.message};
}

class AssertsThrow : public testing::Test {
 protected:
  AssertsThrow() : m_before{SetAssertHandler(&Throw)} {}
  ~AssertsThrow() override { SetAssertHandler(m_before); }

 private:
  AssertHandler m_before;
};

using SchemaAsserts = AssertsThrow;

TEST(Schema, TakesDefaultsFromTheStruct) {
  const Loaded loaded = LoadText(SampleSchema().Keys(), "", "empty.toml");
  ASSERT_TRUE(loaded.IsUsable());
  const SampleConfig config = SampleSchema().Bind(loaded.config);
  EXPECT_EQ(config.server.maxPeers, 32u);
  EXPECT_EQ(config.server.name, "Muster");
  EXPECT_EQ(config.world.gain, 1.0f);
}

TEST(Schema, AcceptsTheEndsOfEveryRange) {
  for (const char* text : {"[server]\nmax_peers = 1\n", "[server]\nmax_peers = 1024\n", "[server]\nport = 0\n",
                           "[server]\nport = 65535\n", "[world]\nspread_km = 0\n", "[world]\nspread_km = 1000.0\n"}) {
    EXPECT_TRUE(LoadText(SampleSchema().Keys(), text, "s.toml").IsUsable()) << text;
  }
}

TEST_F(SchemaAsserts, RefusesAKeyTwice) {
  Schema<SampleConfig> schema = SampleSchema();
  EXPECT_THROW(schema.Add(
                   "server", "port", [](SampleConfig & c) -> auto& { return c.server.port; }),
               std::logic_error);
}

TEST_F(SchemaAsserts, RefusesADefaultOutsideItsRange) {
  Schema<SampleConfig> schema;
  EXPECT_THROW(schema
                   .Add(
                       "server", "port", [](SampleConfig & c) -> auto& { return c.server.port; })
                   .Range(1, 10),
               std::logic_error);
}

TEST_F(SchemaAsserts, RefusesNamesThatTomlWouldHaveToQuote) {
  Schema<SampleConfig> schema;
  const auto access = [](SampleConfig & c) -> auto& {
    return c.server.port;
  };
  EXPECT_THROW(schema.Add("Server", "port", access), std::logic_error);
  EXPECT_THROW(schema.Add("server", "udp port", access), std::logic_error);
  EXPECT_THROW(schema.Add("server", "", access), std::logic_error);
}

TEST(EffectiveConfig, SaysWhereEachValueCameFrom) {
  Sources others;
  others.environment = {"MUSTER_SERVER_NAME=env"};
  others.overrides = {"world.compress=true"};
  const Loaded loaded = LoadText(SampleSchema().Keys(), "[server]\n\nmax_peers = 64\n", "server.toml", others);
  const std::string text = loaded.config.Print();
  EXPECT_NE(text.find("max_peers = 64  # server.toml:3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("name = \"env\"  # MUSTER_SERVER_NAME\n"), std::string::npos) << text;
  EXPECT_NE(text.find("compress = true  # --set\n"), std::string::npos) << text;
  EXPECT_NE(text.find("port = 4778  # default\n"), std::string::npos) << text;
}

TEST(EffectiveConfig, MasksSecrets) {
  const Loaded loaded = LoadText(
      SampleSchema().Keys(), "[admin]\npassword = \"hunter2\"\n[plugins.\"a.b\"]\napi_token = \"hunter3\"\n", "s.toml");
  const std::string text = loaded.config.Print();
  EXPECT_EQ(text.find("hunter"), std::string::npos) << text;
  EXPECT_NE(text.find("password = \"********\""), std::string::npos) << text;
  EXPECT_NE(text.find("api_token = \"********\""), std::string::npos) << text;
}

TEST(EffectiveConfig, PrintsWhatItCanReadBack) {
  const std::string file =
      "[server]\nname = \"quo\\\"te \\\\ tab\\t\"\n[world]\nspread_km = 3\n"
      "[plugins]\nload = [\"a\", \"b\"]\n[plugins.\"x.y\"]\nn = 2.0\n";
  const Loaded first = LoadText(SampleSchema().Keys(), file, "s.toml");
  ASSERT_TRUE(first.IsUsable()) << first.ErrorText();
  Loaded second = LoadText(SampleSchema().Keys(), first.config.Print(), "printed.toml");
  // The mask of a secret is all that differs.
  ASSERT_TRUE(second.IsUsable()) << second.ErrorText();
  const std::vector<Change> changes = Differences(first.config, second.config);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].path, "admin.password");
}

TEST(Differences, TellWhatIsLiveAndWhatNeedsARestart) {
  const KeySet keys = SampleSchema().Keys();
  const Loaded before = LoadText(keys, "[plugins.\"a.b\"]\nold = 1\nsame = 1\n", "s.toml");
  const Loaded after = LoadText(
      keys, "[server]\nmax_peers = 64\nport = 5000\n[admin]\npassword = \"x\"\n[plugins.\"a.b\"]\nsame = 1\nnew = 2\n",
      "s.toml");
  const std::vector<Change> changes = Differences(before.config, after.config);
  ASSERT_EQ(changes.size(), 5u);
  EXPECT_EQ(changes[0].path, "server.max_peers");
  EXPECT_EQ(changes[0].before, "32");
  EXPECT_EQ(changes[0].after, "64");
  EXPECT_EQ(changes[0].reload, Reload::Live);
  EXPECT_EQ(changes[1].path, "server.port");
  EXPECT_EQ(changes[1].reload, Reload::Restart);
  EXPECT_EQ(changes[2].after, "\"********\"");
  EXPECT_EQ(changes[3].path, "plugins.\"a.b\".new");
  EXPECT_EQ(changes[3].before, "");
  EXPECT_EQ(changes[4].path, "plugins.\"a.b\".old");
  EXPECT_EQ(changes[4].after, "");
  EXPECT_TRUE(Differences(after.config, after.config).empty());
}

TEST(MarkdownReference, ListsEveryKeyOnceWithItsBounds) {
  const KeySet keys = SampleSchema().Keys();
  const std::string text = MarkdownReference(keys);
  for (const Key& key : keys.Keys()) {
    EXPECT_NE(text.find("| `" + key.name + "` |"), std::string::npos) << key.name;
  }
  EXPECT_NE(text.find("## `[server]`"), std::string::npos);
  EXPECT_NE(text.find("| `max_peers` | integer | `32` | 1 to 1024 | peers | at reload | Players"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| `password` | text | `secret` |"), std::string::npos) << text;
  EXPECT_NE(text.find("Who may join \\| and who not."), std::string::npos) << text;
  // Every row has the same number of cells.
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    const std::string line = text.substr(start, end - start);
    if (line.starts_with("| `")) {
      const auto pipes = std::count(line.begin(), line.end(), '|');
      const auto escaped = line.find("\\|") == std::string::npos ? 0 : 1;
      EXPECT_EQ(pipes - escaped, 8) << line;
    }
    start = end + 1;
  }
}

}  // namespace
}  // namespace muster::config
