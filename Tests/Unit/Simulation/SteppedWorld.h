// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A whole simulation on virtual time, stepped by hand. With the plugins of the build tree or with the built-ins alone.
#pragma once

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Jobs/WorkerPool.h"
#include "PluginHost/PluginHost.h"
#include "Simulation/AiStage.h"
#include "Simulation/CollisionStage.h"
#include "Simulation/IntegrateStage.h"
#include "Simulation/LinearIndex.h"
#include "Simulation/LoadSpawner.h"
#include "Simulation/MaintenanceStage.h"
#include "Simulation/WeaponsStage.h"
#include "Telemetry/TickTimings.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace muster::test {

inline constexpr const char* kBasicControllers = "muster.ai.basic";
inline constexpr const char* kGrid = "muster.spatial.grid";

inline simulation::ArchetypeSet LoadContent() {
  auto archetypes = simulation::ArchetypeSet::LoadDirectory(MUSTER_TEST_SOURCE_DIR "/Content/Archetypes");
  EXPECT_TRUE(archetypes.HasValue()) << (archetypes ? "" : archetypes.Failure().ToString());
  return archetypes ? *archetypes : simulation::ArchetypeSet{};
}

struct SteppedWorldOptions {
  unsigned workers = 1;
  std::uint32_t capacity = 8'192;
  /// Plugins to load and use by id; empty: built-ins only.
  bool withPlugins = true;
  /// Shells a second, and how long each lives.
  double projectileRate = 0.0;
  TickCount projectileTicks = 3 * kTickHz;
};

class SteppedWorld {
 public:
  explicit SteppedWorld(const SteppedWorldOptions& options = {})
      : m_host{MakeHost(options.withPlugins)},
        simulation{{.capacity = options.capacity, .seed = 7}, LoadContent()},
        controllers{simulation.Store(), logger},
        spatial{SpatialProvider(options.withPlugins), {}, logger},
        m_pool{jobs::WorkerPoolConfig{options.workers}},
        m_pipeline{timings, clock} {
    if (options.withPlugins) {
      const auto basic = m_host->Catalog().Find<mu_ai_controller_v0>(kBasicControllers);
      EXPECT_TRUE(basic.HasValue() && controllers.Add(*basic).HasValue());
    }
    m_pipeline.Add(std::make_unique<simulation::MaintenanceStage>(simulation, spatial));
    m_pipeline.Add(std::make_unique<simulation::AiStage>(simulation, controllers, m_host->Spatial(), spatial));
    m_pipeline.Add(std::make_unique<simulation::IntegrateStage>(simulation));
    auto collisionStage = std::make_unique<simulation::CollisionStage>(simulation, spatial);
    collision = collisionStage.get();
    m_pipeline.Add(std::move(collisionStage));
    auto weaponsStage = std::make_unique<simulation::WeaponsStage>(
        simulation, simulation::WeaponsConfig{.ratePerSecond = options.projectileRate,
                                              .lifetimeTicks = options.projectileTicks,
                                              .projectile = Archetype("builtin:shell")});
    weapons = weaponsStage.get();
    m_pipeline.Add(std::move(weaponsStage));
  }

  void Run(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      ++m_tick;
      // As a server does it early in its tick: loops worth sharing are shared only among workers that are awake.
      m_pool.Wake();
      simulation::TickContext context{m_tick, kTickSeconds, m_pool};
      m_pipeline.RunTick(context);
    }
  }

  ArchetypeId Archetype(std::string_view id) const { return *simulation.Archetypes().Find(id); }

  void SpawnLoad(const simulation::LoadSpawnConfig& config) {
    const auto load = simulation::LoadSpawner::Create(config, simulation.Archetypes(), controllers);
    ASSERT_TRUE(load.HasValue()) << load.Failure().ToString();
    ASSERT_EQ(load->SpawnAll(simulation), config.count);
  }

  plugins::PluginHost& Host() { return *m_host; }
  jobs::WorkerPool& Workers() { return m_pool; }

 private:
  std::unique_ptr<plugins::PluginHost> MakeHost(bool withPlugins) {
    plugins::PluginHostConfig config;
    if (withPlugins) {
      config.roots.push_back({MUSTER_TEST_BINARY_DIR "/Plugins"});
    }
    auto host = plugins::PluginHost::Create(std::move(config), logger, clock);
    EXPECT_TRUE(host.HasValue()) << (host ? "" : host.Failure().ToString());
    if (withPlugins) {
      for (const char* id : {kBasicControllers, kGrid}) {
        const auto loaded = (*host)->Load(id);
        EXPECT_TRUE(loaded.HasValue()) << (loaded ? "" : loaded.Failure().ToString());
      }
    }
    return std::move(*host);
  }

  simulation::SpatialService::Provider SpatialProvider(bool withPlugins) {
    if (withPlugins) {
      if (const auto grid = m_host->Catalog().Find<mu_spatial_index_v0>(kGrid)) {
        return *grid;
      }
    }
    return {simulation::kLinearIndexName, &simulation::LinearIndexTable(), {}};
  }

 public:
  MemorySink log;
  Logger logger{log, "test"};
  ManualClock clock;

 private:
  std::unique_ptr<plugins::PluginHost> m_host;

 public:
  simulation::Simulation simulation;
  simulation::ControllerDirectory controllers;
  simulation::SpatialService spatial;
  telemetry::TickTimings timings;
  simulation::CollisionStage* collision = nullptr;
  simulation::WeaponsStage* weapons = nullptr;

 private:
  jobs::WorkerPool m_pool;
  simulation::TickPipeline m_pipeline;
  Tick m_tick;
};

}  // namespace muster::test
