// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GameServer.h"

#include "PausableStage.h"
#include "PluginPin.h"
#include "SessionsStage.h"

#include "Link/Address.h"
#include "Link/PluginIdentity.h"
#include "Protocol/BuiltInCodec.h"
#include "Simulation/AiStage.h"
#include "Simulation/IntegrateStage.h"
#include "Simulation/LinearIndex.h"
#include "Simulation/LoadSpawner.h"
#include "Simulation/MaintenanceStage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace muster::server {

namespace {

constexpr const char* kBuiltInCodec = "builtin.raw";

/// Room beside the agents and the players' craft, for what the console spawns.
constexpr std::uint32_t kSpareEntities = 64;
constexpr std::uint32_t kSparePeers = 64;

}  // namespace

Result<std::unique_ptr<GameServer>> GameServer::Create(const ServerConfig& config, const Surroundings& surroundings) {
  std::unique_ptr<GameServer> server{new GameServer{config, surroundings}};
  for (const auto step : {&GameServer::LoadPlugins, &GameServer::MakeWorld, &GameServer::SpawnLoad,
                          &GameServer::MakeNetwork, &GameServer::MakeRecorder}) {
    if (Result<void> made = (server.get()->*step)(); !made) {
      return std::move(made).Failure();
    }
  }
  server->BuildPipeline();
  return server;
}

GameServer::GameServer(const ServerConfig& config, const Surroundings& surroundings)
    : m_config(config),
      m_clock(surroundings.clock),
      m_sink(surroundings.logSink),
      m_log(surroundings.logSink, "server"),
      m_contentDirectory(surroundings.contentDirectory),
      m_codecThrottle(surroundings.clock) {
  m_pluginConfig.roots = surroundings.pluginRoots;
  m_pluginConfig.side = plugins::Side::Server;
  m_pluginConfig.disabled = config.plugins.disabled;
  m_pluginConfig.settings = surroundings.pluginSettings;
}

GameServer::~GameServer() {
  // What calls into plugins goes before what they are.
  m_pipeline.reset();
  m_link.reset();
  m_controllers.reset();
  m_spatial.reset();
  m_transport = {};
  m_codec = {};
}

Result<void> GameServer::LoadPlugins() {
  auto host = plugins::PluginHost::Create(m_pluginConfig, Logger{m_sink, "plugins"}, m_clock);
  if (!host) {
    return std::move(host).Failure();
  }
  m_plugins = std::move(*host);
  plugins::ProviderCatalog& catalog = m_plugins->Catalog();
  catalog.RegisterBuiltIn<mu_spatial_index_v0>(simulation::kLinearIndexName, &simulation::LinearIndexTable());
  catalog.RegisterBuiltIn<mu_snapshot_codec_v0>(kBuiltInCodec, &protocol::BuiltInCodec());

  // A plugin that nobody asked for may fail without keeping the server from its work: LoadAll has logged it, and what
  // is needed is found or missed by name below.
  if (Result<void> loaded = m_plugins->LoadAll(); !loaded) {
    m_log.Warning("Not every plugin could be loaded; going on with those that could.");
  }
  if (!m_config.plugins.lockFile.empty()) {
    if (Result<void> held = HoldToLock(m_config.plugins.lockFile, m_plugins->Lock(), m_log); !held) {
      return held;
    }
  }
  auto transport = catalog.Find<mu_transport_v0>(m_config.network.transport);
  if (!transport) {
    return Explain(std::move(transport).Failure(), m_config.network.transport);
  }
  m_transport = std::move(*transport);
  auto codec = catalog.Find<mu_snapshot_codec_v0>(m_config.plugins.codec);
  if (!codec) {
    return Explain(std::move(codec).Failure(), m_config.plugins.codec);
  }
  m_codec = std::move(*codec);
  m_identity = link::IdentityOf(m_codec, m_transport, m_plugins->Lock());
  return {};
}

Error GameServer::Explain(Error failure, std::string_view plugin) const {
  if (const plugins::PluginReport* const report = m_plugins->Report().Find(plugin); report && !report->errors.empty()) {
    return report->errors.front();
  }
  for (const plugins::RejectedPlugin& rejected : m_plugins->Rejected()) {
    // A descriptor that was turned away has no id that could be trusted; its folder still tells which one is meant.
    if (rejected.error.sentence.find(plugin) != std::string::npos) {
      return rejected.error;
    }
  }
  return failure;
}

Result<void> GameServer::MakeWorld() {
  auto archetypes = simulation::ArchetypeSet::LoadDirectory(m_contentDirectory / "Archetypes");
  if (!archetypes) {
    return std::move(archetypes).Failure();
  }
  jobs::WorkerPoolConfig workers;
  workers.workers = m_config.world.simWorkerThreads;
  workers.pinThreads = m_config.world.pinThreads;
  m_workers = std::make_unique<jobs::WorkerPool>(workers);

  auto weapons = simulation::MakeWeaponsConfig(m_config.world.testProjectileRate, m_config.world.testProjectileTtlS,
                                               m_config.world.testProjectileEntityType, *archetypes);
  if (!weapons) {
    return std::move(weapons).Failure();
  }
  m_weapons = *weapons;
  simulation::SimulationConfig world;
  world.capacity =
      std::max(m_config.world.entityCapacity, m_config.world.testSpawnAiCount + m_config.server.maxPeers +
                                                  kSpareEntities + simulation::WeaponsStage::SlotsNeeded(m_weapons));
  world.seed = static_cast<std::uint64_t>(m_config.world.seed);
  m_simulation = std::make_unique<simulation::Simulation>(world, std::move(*archetypes));

  plugins::ProviderCatalog& catalog = m_plugins->Catalog();
  auto index = catalog.Find<mu_spatial_index_v0>(m_config.plugins.spatialIndex);
  if (!index) {
    return Explain(std::move(index).Failure(), m_config.plugins.spatialIndex);
  }
  simulation::SpatialServiceConfig spatial;
  spatial.cellSizeMeters = static_cast<float>(m_config.world.spatialCellSizeKm * 1'000.0);
  m_spatial = std::make_unique<simulation::SpatialService>(std::move(*index), spatial, Logger{m_sink, "spatial"});

  m_controllers = std::make_unique<simulation::ControllerDirectory>(m_simulation->Store(), Logger{m_sink, "ai"});
  for (const std::string& name : m_config.plugins.controllers) {
    auto provider = catalog.Find<mu_ai_controller_v0>(name);
    if (!provider) {
      return Explain(std::move(provider).Failure(), name);
    }
    if (Result<void> added = m_controllers->Add(std::move(*provider)); !added) {
      return added;
    }
  }
  return {};
}

Result<void> GameServer::SpawnLoad() {
  simulation::LoadSpawnConfig load;
  load.count = m_config.world.testSpawnAiCount;
  load.spreadKm = m_config.world.testSpawnSpreadKm;
  load.aglMeters = m_config.world.testSpawnAglM;
  load.mix = m_config.world.testSpawnAiMix;
  load.entityType = m_config.world.testSpawnEntityType;
  if (load.count == 0) {
    return {};
  }
  auto spawner = simulation::LoadSpawner::Create(load, m_simulation->Archetypes(), *m_controllers);
  if (!spawner) {
    return std::move(spawner).Failure();
  }
  const std::uint32_t spawned = spawner->SpawnAll(*m_simulation);
  m_log.Info("{} agents spawned over {} km: {}", spawned, load.spreadKm, load.mix);
  return {};
}

Result<void> GameServer::MakeNetwork() {
  auto player = m_simulation->Archetypes().Find(m_config.spawn.playerArchetype);
  if (!player) {
    return std::move(player).Failure();
  }

  link::ServerLinkConfig linkConfig;
  linkConfig.identity = m_identity;
  // Sessions hold the limit; a connection that is on its way out takes no player's place.
  linkConfig.maxPeers = m_config.server.maxPeers + kSparePeers;
  linkConfig.maxConnectionsPerIp = m_config.security.maxConnectionsPerIp;
  linkConfig.maxDatagramBytes = std::max<std::uint32_t>(m_config.world.snapshotBudgetBytes, 576);
  linkConfig.floodMultiplier = m_config.security.packetFloodMultiplier;
  linkConfig.preHandshakeDatagramsPerSecond = m_config.security.preHandshakeRateLimitCount;
  m_link = std::make_unique<link::ServerLink>(m_transport.table, linkConfig, m_clock, Logger{m_sink, "link"});
  m_port = std::make_unique<sessions::ServerLinkPort>(*m_link);
  m_sessions = std::make_unique<sessions::SessionDirectory>(*m_port, MakeSessionConfig(m_config), m_clock,
                                                            Logger{m_sink, "sessions"});

  PlayerRules rules;
  rules.archetype = *player;
  rules.spawnAltitudeMeters = m_config.spawn.aglOffset;
  rules.respawnTicks = static_cast<TickCount>(std::lround(m_config.spawn.respawnDelayS * kTickHz));
  m_players = std::make_unique<Players>(*m_simulation, *m_sessions, rules);
  m_sessions->Observe(m_players.get());
  m_bridge = std::make_unique<ReplicationBridge>(*m_sessions, *m_link);
  return {};
}

Result<void> GameServer::MakeRecorder() {
  RecorderConfig recorder;
  recorder.everyTicks = m_config.recording.everyTicks;
  recorder.columns = m_config.recording.columns;
  recorder.maxBytes = std::uint64_t{m_config.recording.maxMb} * 1'000'000;
  recorder.maxPlayers = m_config.server.maxPeers;
  m_recorder =
      std::make_unique<WorldRecorder>(*m_simulation, *m_sessions, std::move(recorder), Logger{m_sink, "recording"});
  return m_config.recording.path.empty() ? Result<void>{} : m_recorder->StartBeside(m_config.recording.path);
}

sessions::SessionConfig GameServer::MakeSessionConfig(const ServerConfig& config) const {
  sessions::SessionConfig session;
  session.admission.maxPeers = config.server.maxPeers;
  session.admission.maxPerAddress = config.security.maxConnectionsPerIp;
  session.admission.connectCount = config.security.connectRateLimitCount;
  session.admission.connectWindow = std::chrono::seconds{config.security.connectRateLimitWindowS};
  session.input.maxDepthTicks = config.world.jitterBufferDepth;
  session.input.windowTicks = config.world.jitterBufferAdaptWindow;
  session.input.hysteresisTicks = config.world.jitterBufferHysteresis;
  session.input.jitterMultiplier = static_cast<float>(config.world.jitterBufferJitterMultiplier);
  session.idleTimeout = std::chrono::seconds{config.security.idleTimeoutS};
  session.motd = config.server.motd;
  session.codecName = m_identity.codecName;
  session.codecWireVersion = m_identity.codecWireVersion;
  session.snapshotBudgetBytes = config.world.snapshotBudgetBytes;
  session.drawDistanceMeters = static_cast<std::uint32_t>(config.world.drawDistanceKm * 1'000.0);
  const auto& archetypes = m_simulation->Archetypes().All();
  for (std::size_t i = 0; i < archetypes.size(); ++i) {
    session.archetypes.push_back({ArchetypeId{static_cast<std::uint16_t>(i + 1)}, archetypes[i].id});
  }
  return session;
}

void GameServer::BuildPipeline() {
  replication::ReplicationConfig replicationConfig;
  replicationConfig.drawDistanceMeters = m_config.world.drawDistanceKm * 1'000.0;
  replicationConfig.snapshotBudgetBytes = m_config.world.snapshotBudgetBytes;
  replicationConfig.packetOverheadBytes = static_cast<std::uint32_t>(m_link->PacketOverheadBytes());
  auto replicate = std::make_unique<replication::ReplicationStage>(
      m_simulation->Store(), m_simulation->Columns(), *m_codec.table, *m_bridge, *m_bridge, replicationConfig);
  m_replication = replicate.get();

  m_pipeline = std::make_unique<simulation::TickPipeline>(m_timings, m_clock);
  m_pipeline->Add(std::make_unique<SessionsStage>(*m_sessions, *m_players, *m_simulation));
  m_pipeline->Add(std::make_unique<simulation::MaintenanceStage>(*m_simulation, *m_spatial));
  const auto addPausable = [this](std::unique_ptr<simulation::IStage> stage) {
    m_pipeline->Add(std::make_unique<PausableStage>(std::move(stage), m_isPaused));
  };
  addPausable(std::make_unique<simulation::AiStage>(*m_simulation, *m_controllers, m_plugins->Spatial(), *m_spatial));
  addPausable(std::make_unique<simulation::IntegrateStage>(*m_simulation));
  addPausable(std::make_unique<simulation::CollisionStage>(*m_simulation, *m_spatial));
  addPausable(std::make_unique<simulation::WeaponsStage>(*m_simulation, m_weapons));
  m_pipeline->Add(std::move(replicate));
  m_pipeline->Add(std::make_unique<RecordStage>(*m_recorder));
}

Result<mu_address> GameServer::Listen() {
  auto address = link::ParseAddress(m_config.server.bindAddress, m_config.server.port);
  if (!address) {
    return std::move(address).Failure();
  }
  return m_link->Listen(*address);
}

void GameServer::RunTick(Tick tick) {
  simulation::TickContext context{.tick = tick, .stepSeconds = kTickSeconds, .workers = *m_workers};
  m_workers->Wake();
  m_pipeline->RunTick(context);
  m_workers->Rest();
  m_link->Wake();
  TellOfCodecFailures();
}

void GameServer::TellOfCodecFailures() {
  const std::uint64_t failures = m_replication->Stats().codecFailures;
  if (failures != m_codecFailures) {
    m_codecFailures = failures;
    m_codecThrottle.Log(m_log, LogLevel::Error, 0,
                        "The codec {} {} fails, {} calls so far: nothing is sent of what it could not encode.",
                        m_codec.name, m_codec.VersionText(), failures);
  }
}

void GameServer::Reconfigure(const ServerConfig& config) {
  m_config = config;
  m_sessions->Reconfigure(MakeSessionConfig(config));
}

template <class Table>
Result<plugins::Provider<Table>> GameServer::Prepare(std::string_view idOrFolder) {
  plugins::ProviderCatalog& catalog = m_plugins->Catalog();
  if (idOrFolder.starts_with("builtin.")) {
    return catalog.Find<Table>(idOrFolder);
  }
  // A plugin that an earlier swap retired is loaded anew; one that is loaded gets a further generation.
  const auto loaded = m_plugins->Generations();
  const bool isRetired =
      !idOrFolder.starts_with('/') &&
      std::none_of(loaded.begin(), loaded.end(), [&](const auto& candidate) { return candidate->Id() == idOrFolder; });
  auto generation = isRetired ? m_plugins->Load(idOrFolder) : m_plugins->LoadReplacement(idOrFolder);
  if (!generation) {
    return std::move(generation).Failure();
  }
  auto provider = plugins::ProviderCatalog::Of<Table>(*generation);
  if (!provider) {
    Retire(plugins::Provider<Table>{.name = {}, .table = nullptr, .generation = std::move(*generation)});
  }
  return provider;
}

template <class Table>
void GameServer::Retire(plugins::Provider<Table> provider) {
  if (provider.generation == nullptr) {
    return;  // built in
  }
  if (Result<void> retired = m_plugins->Retire(std::move(provider.generation)); !retired) {
    m_log.Warning("{}", retired.Failure().ToString());
  }
}

Result<std::string> GameServer::SwapSpatialIndex(std::string_view idOrFolder) {
  auto next = Prepare<mu_spatial_index_v0>(idOrFolder);
  if (!next) {
    return std::move(next).Failure();
  }
  plugins::Provider<mu_spatial_index_v0> candidate = *next;
  auto old = m_spatial->Swap(std::move(*next));
  if (!old) {
    Retire(std::move(candidate));
    return std::move(old).Failure();
  }
  const std::string line =
      fmt::format("spatial index: {} {} (generation {}) -> {} {} (generation {})", old->name, old->VersionText(),
                  old->Number(), candidate.name, candidate.VersionText(), candidate.Number());
  Retire(std::move(*old));
  return line;
}

Result<std::string> GameServer::SwapControllers(std::string_view provider, std::string_view idOrFolder) {
  auto next = Prepare<mu_ai_controller_v0>(idOrFolder);
  if (!next) {
    return std::move(next).Failure();
  }
  plugins::Provider<mu_ai_controller_v0> candidate = *next;
  auto old = m_controllers->Swap(provider, std::move(*next));
  if (!old) {
    Retire(std::move(candidate));
    return std::move(old).Failure();
  }
  const std::string line =
      fmt::format("controllers: {} {} (generation {}) -> {} {} (generation {})", old->name, old->VersionText(),
                  old->Number(), candidate.name, candidate.VersionText(), candidate.Number());
  Retire(std::move(*old));
  return line;
}

}  // namespace muster::server
