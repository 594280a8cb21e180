// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Two providers of controllers in one server: mixed by configuration, swapped each by console while they fly.
#include "Console.h"
#include "VirtualWorld.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace muster::tests {
namespace {

using ::testing::HasSubstr;

server::ServerConfig TwoProviders() {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  config.world.testSpawnAiCount = 60;
  config.world.testSpawnSpreadKm = 20.0;
  config.world.testSpawnAiMix = "loiter:20,patrol:10,flock:15,convoy:5,avoid:10";
  config.plugins.controllers = {"muster.ai.basic", "muster.ai.steering"};
  return config;
}

class ControllerSwapTest : public testing::Test {
 protected:
  std::string BlackboardsOf(std::string_view name) {
    const auto& controllers = world.Server().Controllers();
    const auto column = controllers.Describe(*controllers.Find(name));
    return {reinterpret_cast<const char*>(column.blackboards),
            std::size_t{world.Server().World().Store().Capacity()} * column.blackboardStride};
  }
  std::uint64_t FallbackThinks() { return world.Server().Controllers().FallbackThinks(); }

  VirtualWorld world{TwoProviders()};
  server::Console console{world.Server(),
                          {.figures = [] { return server::TickFigures{}; },
                           .shutdown = [](const std::string&) {},
                           .reloadConfig = [] { return std::string{}; }}};
};

TEST_F(ControllerSwapTest, AMixTakesControllersOfEitherAndListsBoth) {
  world.Steps(120);
  EXPECT_EQ(world.Server().World().Store().LiveCount(), 60U);
  EXPECT_EQ(FallbackThinks(), 0U);
  const std::string list = console.Execute("plugin list");
  EXPECT_THAT(list, HasSubstr("controllers: muster.ai.basic"));
  EXPECT_THAT(list, HasSubstr("controllers: muster.ai.steering"));
  for (const char* name : {"patrol", "flock", "convoy", "avoid"}) {
    EXPECT_NE(BlackboardsOf(name).find_first_not_of('\0'), std::string::npos) << name << " has thought";
  }
}

TEST_F(ControllerSwapTest, EachIsSwappedForANewGenerationAndItsAgentsKeepTheirMemories) {
  world.Steps(120);
  const std::string patrol = BlackboardsOf("patrol");
  const std::string flock = BlackboardsOf("flock");
  for (const char* id : {"muster.ai.basic", "muster.ai.steering"}) {
    EXPECT_THAT(console.Execute(std::string{"plugin swap controllers "} + id + " " + id), HasSubstr("generation"));
  }
  EXPECT_EQ(BlackboardsOf("patrol"), patrol);
  EXPECT_EQ(BlackboardsOf("flock"), flock);
  world.Steps(120);
  EXPECT_EQ(FallbackThinks(), 0U);
  EXPECT_EQ(world.Server().World().Store().LiveCount(), 60U);
}

TEST_F(ControllerSwapTest, OneIsNotSwappedForTheOtherThatIsThereAlready) {
  world.Steps(30);
  EXPECT_THAT(console.Execute("plugin swap controllers muster.ai.basic muster.ai.steering"),
              HasSubstr("is offered by muster.ai.steering already"));
  world.Steps(30);
  EXPECT_EQ(FallbackThinks(), 0U) << "nothing changed";
}

TEST(ControllerConfiguration, AnUnknownProviderAndAnUnknownNameStopTheStart) {
  server::ServerConfig unknown = TwoProviders();
  unknown.plugins.controllers = {"muster.ai.basic", "muster.ai.nobody"};
  EXPECT_THAT([&] { VirtualWorld{unknown}; },
              ::testing::ThrowsMessage<std::runtime_error>(HasSubstr("muster.ai.nobody")));
  server::ServerConfig withoutSteering = TwoProviders();
  withoutSteering.plugins.controllers = {"muster.ai.basic"};
  EXPECT_THAT([&] { VirtualWorld{withoutSteering}; },
              ::testing::ThrowsMessage<std::runtime_error>(HasSubstr("There is no controller 'flock'")));
  server::ServerConfig twice = TwoProviders();
  twice.plugins.controllers = {"muster.ai.basic", "muster.ai.steering", "muster.ai.basic"};
  EXPECT_THAT([&] { VirtualWorld{twice}; },
              ::testing::ThrowsMessage<std::runtime_error>(HasSubstr("is offered by muster.ai.basic already")));
}

}  // namespace
}  // namespace muster::tests
