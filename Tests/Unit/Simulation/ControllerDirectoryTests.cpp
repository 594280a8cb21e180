// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginApi/PluginTables.h"
#include "PluginHost/Errors.h"
#include "SteppedWorld.h"

#include <gmock/gmock.h>

#include <cstring>
#include <limits>

namespace muster::simulation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Controllers made for tests: each counts its thinks in its blackboard and shows who it is by the rudder.
template <int kVersion>
class Counting {
 public:
  std::uint32_t ControllerCount() const { return kVersion == 3 ? 1 : 2; }
  mu_status ControllerInfo(std::uint32_t index, mu_controller_info& info) const {
    info = {plugin::ToText(index == 0 ? "count" : "other"), 8, kVersion == 4 ? 2U : 1U, 2, 0};
    return MU_OK;
  }
  mu_status Think(const mu_think_batch& batch) {
    for (std::uint32_t i = 0; i < batch.count; ++i) {
      std::uint64_t count = 0;
      std::memcpy(&count, batch.blackboards + std::size_t{i} * batch.blackboard_stride, sizeof(count));
      ++count;
      std::memcpy(batch.blackboards + std::size_t{i} * batch.blackboard_stride, &count, sizeof(count));
      batch.controls[i] = mu_control{7.0F, -std::numeric_limits<float>::infinity(), static_cast<float>(count) * 0.01F,
                                     static_cast<float>(kVersion) * 0.1F, 0};
      if (kVersion == 9 && batch.tick >= 10) {
        throw std::runtime_error{"the map is gone"};
      }
    }
    return MU_OK;
  }
};

class Refusing {
 public:
  Refusing() { throw std::runtime_error{"no licence"}; }
  std::uint32_t ControllerCount() const { return 1; }
  void ControllerInfo(std::uint32_t, mu_controller_info&) const {}
  void Think(const mu_think_batch&) {}
};

class Nameless {
 public:
  std::uint32_t ControllerCount() const { return 1; }
  void ControllerInfo(std::uint32_t, mu_controller_info& info) const {
    info = {plugin::ToText("Not A Name"), 0, 0, 1, 0};
  }
  void Think(const mu_think_batch&) {}
};

class Stranger {
 public:
  std::uint32_t ControllerCount() const { return 1; }
  void ControllerInfo(std::uint32_t, mu_controller_info& info) const {
    info = {plugin::ToText("stranger"), 0, 0, 1, 0};
  }
  void Think(const mu_think_batch&) {}
};

class Greedy {
 public:
  std::uint32_t ControllerCount() const { return 1; }
  void ControllerInfo(std::uint32_t, mu_controller_info& info) const {
    info = {plugin::ToText("greedy"), 4'096, 0, 1, 0};
  }
  void Think(const mu_think_batch&) {}
};

template <class T>
ControllerDirectory::Provider ProviderOf(const char* name) {
  return {name, &plugin::AiControllerTable<T>::kTable, {}};
}

class ControllerDirectoryTest : public ::testing::Test {
 protected:
  std::uint32_t SpawnAgent(std::string_view controller) {
    return world.simulation
        .Spawn({.archetype = world.Archetype("builtin:trainer"),
                .position = {0.0, 3'000.0, 0.0},
                .speedMps = 150.0F,
                .controller = *world.controllers.Find(controller)})
        .Slot();
  }
  mu_control ControlOf(std::uint32_t slot) {
    return world.simulation.Store().Column(world.simulation.Columns().control)[slot];
  }

  test::SteppedWorld world{{.withPlugins = false}};
};

TEST_F(ControllerDirectoryTest, OffersHoldFromTheStartAndAddsNamesInOrder) {
  EXPECT_THAT(world.controllers.Names(), ElementsAre("hold"));
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  EXPECT_THAT(world.controllers.Names(), ElementsAre("hold", "count", "other"));
  EXPECT_EQ(world.controllers.Find("other")->Value(), 3U);
  EXPECT_FALSE(world.controllers.Find("absent"));
}

TEST_F(ControllerDirectoryTest, AgentsThinkEveryStrideSpreadBySlotAndCommandsAreClamped) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  const std::uint32_t first = SpawnAgent("count");
  const std::uint32_t second = SpawnAgent("count");
  world.Run(1);
  EXPECT_EQ(ControlOf(first).aileron, 0.0F) << "slot 0 thinks in even ticks";
  EXPECT_EQ(ControlOf(second).aileron, 0.01F) << "slot 1 in odd ones";
  world.Run(9);
  EXPECT_FLOAT_EQ(ControlOf(first).aileron, 0.05F);
  EXPECT_EQ(ControlOf(first).throttle, 1.0F);
  EXPECT_EQ(ControlOf(first).elevator, 0.0F) << "what is not finite commands nothing";
}

TEST_F(ControllerDirectoryTest, ASwapRunsTheNewCodeOnTheOldBlackboards) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  const std::uint32_t agent = SpawnAgent("count");
  world.Run(10);
  EXPECT_EQ(ControlOf(agent).rudder, 0.1F);
  const auto old = world.controllers.Swap("test.count", ProviderOf<Counting<2>>("test.count"));
  ASSERT_TRUE(old.HasValue()) << old.Failure().ToString();
  EXPECT_EQ(old->table, &plugin::AiControllerTable<Counting<1>>::kTable);
  world.Run(10);
  EXPECT_EQ(ControlOf(agent).rudder, 0.2F) << "the new code answers";
  EXPECT_FLOAT_EQ(ControlOf(agent).aileron, 0.1F) << "and remembers what the old one counted";
}

TEST_F(ControllerDirectoryTest, AnotherSchemaStartsWithEmptyBlackboards) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  const std::uint32_t agent = SpawnAgent("count");
  world.Run(10);
  ASSERT_TRUE(world.controllers.Swap("test.count", ProviderOf<Counting<4>>("test.count")).HasValue());
  world.Run(2);
  EXPECT_EQ(ControlOf(agent).aileron, 0.01F);
}

TEST_F(ControllerDirectoryTest, ANameThatIsGoneIsFlownByHoldUntilItIsBack) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  const std::uint32_t agent = SpawnAgent("other");
  ASSERT_TRUE(world.controllers.Swap("test.count", ProviderOf<Counting<3>>("test.count")).HasValue());
  world.Run(4);
  EXPECT_GT(world.controllers.FallbackThinks(), 0U);
  EXPECT_EQ(ControlOf(agent).rudder, 0.0F);
  EXPECT_TRUE(world.log.Contains("does not offer other"));
  ASSERT_TRUE(world.controllers.Swap("test.count", ProviderOf<Counting<2>>("test.count")).HasValue());
  world.Run(4);
  EXPECT_EQ(ControlOf(agent).rudder, 0.2F);
}

TEST_F(ControllerDirectoryTest, AProviderThatVanishesLeavesItsAgentsToHoldAndTheirMemoriesAsTheyWere) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  const std::uint32_t agent = SpawnAgent("count");
  world.Run(10);
  ASSERT_FLOAT_EQ(ControlOf(agent).aileron, 0.05F);
  ASSERT_TRUE(world.controllers.Swap("test.count", ProviderOf<Stranger>("test.stranger")).HasValue());
  world.Run(20);
  EXPECT_EQ(ControlOf(agent).rudder, 0.0F) << "flown by hold";
  EXPECT_THAT(world.controllers.Names(), ElementsAre("hold", "count", "other", "stranger"))
      << "names outlive those who offered them, as agents go by them";
  ASSERT_TRUE(world.controllers.Swap("test.stranger", ProviderOf<Counting<2>>("test.count")).HasValue());
  world.Run(2);
  EXPECT_FLOAT_EQ(ControlOf(agent).aileron, 0.06F) << "it goes on counting where it was";
}

TEST_F(ControllerDirectoryTest, TwoProvidersOfOneNameAreRefusedAtStartAndAtASwap) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Stranger>("test.stranger")).HasValue());
  for (const Error& refused : {world.controllers.Add(ProviderOf<Counting<3>>("test.twin")).Failure(),
                               world.controllers.Swap("test.stranger", ProviderOf<Counting<3>>("test.twin")).Failure(),
                               world.controllers.Swap("test.count", ProviderOf<Stranger>("test.twin")).Failure()}) {
    EXPECT_EQ(refused.code, kControllerRefused);
    EXPECT_THAT(refused.ToString(), HasSubstr("is offered by"));
  }
  EXPECT_THAT(world.controllers.Names(), ElementsAre("hold", "count", "other", "stranger"));
  EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
}

TEST_F(ControllerDirectoryTest, AFailingProviderIsReplacedByHoldAndSaidOnce) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<9>>("test.count")).HasValue());
  const std::uint32_t agent = SpawnAgent("count");
  world.Run(60 * 20);
  EXPECT_EQ(ControlOf(agent).rudder, 0.0F);
  EXPECT_GT(world.controllers.FallbackThinks(), 100U);
  EXPECT_TRUE(world.controllers.Providers()[1].isDisabled);
  EXPECT_EQ(world.controllers.Providers()[1].failures, 1U);
  EXPECT_TRUE(world.log.Contains("test.count"));
  EXPECT_EQ(world.log.Entries().size(), 1U);
  const double altitude = PositionAt(world.simulation.Store(), world.simulation.Columns(), agent).y;
  EXPECT_GT(altitude, 2'800.0) << "held, not crashed";
  ASSERT_TRUE(world.controllers.Swap("test.count", ProviderOf<Counting<2>>("test.count")).HasValue());
  world.Run(4);
  EXPECT_EQ(ControlOf(agent).rudder, 0.2F) << "a swap brings it back";
}

TEST_F(ControllerDirectoryTest, ABadCandidateChangesNothing) {
  ASSERT_TRUE(world.controllers.Add(ProviderOf<Counting<1>>("test.count")).HasValue());
  const std::uint32_t agent = SpawnAgent("count");
  EXPECT_EQ(world.controllers.Swap("test.count", ProviderOf<Refusing>("test.bad")).Failure().code,
            plugins::kCreateFailed);
  EXPECT_EQ(world.controllers.Swap("test.count", ProviderOf<Nameless>("test.bad")).Failure().code, kControllerRefused);
  EXPECT_EQ(world.controllers.Swap("test.count", ProviderOf<Greedy>("test.bad")).Failure().code, kControllerRefused);
  EXPECT_EQ(world.controllers.Swap("test.none", ProviderOf<Counting<2>>("x")).Failure().code, plugins::kNoProvider);
  EXPECT_THAT(world.controllers.Add(ProviderOf<Counting<2>>("test.twin")).Failure().ToString(),
              HasSubstr("test.count"));
  EXPECT_THAT(world.controllers.Names(), ElementsAre("hold", "count", "other"));
  world.Run(2);
  EXPECT_EQ(ControlOf(agent).rudder, 0.1F);
}

TEST(HoldController, StopsWhatDrives) {
  test::SteppedWorld world{{.withPlugins = false}};
  const auto truck = world.simulation.Spawn({.archetype = world.Archetype("builtin:truck"),
                                             .speedMps = 15.0F,
                                             .controller = *world.controllers.Find("hold")});
  world.Run(10 * kTickHz);
  const Vec3d stand = PositionAt(world.simulation.Store(), world.simulation.Columns(), truck.Slot());
  EXPECT_LT(stand.z, -10.0) << "it was driving";
  world.Run(2 * kTickHz);
  EXPECT_EQ(PositionAt(world.simulation.Store(), world.simulation.Columns(), truck.Slot()), stand);
}

TEST(ControllerPlugin, IsSwappedForAnotherGenerationWithoutAWobble) {
  test::SteppedWorld world;
  world.SpawnLoad({.count = 20, .spreadKm = 10.0});
  world.Run(600);
  const double before = PositionAt(world.simulation.Store(), world.simulation.Columns(), 3).y;
  auto generation = world.Host().LoadReplacement(test::kBasicControllers);
  ASSERT_TRUE(generation.HasValue()) << generation.Failure().ToString();
  auto next = plugins::ProviderCatalog::Of<mu_ai_controller_v0>(*generation);
  ASSERT_TRUE(next.HasValue());
  auto old = world.controllers.Swap(test::kBasicControllers, std::move(*next));
  ASSERT_TRUE(old.HasValue()) << old.Failure().ToString();
  auto retired = old->generation;
  *old = {};
  ASSERT_TRUE(world.Host().Retire(std::move(retired)).HasValue());
  world.Run(600);
  EXPECT_EQ(world.simulation.Store().LiveCount(), 20U);
  EXPECT_NEAR(PositionAt(world.simulation.Store(), world.simulation.Columns(), 3).y, before, 15.0);
  EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
}

}  // namespace
}  // namespace muster::simulation
