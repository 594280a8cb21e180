// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Resolver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "Descriptors.h"
#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

using test::Needs;
using test::Plugin;

[[nodiscard]] std::vector<std::string> Order(const std::vector<Descriptor>& plugins, const ResolveReport& report) {
  std::vector<std::string> ids;
  std::transform(report.order.begin(), report.order.end(), std::back_inserter(ids),
                 [&plugins](std::size_t index) { return plugins[index].id; });
  return ids;
}

/// The plugin's only error.
[[nodiscard]] Error ErrorOf(const ResolveReport& report, std::string_view id) {
  const PluginReport* plugin = report.Find(id);
  EXPECT_NE(plugin, nullptr) << id;
  if (plugin == nullptr || plugin->errors.size() != 1) {
    ADD_FAILURE() << report.ToText();
    return {};
  }
  EXPECT_EQ(plugin->verdict, PluginVerdict::Failed);
  return plugin->errors.front();
}

TEST(Resolver, OrdersByPhaseDepthAndId) {
  std::vector<Descriptor> plugins{Plugin("a.ai", "1.0.0", PluginKind::AiController),
                                  Plugin("b.spatial"),
                                  Plugin("a.spatial"),
                                  Plugin("z.transport", "1.0.0", PluginKind::Transport),
                                  Plugin("c.codec", "1.0.0", PluginKind::SnapshotCodec),
                                  Plugin("0.spatial.deep")};
  plugins[5].id = "a.deep";
  plugins[5].depends.required = {Needs("b.spatial")};
  const ResolveReport report = Resolve(plugins, {});
  EXPECT_FALSE(report.HasFailures()) << report.ToText();
  EXPECT_EQ(Order(plugins, report),
            (std::vector<std::string>{"c.codec", "z.transport", "a.spatial", "b.spatial", "a.deep", "a.ai"}));
}

TEST(Resolver, NeverLoadsBeforeADependencyOfALaterPhase) {
  std::vector<Descriptor> plugins{Plugin("a.codec", "1.0.0", PluginKind::SnapshotCodec),
                                  Plugin("z.ai", "1.0.0", PluginKind::AiController), Plugin("m.spatial")};
  plugins[0].depends.required = {Needs("z.ai")};
  EXPECT_EQ(Order(plugins, Resolve(plugins, {})), (std::vector<std::string>{"m.spatial", "z.ai", "a.codec"}));
}

TEST(Resolver, OptionalAndAfterOrderWhatIsThereAndIgnoreWhatIsNot) {
  std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("b.b"), Plugin("c.c")};
  plugins[0].depends.optional = {Needs("c.c"), Needs("not.there")};
  plugins[1].depends.after = {"a.a", "not.there"};
  EXPECT_EQ(Order(plugins, Resolve(plugins, {})), (std::vector<std::string>{"c.c", "a.a", "b.b"}));
}

TEST(Resolver, PrintsTheCyclesPath) {
  std::vector<Descriptor> plugins{Plugin("c.c"), Plugin("a.a"), Plugin("b.b"), Plugin("d.d"), Plugin("e.e")};
  plugins[1].depends.required = {Needs("b.b")};
  plugins[2].depends.required = {Needs("c.c")};
  plugins[0].depends.after = {"a.a"};
  plugins[3].depends.required = {Needs("a.a")};
  const ResolveReport report = Resolve(plugins, {});
  for (const char* id : {"a.a", "b.b", "c.c"}) {
    const Error error = ErrorOf(report, id);
    EXPECT_EQ(error.code, kCyclicDependency);
    EXPECT_NE(error.cause.find("a.a -> b.b -> c.c -> a.a"), std::string::npos) << error.cause;
  }
  EXPECT_EQ(ErrorOf(report, "d.d").code, kDependencyMissing) << "it hangs on the cycle without being on it";
  EXPECT_EQ(Order(plugins, report), std::vector<std::string>{"e.e"});
}

TEST(Resolver, MissingDependencyReachesAllWhoRequireItAndNobodyElse) {
  std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("b.b"), Plugin("c.c"), Plugin("d.d")};
  plugins[0].depends.required = {Needs("not.there", "^1.0.0")};
  plugins[1].depends.required = {Needs("a.a")};
  plugins[2].depends.required = {Needs("b.b")};
  plugins[3].depends.optional = {Needs("a.a")};
  const ResolveReport report = Resolve(plugins, {});
  const Error error = ErrorOf(report, "a.a");
  EXPECT_EQ(error.code, kDependencyMissing);
  EXPECT_NE(error.cause.find("not.there ^1.0.0"), std::string::npos) << error.cause;
  EXPECT_EQ(ErrorOf(report, "b.b").code, kDependencyMissing);
  EXPECT_EQ(ErrorOf(report, "c.c").code, kDependencyMissing);
  EXPECT_EQ(Order(plugins, report), std::vector<std::string>{"d.d"});
}

TEST(Resolver, VersionsOutOfRangeNameBoth) {
  std::vector<Descriptor> plugins{Plugin("a.a", "2.0.0"), Plugin("b.b"), Plugin("c.c")};
  plugins[1].depends.required = {Needs("a.a", ">=1.0.0 <2.0.0")};
  plugins[2].depends.optional = {Needs("a.a", "~1.5.0")};
  const ResolveReport report = Resolve(plugins, {});
  const Error error = ErrorOf(report, "b.b");
  EXPECT_EQ(error.code, kVersionOutOfRange);
  EXPECT_NE(error.cause.find(">=1.0.0 <2.0.0"), std::string::npos);
  EXPECT_NE(error.cause.find("2.0.0."), std::string::npos);
  EXPECT_EQ(ErrorOf(report, "c.c").code, kVersionOutOfRange) << "an optional plugin that is there must fit";
  EXPECT_EQ(Order(plugins, report), std::vector<std::string>{"a.a"});
}

TEST(Resolver, ConflictsFailWhoDeclaresThem) {
  std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("b.b", "1.5.0"), Plugin("c.c")};
  plugins[0].depends.conflicts = {Needs("b.b", "^1.0.0"), Needs("not.there")};
  plugins[2].depends.conflicts = {Needs("b.b", "^2.0.0")};
  const ResolveReport report = Resolve(plugins, {});
  EXPECT_EQ(ErrorOf(report, "a.a").code, kConflict);
  EXPECT_EQ(Order(plugins, report), (std::vector<std::string>{"b.b", "c.c"}));
}

TEST(Resolver, DuplicatesNameEveryPlace) {
  std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("a.a", "1.1.0"), Plugin("b.b")};
  plugins[0].origin = "/one/plugin.json";
  plugins[1].origin = "/two/plugin.json";
  plugins[2].depends.required = {Needs("a.a")};
  const ResolveReport report = Resolve(plugins, {});
  ASSERT_EQ(report.plugins.size(), 3u);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(report.plugins[i].errors.size(), 1u);
    EXPECT_EQ(report.plugins[i].errors[0].code, kDuplicateId);
    EXPECT_NE(report.plugins[i].errors[0].cause.find("/one/plugin.json and /two/plugin.json"), std::string::npos);
  }
  EXPECT_EQ(ErrorOf(report, "b.b").code, kDependencyMissing);
  EXPECT_TRUE(report.order.empty());
}

TEST(Resolver, PassesOverTheOtherSideAndSaysSo) {
  std::vector<Descriptor> plugins{Plugin("a.server"), Plugin("b.client"), Plugin("c.both"), Plugin("d.needs")};
  plugins[1].side = Side::Client;
  plugins[2].side = Side::Both;
  plugins[3].depends.required = {Needs("b.client")};
  const ResolveReport report = Resolve(plugins, {});
  EXPECT_EQ(Order(plugins, report), (std::vector<std::string>{"a.server", "c.both"}));
  EXPECT_EQ(report.Find("b.client")->verdict, PluginVerdict::Skipped);
  EXPECT_EQ(report.Find("b.client")->reason, "it is for the client side");
  const Error error = ErrorOf(report, "d.needs");
  EXPECT_EQ(error.code, kDependencyMissing);
  EXPECT_NE(error.cause.find("client side"), std::string::npos);
  ResolveOptions client;
  client.side = Side::Client;
  EXPECT_EQ(Order(plugins, Resolve(plugins, client)), (std::vector<std::string>{"b.client", "c.both"}));
  ResolveOptions both;
  both.side = Side::Both;
  EXPECT_EQ(Resolve(plugins, both).order.size(), 4u);
}

TEST(Resolver, PassesOverWhatIsDisabledOrNotAskedFor) {
  const std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("b.b"), Plugin("c.c")};
  ResolveOptions options;
  options.disabled = {"b.b"};
  EXPECT_EQ(Order(plugins, Resolve(plugins, options)), (std::vector<std::string>{"a.a", "c.c"}));
  options.only = {"b.b", "c.c"};
  EXPECT_EQ(Order(plugins, Resolve(plugins, options)), std::vector<std::string>{"c.c"});
}

TEST(Resolver, RefusesOtherPlatformsAndApiLevels) {
  std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("b.b"), Plugin("c.c"), Plugin("d.d")};
  plugins[0].libraries.clear();
  plugins[1].libraries.clear();
  plugins[1].libraries.emplace("linux.aarch64", LibraryEntry{});
  plugins[2].engine = {2, 3};
  plugins[3].engine = {1, UINT32_MAX};
  const ResolveReport report = Resolve(plugins, {});
  EXPECT_EQ(ErrorOf(report, "a.a").code, kNoLibraryForPlatform);
  EXPECT_NE(ErrorOf(report, "b.b").cause.find("linux.aarch64"), std::string::npos);
  EXPECT_EQ(ErrorOf(report, "c.c").code, kApiLevel);
  EXPECT_EQ(Order(plugins, report), std::vector<std::string>{"d.d"});
}

TEST(Resolver, ReportsEveryErrorOfAPluginAtOnce) {
  std::vector<Descriptor> plugins{Plugin("a.a"), Plugin("b.b")};
  plugins[0].depends.required = {Needs("x.x"), Needs("b.b", "^9.0.0")};
  plugins[0].depends.conflicts = {Needs("b.b")};
  const ResolveReport report = Resolve(plugins, {});
  ASSERT_EQ(report.Find("a.a")->errors.size(), 3u);
  const std::string text = report.ToText();
  for (const char* part : {"failed   a.a 1.0.0", "MU1101", "MU1102", "MU1104", "loaded   b.b 1.0.0"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Resolver, GivesTheSameReportForAnyOrderOfInput) {
  // A tangle with every kind of edge, a cycle, a duplicate and a failure.
  std::vector<Descriptor> plugins;
  for (int i = 0; i < 24; ++i) {
    plugins.push_back(Plugin("p.n" + std::to_string(i), "1.0.0", static_cast<PluginKind>(i % 4)));
    if (i > 2) {
      plugins.back().depends.required = {Needs("p.n" + std::to_string(i / 2))};
    }
    if (i % 5 == 0) {
      plugins.back().depends.after = {"p.n" + std::to_string((i + 7) % 24)};
    }
    if (i % 6 == 0) {
      plugins.back().depends.optional = {Needs("p.n" + std::to_string((i + 11) % 24))};
    }
  }
  plugins[1].depends.required = {Needs("p.n2")};
  plugins[2].depends.required = {Needs("p.n1")};
  plugins.push_back(plugins[20]);
  plugins.back().origin = "elsewhere";
  const ResolveReport expected = Resolve(plugins, {});
  const std::vector<std::string> expectedOrder = Order(plugins, expected);
  EXPECT_TRUE(expected.HasFailures());
  std::mt19937 random{11};
  for (int round = 0; round < 200; ++round) {
    std::shuffle(plugins.begin(), plugins.end(), random);
    const ResolveReport report = Resolve(plugins, {});
    ASSERT_EQ(report.ToText(), expected.ToText());
    ASSERT_EQ(Order(plugins, report), expectedOrder);
  }
}

TEST(Resolver, EveryDependencyLoadsFirstInRandomGraphs) {
  std::mt19937 random{5};
  for (int round = 0; round < 200; ++round) {
    std::vector<Descriptor> plugins;
    for (int i = 0; i < 30; ++i) {
      plugins.push_back(Plugin("p.n" + std::to_string(i), "1.0.0", static_cast<PluginKind>(random() % 4)));
      for (int edge = 0; i > 0 && edge < 2; ++edge) {
        plugins.back().depends.required.push_back(Needs("p.n" + std::to_string(random() % static_cast<unsigned>(i))));
      }
    }
    std::shuffle(plugins.begin(), plugins.end(), random);
    const ResolveReport report = Resolve(plugins, {});
    const std::vector<std::string> order = Order(plugins, report);
    ASSERT_EQ(order.size(), plugins.size()) << report.ToText();
    for (const Descriptor& plugin : plugins) {
      const auto own = std::find(order.begin(), order.end(), plugin.id);
      for (const PluginReference& required : plugin.depends.required) {
        ASSERT_LT(std::find(order.begin(), order.end(), required.id), own);
      }
    }
  }
}

TEST(Resolver, SurvivesAChainOfTenThousand) {
  std::vector<Descriptor> plugins;
  for (int i = 0; i < 10000; ++i) {
    plugins.push_back(Plugin("p.n" + std::to_string(i)));
    plugins.back().depends.required = {Needs("p.n" + std::to_string(i + 1))};
  }
  plugins.back().depends.required.clear();
  const ResolveReport report = Resolve(plugins, {});
  ASSERT_EQ(report.order.size(), plugins.size());
  EXPECT_EQ(plugins[report.order.front()].id, "p.n9999");
}

}  // namespace
}  // namespace muster::plugins
