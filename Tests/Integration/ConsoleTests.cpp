// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Console.h"
#include "VirtualWorld.h"

#include "Core/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

namespace muster::tests {
namespace {

class ConsoleTest : public testing::Test {
 protected:
  ConsoleTest()
      : world(Config()),
        console(world.Server(), {.figures = [] { return server::TickFigures{}; },
                                 .shutdown = [this](std::string reason) { shutdownReason = std::move(reason); },
                                 .reloadConfig = [] { return std::string{"Nothing differs.\n"}; }}) {}

  static server::ServerConfig Config() {
    server::ServerConfig config;
    config.world.simWorkerThreads = 1;
    config.world.testSpawnAiCount = 10;
    return config;
  }

  VirtualWorld world;
  std::string shutdownReason = "-";
  server::Console console;
};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ConsoleTest, HelpNamesEveryCommand) {
  const std::string help = console.Execute("help");
  for (const char* name : {"help", "status", "tickstats", "peers", "kick", "spawn", "kill", "plugin", "reload_config",
                           "pause", "resume", "shutdown"}) {
    EXPECT_TRUE(Has(help, name)) << name;
  }
  EXPECT_TRUE(Has(console.Execute("help kick"), "SESSION"));
}

/// `kick SESSION [REASON...]`: every form of every command, as `help` shows them.
std::set<std::string> FormsInHelp(const std::string& help) {
  std::set<std::string> forms;
  std::istringstream lines{help};
  std::string name;
  std::string arguments;
  while (std::getline(lines, name) && std::getline(lines, arguments)) {
    name = name.substr(0, name.find(' '));
    arguments = arguments.substr(arguments.find_first_not_of(' '));
    if (arguments == "(no arguments)") {
      forms.insert(name);
      continue;
    }
    for (std::size_t begin = 0; begin != std::string::npos;) {
      const std::size_t end = arguments.find(" | ", begin);
      forms.insert(name + " " + arguments.substr(begin, end - begin));
      begin = end == std::string::npos ? end : end + 3;
    }
  }
  return forms;
}

/// What stands between backticks in the first column of the guide's table of commands.
std::set<std::string> FormsInGuide(const std::string& guide) {
  std::set<std::string> forms;
  std::istringstream lines{guide.substr(guide.find("`help [COMMAND]`") - 2)};
  for (std::string line; std::getline(lines, line) && line.starts_with("| ");) {
    for (std::size_t escaped = line.find("\\|"); escaped != std::string::npos; escaped = line.find("\\|")) {
      line.replace(escaped, 2, "\x1F");  // stands in, so that the column's end is found
    }
    std::string column = line.substr(2, line.find(" | ", 2) - 2);
    std::replace(column.begin(), column.end(), '\x1F', '|');
    for (std::size_t begin = column.find('`'); begin != std::string::npos;) {
      const std::size_t end = column.find('`', begin + 1);
      forms.insert(column.substr(begin + 1, end - begin - 1));
      begin = column.find('`', end + 1);
    }
  }
  return forms;
}

TEST_F(ConsoleTest, TheOperatorsGuideHasEveryCommandAsHelpShowsIt) {
  const auto guide = ReadTextFile(MUSTER_TEST_SOURCE_DIR "/Docs/Guides/Operator.md", 1 << 20);
  ASSERT_TRUE(guide);
  ASSERT_NE(guide->find("| `help [COMMAND]`"), std::string::npos);
  EXPECT_EQ(FormsInGuide(*guide), FormsInHelp(console.Execute("help")));
}

TEST_F(ConsoleTest, AnswersEveryCommandAndBreaksOnNone) {
  world.AddClient("Ada");
  world.Steps(60);
  for (const char* line : {"status", "tickstats", "peers", "plugin list", "pause", "resume", "reload_config",
                           "spawn loiter 3", "kill 0", "kill all-ai"}) {
    EXPECT_FALSE(console.Execute(line).empty()) << line;
    world.Step();
  }
  EXPECT_TRUE(Has(console.Execute("peers"), "Ada"));
  world.Steps(5);
  EXPECT_EQ(world.Server().World().Store().LiveCount(), 1U);
}

TEST_F(ConsoleTest, GarbageGetsAnAnswerAndDoesNothing) {
  const std::string garbage[] = {"frobnicate",
                                 "kick",
                                 "kick x",
                                 "kick 99999999999999999999",
                                 "kick -1",
                                 "spawn",
                                 "spawn nobody",
                                 "spawn loiter 0",
                                 "spawn loiter nan",
                                 "spawn loiter 3 builtin:nothing",
                                 "kill",
                                 "kill 4294967295",
                                 "kill -3",
                                 "plugin",
                                 "plugin swap",
                                 "plugin swap spatial",
                                 "plugin swap spatial ../x.so",
                                 "plugin swap spatial muster.ai.basic",
                                 "plugin swap controllers nobody muster.ai.basic",
                                 "\x1b[31m",
                                 "\xC3\x28 \xED\xA0\x80",
                                 std::string(5'000, 'a'),
                                 std::string{"a\0b", 3}};
  const std::uint64_t before = world.Server().World().StateDigest();
  for (const std::string& line : garbage) {
    const std::string answer = console.Execute(line);
    EXPECT_FALSE(answer.empty()) << line;
    EXPECT_FALSE(Has(answer, "\x1b"));
  }
  EXPECT_EQ(world.Server().World().StateDigest(), before);
  EXPECT_TRUE(console.Execute("").empty());
  EXPECT_TRUE(console.Execute("   \t ").empty());
}

TEST_F(ConsoleTest, KickTellsThePlayerWhy) {
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  EXPECT_TRUE(Has(console.Execute("kick 1 be nicer"), "sent away"));
  world.Steps(30);
  ASSERT_EQ(client.Phase(), netclient::Client::State::Closed);
  ASSERT_TRUE(client.Failure());
  EXPECT_EQ(client.Failure()->code, protocol::kKicked);
  EXPECT_TRUE(Has(client.Failure()->sentence, "be nicer"));
}

TEST_F(ConsoleTest, SwapToTheBuiltInIndexAndBackKeepsTheWorldGoing) {
  netclient::Client& client = world.AddClient("Ada");
  world.Steps(60);
  EXPECT_TRUE(Has(console.Execute("plugin swap spatial builtin.linear"), "-> builtin.linear"));
  EXPECT_TRUE(Has(console.Execute("plugin list"), "spatial index: builtin.linear"));
  world.Steps(30);
  EXPECT_TRUE(Has(console.Execute("plugin swap spatial muster.spatial.grid"), "-> muster.spatial.grid"));
  world.Steps(30);
  EXPECT_TRUE(Has(console.Execute("plugin swap controllers muster.ai.basic muster.ai.basic"), "muster.ai.basic"));
  world.Steps(30);
  EXPECT_EQ(client.Phase(), netclient::Client::State::Playing);
  EXPECT_EQ(client.World().EntityCount(), 11U);
}

TEST_F(ConsoleTest, ShutdownHandsOnItsReason) {
  EXPECT_EQ(console.Execute("shutdown for the night"), "stopping\n");
  EXPECT_EQ(shutdownReason, "for the night");
}

}  // namespace
}  // namespace muster::tests
