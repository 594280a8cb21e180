// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginConformance/OpenPlugin.h"
#include "PluginConformance/Request.h"

#include "PluginHost/Errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace muster::conformance {
namespace {

/// A command line that may be written to, as main's is.
class CommandLine {
 public:
  explicit CommandLine(std::vector<std::string> words)
      : m_words{std::move(words)}, m_count{static_cast<int>(m_words.size())} {
    for (std::string& word : m_words) {
      m_pointers.push_back(word.data());
    }
    m_pointers.push_back(nullptr);
  }
  std::optional<Request> Take() { return TakeRequest(m_count, m_pointers.data()); }
  std::vector<std::string> Left() const { return {m_pointers.data(), m_pointers.data() + m_count}; }

 private:
  std::vector<std::string> m_words;
  std::vector<char*> m_pointers;
  int m_count;
};

TEST(ConformanceRequest, TakesItsOwnArgumentsAndLeavesTheRest) {
  CommandLine line{{"suite", "--gtest_brief=1", "--plugin", "/a/b/../Mine/", "--set", "fast=true", "more"}};
  const std::optional<Request> request = line.Take();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->plugin, std::filesystem::path{"/a/Mine"});
  EXPECT_EQ(line.Left(), (std::vector<std::string>{"suite", "--gtest_brief=1", "more"}));
}

TEST(ConformanceRequest, ReadsSettingsAsTheTypeTheyLookLike) {
  CommandLine line{
      {"suite", "--set", "a=false", "--set", "b=-12", "--set", "c=0.5", "--set", "d=1.2.3", "--set", "e="}};
  const std::optional<Request> request = line.Take();
  ASSERT_TRUE(request);
  EXPECT_FALSE(request->plugin);
  const plugins::PluginSettings expected{
      {"a", false}, {"b", std::int64_t{-12}}, {"c", 0.5}, {"d", std::string{"1.2.3"}}, {"e", std::string{}}};
  EXPECT_EQ(request->settings, expected);
}

TEST(ConformanceRequest, RefusesAnArgumentWithoutItsValue) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"suite", "--plugin"},
                                                {"suite", "--set"},
                                                {"suite", "--set", "key"},
                                                {"suite", "--set", "=value"}}) {
    EXPECT_FALSE(CommandLine{words}.Take()) << words.back();
  }
}

TEST(ConformanceRequest, TakesThePluginFromTheEnvironmentUnlessItIsNamed) {
  ASSERT_EQ(::setenv("MUSTER_CONFORMANCE_PLUGIN", "/from/Environment", 1), 0);
  const std::optional<Request> silent = CommandLine{{"suite"}}.Take();
  const std::optional<Request> named = CommandLine{{"suite", "--plugin", "/named"}}.Take();
  ::unsetenv("MUSTER_CONFORMANCE_PLUGIN");
  ASSERT_TRUE(silent && named);
  EXPECT_EQ(silent->plugin, std::filesystem::path{"/from/Environment"});
  EXPECT_EQ(named->plugin, std::filesystem::path{"/named"});
}

TEST(FindPlugins, TakesFixturesOnlyWhereTheyAreMeantToConform) {
  const auto found = FindPlugins(MUSTER_TEST_BINARY_DIR, "muster.spatial_index/0");
  const auto has = [&](std::string_view id) {
    return std::any_of(found.begin(), found.end(),
                       [id](const plugins::FoundPlugin& plugin) { return plugin.descriptor.id == id; });
  };
  EXPECT_TRUE(has("com.example.spatial"));
  EXPECT_FALSE(has("com.example.throwing"));
  EXPECT_TRUE(FindPlugins(MUSTER_TEST_BINARY_DIR, "muster.nothing/0").empty());
}

TEST(OpenPlugin, GivesTheTableOfALibraryOrItsNamedError) {
  const std::filesystem::path fixtures = std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "HotReload";
  const auto open = OpenPlugin::Open(fixtures / "SpatialV1", {});
  ASSERT_TRUE(open) << open.Failure().ToString();
  EXPECT_NE((*open)->Table<mu_spatial_index_v0>(), nullptr);
  EXPECT_EQ((*open)->Table<mu_transport_v0>(), nullptr);
  EXPECT_EQ((*open)->Generation().Id(), "com.example.spatial");

  const auto missing = OpenPlugin::Open(fixtures / "NobodyBuiltThis", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.Failure().code, plugins::kPluginNotFound) << missing.Failure().ToString();
}

}  // namespace
}  // namespace muster::conformance
