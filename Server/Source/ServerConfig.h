// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Everything an operator can set, typed and within its ranges. ServerConfigSchema.cpp binds each field to its key, its
// range, its unit and its help; Docs/Reference/ServerConfig.md is generated from the same table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace muster::server {

struct ServerConfig {
  struct {
    std::string name = "Unnamed Server";
    std::uint16_t port = 4'778;
    std::string bindAddress = "127.0.0.1";
    std::uint32_t maxPeers = 32;
    std::string motd;
  } server;

  struct {
    double drawDistanceKm = 200.0;
    double spatialCellSizeKm = 0.0;  ///< a wish to the index; 0: its own choice
    std::uint32_t snapshotBudgetBytes = 1'200;
    std::uint32_t jitterBufferDepth = 4;
    std::uint32_t jitterBufferAdaptWindow = 60;
    std::uint32_t jitterBufferHysteresis = 2;
    double jitterBufferJitterMultiplier = 2.0;
    std::uint32_t simWorkerThreads = 0;  ///< the tick thread counts as one; 0: all cores but one
    bool pinThreads = false;
    std::uint32_t maxCatchupTicks = 3;
    std::uint32_t entityCapacity = 20'000;
    std::int64_t seed = 1;
    std::uint32_t testSpawnAiCount = 0;
    double testSpawnSpreadKm = 50.0;
    double testSpawnAglM = 500.0;
    std::string testSpawnAiMix = "loiter:1";
    std::string testSpawnEntityType = "builtin:debug-entity";
    double testProjectileRate = 0.0;
    double testProjectileTtlS = 3.0;
    std::string testProjectileEntityType = "builtin:shell";
  } world;

  struct {
    std::string transport = "muster.transport.enet";
  } network;

  struct {
    std::uint32_t connectRateLimitCount = 5;
    std::uint32_t connectRateLimitWindowS = 10;
    std::uint32_t packetFloodMultiplier = 3;
    std::uint32_t maxConnectionsPerIp = 0;
    std::uint32_t preHandshakeRateLimitCount = 40;  ///< datagrams a second and address before the handshake is done
    std::uint32_t idleTimeoutS = 0;
  } security;

  struct {
    std::string spatialIndex = "muster.spatial.grid";
    std::vector<std::string> controllers{"muster.ai.basic"};
    std::string codec = "muster.codec.quantized";
    std::vector<std::string> disabled;
    std::string lockFile;
  } plugins;

  struct {
    std::string tickJsonPath;
    std::uint32_t tickJsonIntervalMs = 1'000;
  } metrics;

  struct {
    std::string path;
    std::uint32_t everyTicks = 6;
    std::vector<std::string> columns;  ///< none: all
    std::uint32_t maxMb = 1'024;
  } recording;

  struct {
    double aglOffset = 500.0;
    std::string playerArchetype = "builtin:trainer";
    double respawnDelayS = 3.0;
  } spawn;

  struct {
    std::uint32_t drainTimeoutS = 5;  ///< how long a stop waits for goodbyes to arrive
  } shutdown;

  struct {
    std::string level = "info";
  } log;
};

}  // namespace muster::server
