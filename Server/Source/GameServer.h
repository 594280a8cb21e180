// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The composition root: makes every part of a server out of a configuration, in the order in which they need each
// other, and holds them for its life. Nothing but wiring happens here.
//
//   Result<std::unique_ptr<GameServer>> server = GameServer::Create(config, {clock, sink, pluginRoots, content});
//   Result<mu_address> address = (*server)->Listen();      // opens the port
//   (*server)->RunTick(tick);                               // [sim], 60 times a second: see TickThread
//
// To add a stage to the tick: add it in BuildPipeline, at its place.
//
// Threads: Create and the destructor [main]; the rest is marked. The network thread, if any, is the caller's
// (link::NetworkThread over Link()); without one, call Link().Service() between ticks.
#pragma once

#include "Players.h"
#include "ReplicationBridge.h"
#include "ServerConfig.h"
#include "WorldRecorder.h"

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/LogThrottle.h"
#include "Core/Result.h"
#include "Jobs/WorkerPool.h"
#include "Link/ServerLink.h"
#include "PluginHost/PluginHost.h"
#include "Replication/ReplicationStage.h"
#include "Sessions/SessionDirectory.h"
#include "Simulation/CollisionStage.h"
#include "Simulation/ControllerDirectory.h"
#include "Simulation/Simulation.h"
#include "Simulation/SpatialService.h"
#include "Simulation/TickPipeline.h"
#include "Simulation/WeaponsStage.h"
#include "Telemetry/TickTimings.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace muster::server {

/// What a server finds around it.
struct Surroundings {
  IClock& clock;
  ILogSink& logSink;
  std::vector<plugins::PluginRoot> pluginRoots;
  std::filesystem::path contentDirectory;
  std::map<std::string, plugins::PluginSettings, std::less<>> pluginSettings{};
};

class GameServer {
 public:
  /// Fails with the error of whatever could not be made: a missing plugin, an archetype, a controller's name, ...
  static Result<std::unique_ptr<GameServer>> Create(const ServerConfig& config, const Surroundings& surroundings);
  ~GameServer();
  GameServer(const GameServer&) = delete;
  GameServer& operator=(const GameServer&) = delete;

  /// Opens the port; the address really bound. [main]
  Result<mu_address> Listen();

  /// [sim]
  void RunTick(Tick tick);

  // Between two ticks, [sim].

  /// Holds the world still: nobody thinks, moves or collides. Ticks, input and snapshots go on.
  void SetPaused(bool isPaused) { m_isPaused = isPaused; }
  [[nodiscard]] bool IsPaused() const { return m_isPaused; }

  /// Puts another provider behind the spatial index or the controllers: a plugin's newest bytes on disk (by id), the
  /// plugin in an absolute folder, or a built-in ("builtin.linear"). What was there is retired. The result is one line
  /// for people.
  Result<std::string> SwapSpatialIndex(std::string_view idOrFolder);
  Result<std::string> SwapControllers(std::string_view provider, std::string_view idOrFolder);

  [[nodiscard]] simulation::Simulation& World() { return *m_simulation; }
  [[nodiscard]] simulation::SpatialService& Spatial() { return *m_spatial; }
  [[nodiscard]] simulation::ControllerDirectory& Controllers() { return *m_controllers; }
  [[nodiscard]] sessions::SessionDirectory& Sessions() { return *m_sessions; }
  [[nodiscard]] WorldRecorder& Recorder() { return *m_recorder; }
  [[nodiscard]] replication::ReplicationStage& Replication() { return *m_replication; }
  [[nodiscard]] plugins::PluginHost& Plugins() { return *m_plugins; }
  [[nodiscard]] jobs::WorkerPool& Workers() { return *m_workers; }
  void ObservePackets(PacketObserver observer) { m_bridge->ObservePackets(std::move(observer)); }

  /// Takes over what may change while running. [sim] between ticks.
  void Reconfigure(const ServerConfig& config);

  // [any]
  [[nodiscard]] link::ServerLink& Link() { return *m_link; }
  [[nodiscard]] telemetry::TickTimings& Timings() { return m_timings; }
  [[nodiscard]] const protocol::WireIdentity& Identity() const { return m_identity; }

 private:
  GameServer(const ServerConfig& config, const Surroundings& surroundings);

  Result<void> LoadPlugins();
  Result<void> MakeWorld();
  Result<void> MakeNetwork();
  Result<void> MakeRecorder();
  Result<void> SpawnLoad();
  void BuildPipeline();
  void TellOfCodecFailures();
  sessions::SessionConfig MakeSessionConfig(const ServerConfig& config) const;
  /// `failure`, or the reason why the plugin of that name is not there.
  Error Explain(Error failure, std::string_view plugin) const;
  /// The provider to swap to; its generation, if any, has been loaded for it.
  template <class Table>
  Result<plugins::Provider<Table>> Prepare(std::string_view idOrFolder);
  template <class Table>
  void Retire(plugins::Provider<Table> provider);

  ServerConfig m_config;
  IClock& m_clock;
  ILogSink& m_sink;
  Logger m_log;
  std::filesystem::path m_contentDirectory;
  plugins::PluginHostConfig m_pluginConfig;
  telemetry::TickTimings m_timings;

  // In the order they are made; later ones refer to earlier ones.
  std::unique_ptr<plugins::PluginHost> m_plugins;
  std::unique_ptr<jobs::WorkerPool> m_workers;
  std::unique_ptr<simulation::Simulation> m_simulation;
  simulation::WeaponsConfig m_weapons;
  std::unique_ptr<simulation::SpatialService> m_spatial;
  std::unique_ptr<simulation::ControllerDirectory> m_controllers;
  plugins::Provider<mu_transport_v0> m_transport;
  plugins::Provider<mu_snapshot_codec_v0> m_codec;
  protocol::WireIdentity m_identity;
  std::unique_ptr<link::ServerLink> m_link;
  std::unique_ptr<sessions::ServerLinkPort> m_port;
  std::unique_ptr<sessions::SessionDirectory> m_sessions;
  std::unique_ptr<Players> m_players;
  std::unique_ptr<WorldRecorder> m_recorder;
  std::unique_ptr<ReplicationBridge> m_bridge;
  std::unique_ptr<simulation::TickPipeline> m_pipeline;
  bool m_isPaused = false;
  replication::ReplicationStage* m_replication = nullptr;  ///< the pipeline's
  std::uint64_t m_codecFailures = 0;                       ///< that the log has been told of
  LogThrottle m_codecThrottle;
};

}  // namespace muster::server
