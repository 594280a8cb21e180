// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerConfigSchema.h"

namespace muster::server {

namespace {

using Schema = config::Schema<ServerConfig>;

void AddServer(Schema& schema) {
  schema
      .Add(
          "server", "name", [](ServerConfig & c) -> auto& { return c.server.name; })
      .MaxCharacters(64)
      .Help("What the server calls itself in its log.");
  schema
      .Add(
          "server", "port", [](ServerConfig & c) -> auto& { return c.server.port; })
      .Help("UDP port to listen on; 0 takes any that is free.");
  schema
      .Add(
          "server", "bind_address", [](ServerConfig & c) -> auto& { return c.server.bindAddress; })
      .Help("IPv4 address to listen on. Players' identities are not proven yet, so the default is this machine only.");
  schema
      .Add(
          "server", "max_peers", [](ServerConfig & c) -> auto& { return c.server.maxPeers; })
      .Range(1, 1'024)
      .Unit("peers")
      .Help("Players that may be on at once.");
  schema
      .Add(
          "server", "motd", [](ServerConfig & c) -> auto& { return c.server.motd; })
      .Live()
      .Help("One line for every newcomer; empty for none.");
}

void AddWorld(Schema& schema) {
  schema
      .Add(
          "world", "draw_distance_km", [](ServerConfig & c) -> auto& { return c.world.drawDistanceKm; })
      .Range(0.1, 2'000.0)
      .Unit("km")
      .Help("How far from its own craft a player is shown others.");
  schema
      .Add(
          "world", "spatial_cell_size_km", [](ServerConfig & c) -> auto& { return c.world.spatialCellSizeKm; })
      .Range(0.0, 100.0)
      .Unit("km")
      .Help(
          "A wish to the spatial index; 0 lets it choose. A small cell cannot make it slow: the index bounds itself.");
  schema
      .Add(
          "world", "snapshot_budget_bytes", [](ServerConfig & c) -> auto& { return c.world.snapshotBudgetBytes; })
      .Range(200, 1'400)
      .Unit("bytes")
      .Help("One snapshot datagram, everything included.");
  schema
      .Add(
          "world", "jitter_buffer_depth", [](ServerConfig & c) -> auto& { return c.world.jitterBufferDepth; })
      .Range(1, 30)
      .Unit("ticks")
      .Help("Upper end of how early input is asked to arrive.");
  schema
      .Add(
          "world", "jitter_buffer_adapt_window",
          [](ServerConfig & c) -> auto& { return c.world.jitterBufferAdaptWindow; })
      .Range(8, 240)
      .Unit("ticks")
      .Help("Arrivals that the fill target looks back on.");
  schema
      .Add(
          "world", "jitter_buffer_hysteresis", [](ServerConfig & c) -> auto& { return c.world.jitterBufferHysteresis; })
      .Range(0, 8)
      .Unit("ticks")
      .Help("By how much the target must be too high before it comes down.");
  schema
      .Add(
          "world", "jitter_buffer_jitter_multiplier",
          [](ServerConfig & c) -> auto& { return c.world.jitterBufferJitterMultiplier; })
      .Range(0.0, 8.0)
      .Help("Ticks of target for each tick of mean jitter.");
  schema
      .Add(
          "world", "sim_worker_threads", [](ServerConfig & c) -> auto& { return c.world.simWorkerThreads; })
      .Range(0, 256)
      .Unit("workers")
      .Help("Who runs the parallel stages, the tick thread counted; 0 takes all cores but one, 1 is serial.");
  schema
      .Add(
          "world", "pin_threads", [](ServerConfig & c) -> auto& { return c.world.pinThreads; })
      .Help("Binds each worker to a core, for dedicated machines.");
  schema
      .Add(
          "world", "max_catchup_ticks", [](ServerConfig & c) -> auto& { return c.world.maxCatchupTicks; })
      .Range(1, 60)
      .Unit("ticks")
      .Help("How many late ticks run at once before time is dropped.");
  schema
      .Add(
          "world", "entity_capacity", [](ServerConfig & c) -> auto& { return c.world.entityCapacity; })
      .Range(64, 1'000'000)
      .Unit("entities")
      .Help("Slots of the world; raised by itself where the test load, its projectiles and the players need more.");
  schema
      .Add(
          "world", "seed", [](ServerConfig & c) -> auto& { return c.world.seed; })
      .Help("Everything random follows from it.");
  schema
      .Add(
          "world", "test_spawn_ai_count", [](ServerConfig & c) -> auto& { return c.world.testSpawnAiCount; })
      .Range(0, 200'000)
      .Unit("entities")
      .Help("Agents to start with, for load tests; not a promise of capacity.");
  schema
      .Add(
          "world", "test_spawn_spread_km", [](ServerConfig & c) -> auto& { return c.world.testSpawnSpreadKm; })
      .Range(0.1, 1'000.0)
      .Unit("km")
      .Help("Radius of the disc they are spread over.");
  schema
      .Add(
          "world", "test_spawn_agl_m", [](ServerConfig & c) -> auto& { return c.world.testSpawnAglM; })
      .Range(0.0, 20'000.0)
      .Unit("m")
      .Help("Their height above the ground below each of them.");
  schema
      .Add(
          "world", "test_spawn_ai_mix", [](ServerConfig & c) -> auto& { return c.world.testSpawnAiMix; })
      .MaxCharacters(512)
      .Help("Controllers and their weights, such as \"loiter:60,pursuit:25\".");
  schema
      .Add(
          "world", "test_spawn_entity_type", [](ServerConfig & c) -> auto& { return c.world.testSpawnEntityType; })
      .MaxCharacters(64)
      .Help("Archetype of the test load; ground vehicles stand on the ground whatever test_spawn_agl_m says.");
  schema
      .Add(
          "world", "test_projectile_rate", [](ServerConfig & c) -> auto& { return c.world.testProjectileRate; })
      .Range(0.0, 20'000.0)
      .Unit("1/s")
      .Help("Projectiles that whoever lives fires, all together; fractions add up. 0 for none.");
  schema
      .Add(
          "world", "test_projectile_ttl_s", [](ServerConfig & c) -> auto& { return c.world.testProjectileTtlS; })
      .Range(0.1, 60.0)
      .Unit("s")
      .Help("How long each of them lives unless it hits something: rate times this is how many there are.");
  schema
      .Add(
          "world", "test_projectile_entity_type",
          [](ServerConfig & c) -> auto& { return c.world.testProjectileEntityType; })
      .MaxCharacters(64)
      .Help("Archetype of the projectiles; its model must be ballistic.");
}

void AddNetworkAndSecurity(Schema& schema) {
  schema
      .Add(
          "network", "transport", [](ServerConfig & c) -> auto& { return c.network.transport; })
      .Help("Id of the transport plugin.");
  schema
      .Add(
          "security", "connect_rate_limit_count",
          [](ServerConfig & c) -> auto& { return c.security.connectRateLimitCount; })
      .Range(0, 1'000'000)
      .Unit("joins")
      .Live()
      .Help("Joins from one address within the window; 0 for no limit.");
  schema
      .Add(
          "security", "connect_rate_limit_window_s",
          [](ServerConfig & c) -> auto& { return c.security.connectRateLimitWindowS; })
      .Range(1, 3'600)
      .Unit("s")
      .Live()
      .Help("The window of connect_rate_limit_count.");
  schema
      .Add(
          "security", "packet_flood_multiplier",
          [](ServerConfig & c) -> auto& { return c.security.packetFloodMultiplier; })
      .Range(1, 100)
      .Help("A client may send this many times the 60 packets a second of an honest one.");
  schema
      .Add(
          "security", "max_connections_per_ip",
          [](ServerConfig & c) -> auto& { return c.security.maxConnectionsPerIp; })
      .Range(0, 1'024)
      .Unit("peers")
      .Help("Players from one address; 0 for no limit.");
  schema
      .Add(
          "security", "pre_handshake_rate_limit_count",
          [](ServerConfig & c) -> auto& { return c.security.preHandshakeRateLimitCount; })
      .Range(8, 1'000'000)
      .Unit("datagrams/s")
      .Help("Datagrams from one address for connections whose handshake is not done; a join takes about eight.");
  schema
      .Add(
          "security", "idle_timeout_s", [](ServerConfig & c) -> auto& { return c.security.idleTimeoutS; })
      .Range(0, 86'400)
      .Unit("s")
      .Live()
      .Help("A player who sends nothing that decodes for so long is sent away; 0 for never.");
}

void AddPlugins(Schema& schema) {
  schema
      .Add(
          "plugins", "spatial_index", [](ServerConfig & c) -> auto& { return c.plugins.spatialIndex; })
      .Help("Id of the spatial index; \"builtin.linear\" is always there.");
  schema
      .Add(
          "plugins", "controllers", [](ServerConfig & c) -> auto& { return c.plugins.controllers; })
      .Help("Ids of the controller providers.");
  schema
      .Add(
          "plugins", "codec", [](ServerConfig & c) -> auto& { return c.plugins.codec; })
      .Help("Id of the snapshot codec; \"builtin.raw\" is always there. Clients need the same.");
  schema
      .Add(
          "plugins", "disabled", [](ServerConfig & c) -> auto& { return c.plugins.disabled; })
      .Help("Ids of plugins that are passed over.");
  schema
      .Add(
          "plugins", "lock_file", [](ServerConfig & c) -> auto& { return c.plugins.lockFile; })
      .Help(
          "File that pins the plugins: written when it is not there, and from then on others are refused; empty for "
          "none.");
}

void AddOperations(Schema& schema) {
  schema
      .Add(
          "metrics", "tick_json_path", [](ServerConfig & c) -> auto& { return c.metrics.tickJsonPath; })
      .Help("File for the tick's figures, written atomically; empty for none.");
  schema
      .Add(
          "metrics", "tick_json_interval_ms", [](ServerConfig & c) -> auto& { return c.metrics.tickJsonIntervalMs; })
      .Range(100, 60'000)
      .Unit("ms")
      .Live()
      .Help("How often it is written.");
  schema
      .Add(
          "recording", "path", [](ServerConfig & c) -> auto& { return c.recording.path; })
      .MaxCharacters(4'096)
      .Help(
          "File to record the world and the players' inputs to from the start on; a number is added where it exists. "
          "Empty for none; the console's `record` begins one later.");
  schema
      .Add(
          "recording", "every_ticks", [](ServerConfig & c) -> auto& { return c.recording.everyTicks; })
      .Range(1, 3'600)
      .Unit("ticks")
      .Help("The world is recorded in every tick divisible by it, inputs in every tick.");
  schema
      .Add(
          "recording", "columns", [](ServerConfig & c) -> auto& { return c.recording.columns; })
      .Help("Names of the columns to record, such as \"position_x\"; none for all.");
  schema
      .Add(
          "recording", "max_mb", [](ServerConfig & c) -> auto& { return c.recording.maxMb; })
      .Range(1, 10'000'000)
      .Unit("MB")
      .Help("A recording ends, in order, before it is larger.");
  schema
      .Add(
          "spawn", "agl_offset", [](ServerConfig & c) -> auto& { return c.spawn.aglOffset; })
      .Range(0.0, 20'000.0)
      .Unit("m")
      .Help("Height above the ground at which players start; 0 stands on it, and so do ground vehicles always.");
  schema
      .Add(
          "spawn", "player_archetype", [](ServerConfig & c) -> auto& { return c.spawn.playerArchetype; })
      .MaxCharacters(64)
      .Help("What players fly or drive.");
  schema
      .Add(
          "spawn", "respawn_delay_s", [](ServerConfig & c) -> auto& { return c.spawn.respawnDelayS; })
      .Range(0.0, 600.0)
      .Unit("s")
      .Help("How long a player waits for the next craft.");
  schema
      .Add(
          "shutdown", "drain_timeout_s", [](ServerConfig & c) -> auto& { return c.shutdown.drainTimeoutS; })
      .Range(0, 600)
      .Unit("s")
      .Live()
      .Help("How long a stop waits for its goodbyes to arrive.");
  schema
      .Add(
          "log", "level", [](ServerConfig & c) -> auto& { return c.log.level; })
      .OneOf({"trace", "debug", "info", "warning", "error"})
      .Help("The least important events that are logged.");
}

}  // namespace

config::Schema<ServerConfig> MakeServerSchema() {
  Schema schema;
  AddServer(schema);
  AddWorld(schema);
  AddNetworkAndSecurity(schema);
  AddPlugins(schema);
  AddOperations(schema);
  return schema;
}

}  // namespace muster::server
