// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Whether muster-bench measures right answers: every group of a quick run, made and checked with the plugins of the build,
// and the checks themselves against an index that lies.
#include "BenchRun.h"
#include "LoadedPlugins.h"
#include "PlainEntities.h"
#include "Recipes.h"
#include "SpatialChecks.h"

#include "Core/Clock.h"
#include "Core/Log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

namespace muster::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Recipes : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    static StderrSink sink{LogLevel::Warning};
    static SteadyClock clock;
    auto loaded =
        LoadedPlugins::Load(std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "Plugins", Logger{sink, "bench"}, clock);
    ASSERT_TRUE(loaded) << loaded.Failure().ToString();
    s_plugins = std::move(*loaded);
  }
  static void TearDownTestSuite() { s_plugins.reset(); }

  static inline std::unique_ptr<LoadedPlugins> s_plugins{};
};

TEST_F(Recipes, FindTheProvidersOfTheBuildAndTheBuiltInOne) {
  std::set<std::string> labels;
  for (const auto& provider : s_plugins->All().spatialIndexes) {
    labels.insert(provider.label);
  }
  EXPECT_TRUE(labels.count("grid") == 1 && labels.count("linear") == 1);
  EXPECT_GE(s_plugins->All().codecs.size(), 2U);
}

TEST_F(Recipes, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const GroupRecipe& recipe : AllRecipes(s_plugins->All(), {})) {
    EXPECT_TRUE(names.insert(recipe.name).second) << recipe.name;
    EXPECT_THAT(recipe.name, ::testing::MatchesRegex("[a-z0-9/]+(of[0-9]+)?[a-z0-9/]*"));
    EXPECT_FALSE(recipe.shows.empty());
  }
}

TEST_F(Recipes, OfAQuickRunAnswerRightAndAreTimed) {
  SteadyClock clock;
  SamplerOptions options;
  options.minSamples = 1;
  options.maxSamples = 1;
  options.hotSampleTime = std::chrono::microseconds(1);
  options.tickSampleTime = std::chrono::microseconds(1);
  const auto recipes = Select(AllRecipes(s_plugins->All(), {}), "", true);
  ASSERT_TRUE(recipes);
  std::vector<std::string> wrong;
  RunEvents events;
  events.onBegin = [](std::size_t, std::size_t, const std::string&) {};
  events.onGroup = [](const Report&, const std::string&) {};
  events.onWrong = [&](const Error& error) { wrong.push_back(error.ToString()); };
  Report report;
  EXPECT_TRUE(RunRecipes(
      *recipes, options, clock, [] { return false; }, events, report));
  EXPECT_THAT(wrong, ::testing::IsEmpty());
  EXPECT_TRUE(report.isComplete);
  std::set<std::string> measured;
  for (const CaseResult& result : report.cases) {
    measured.insert(result.name);
    EXPECT_GT(result.nanoseconds.median, 0.0) << result.name << " " << result.label;
  }
  EXPECT_EQ(measured.size(), recipes->size());
  std::set<std::string> ratios;
  for (const RatioResult& ratio : report.ratios) {
    EXPECT_TRUE(ratios.insert(ratio.name).second) << ratio.name;
  }
  EXPECT_EQ(ratios.count("spatial.gather.uniform.2000.2km.grid_over_brute"), 1U);
  EXPECT_EQ(ratios.count("entity.churn.20000.store_over_freelist"), 1U);
}

TEST(Run, LeavesOutAGroupThatAnswersWrong) {
  SteadyClock clock;
  const auto recipeOf = [](const std::string& name, const std::string& wrong) {
    return GroupRecipe{name, "a test", true, [=] {
                         Group group;
                         group.name = name;
                         Case made;
                         made.label = "case";
                         made.pass = [] {};
                         group.cases.push_back(made);
                         group.check = [wrong] { return wrong; };
                         return group;
                       }};
  };
  std::vector<std::string> told;
  RunEvents events;
  events.onBegin = [](std::size_t, std::size_t, const std::string&) {};
  events.onGroup = [&](const Report&, const std::string& name) { told.push_back(name); };
  events.onWrong = [&](const Error& error) { told.push_back(error.ToString()); };
  SamplerOptions options;
  options.maxSamples = 1;
  Report report;
  const std::vector<GroupRecipe> recipes = {recipeOf("bad", "two and two are five"), recipeOf("good", "")};
  EXPECT_FALSE(RunRecipes(
      recipes, options, clock, [] { return false; }, events, report));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_THAT(told[0], HasSubstr("two and two are five"));
  EXPECT_EQ(told[1], "good");
  ASSERT_EQ(report.cases.size(), 1U);
  EXPECT_EQ(report.cases[0].name, "good");

  Report stopped;
  EXPECT_TRUE(RunRecipes(
      recipes, options, clock, [] { return true; }, events, stopped));
  EXPECT_FALSE(stopped.isComplete);
  EXPECT_TRUE(stopped.cases.empty());
}

TEST(Select, TakesMatchesAndRefusesNothing) {
  const std::vector<GroupRecipe> recipes = {{"entity/pairs/1", "", false, {}}, {"spatial/rebuild", "", true, {}}};
  EXPECT_EQ(Select(recipes, "", false)->size(), 2U);
  EXPECT_EQ(Select(recipes, "^entity/", false)->front().name, "entity/pairs/1");
  EXPECT_EQ(Select(recipes, "", true)->front().name, "spatial/rebuild");
  for (const char* filter : {"^nothing$", "("}) {
    const auto none = Select(recipes, filter, false);
    ASSERT_FALSE(none) << filter;
    EXPECT_EQ(none.Failure().code, kNothingSelected);
  }
  EXPECT_FALSE(Select(recipes, "entity", true));
}

TEST(Cloud, IsTheSameForTheSameArgumentsAndLooksLikeItsName) {
  const Cloud first = MakeCloud(Distribution::Extreme, 1'000, 5);
  EXPECT_EQ(first.x, MakeCloud(Distribution::Extreme, 1'000, 5).x);
  EXPECT_NE(first.x, MakeCloud(Distribution::Extreme, 1'000, 6).x);
  const auto dense = std::count_if(first.slots.begin(), first.slots.end(), [&](std::uint32_t slot) {
    return std::abs(first.x[slot]) < 1'000.0F && std::abs(first.z[slot]) < 1'000.0F;
  });
  EXPECT_GT(dense, 850);
  EXPECT_LT(dense, 950);
  const Cloud uniform = MakeCloud(Distribution::Uniform, 1'000, 5);
  EXPECT_LE(*std::max_element(uniform.x.begin(), uniform.x.end()), 25'000.0F);
  EXPECT_LT(*std::min_element(uniform.z.begin(), uniform.z.end()), -20'000.0F);
  const Cloud moved = Moved(uniform, 10.0F, 1);
  for (std::size_t index = 0; index < moved.x.size(); ++index) {
    ASSERT_LE(std::abs(moved.x[index] - uniform.x[index]), 10.01F);
  }
  EXPECT_NE(moved.x, uniform.x);
}

/// Answers as the loop does, but for one query.
class Liar final : public ISpatialSubject {
 public:
  std::string Label() const override { return "liar"; }
  std::string Subject() const override { return "a liar"; }
  void Rebuild(const Cloud& cloud) override { m_truth->Rebuild(cloud); }
  void Gather(std::span<const mu_sphere_query> queries, SlotLists& lists) override {
    m_truth->Gather(queries, lists);
    --lists.counts[1];
  }
  void Nearest(std::span<const mu_nearest_query> queries, SlotLists& lists) override {
    m_truth->Nearest(queries, lists);
    std::swap(lists.At(1)[0], lists.At(1)[1]);
  }
  void Mark(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) override {
    m_truth->Mark(queries, bits, words);
    bits[words] ^= 1U;
  }

 private:
  std::unique_ptr<ISpatialSubject> m_truth = MakeBruteForce();
};

TEST(SpatialChecks, CatchAWrongAnswer) {
  const Cloud cloud = MakeCloud(Distribution::Uniform, 300, 1);
  const std::vector<mu_sphere_query> spheres = SpheresAround(cloud, 3, 8'000.0F, 2);
  std::vector<mu_nearest_query> nearest;
  for (const mu_sphere_query& sphere : spheres) {
    nearest.push_back({sphere.x, sphere.y, sphere.z, 1e6F, 8, std::numeric_limits<std::uint32_t>::max()});
  }
  Liar liar;
  liar.Rebuild(cloud);
  EXPECT_THAT(CheckGather(cloud, spheres, 300, liar), HasSubstr("a liar answers query 1"));
  EXPECT_THAT(CheckMark(cloud, spheres, liar), HasSubstr("a liar"));
  EXPECT_THAT(CheckNearest(cloud, nearest, liar, true), HasSubstr("query 1"));
  EXPECT_EQ(CheckNearest(cloud, nearest, liar, false), "") << "the same neighbours in another order";
  const auto truth = MakeBruteForce();
  truth->Rebuild(cloud);
  EXPECT_EQ(CheckGather(cloud, spheres, 300, *truth), "");
  EXPECT_EQ(CheckMark(cloud, spheres, *truth), "");
  EXPECT_EQ(CheckNearest(cloud, nearest, *truth, true), "");
  EXPECT_THAT(CountMatches(cloud, spheres), Not(::testing::Contains(0U)));
}

TEST(PlainEntities, KeepWhatIsAddedUntilItIsRemoved) {
  SparseSetRegistry registry{8};
  const std::uint64_t first = registry.Spawn({1.0F, 0.0F, 0.0F}, {});
  const std::uint64_t second = registry.Spawn({2.0F, 0.0F, 0.0F}, {});
  EXPECT_TRUE(registry.Despawn(first));
  EXPECT_FALSE(registry.Despawn(first));
  EXPECT_EQ(registry.PositionOf(second).x, 2.0F);
  const std::uint64_t third = registry.Spawn({3.0F, 0.0F, 0.0F}, {});
  EXPECT_EQ(static_cast<std::uint32_t>(third), static_cast<std::uint32_t>(first)) << "last freed, first reused";
  EXPECT_NE(third, first);
  float sum = 0.0F;
  registry.ForEach([&](const Vector3& position, const Vector3& /*velocity*/) { sum += position.x; });
  EXPECT_EQ(sum, 5.0F);
}

}  // namespace
}  // namespace muster::bench
