// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Config/Schema.h"

#include <cstdint>
#include <string>
#include <vector>

namespace muster::config {

struct SampleConfig {
  struct {
    std::uint32_t maxPeers = 32;
    std::uint16_t port = 4'778;
    std::string name = "Muster";
    std::string mode = "open";
  } server;
  struct {
    double spreadKm = 4.0;
    float gain = 1.0f;
    bool compress = false;
  } world;
  struct {
    std::vector<std::string> load;
  } plugins;
  struct {
    std::string password;
  } admin;
};

inline Schema<SampleConfig> SampleSchema() {
  using C = SampleConfig;
  Schema<C> schema;
  schema
      .Add(
          "server", "max_peers", [](C & c) -> auto& { return c.server.maxPeers; })
      .Range(1, 1'024)
      .Unit("peers")
      .Live()
      .Help("Players that may be connected at once.");
  schema
      .Add(
          "server", "port", [](C & c) -> auto& { return c.server.port; })
      .Help("UDP port.");
  schema
      .Add(
          "server", "name", [](C & c) -> auto& { return c.server.name; })
      .MaxCharacters(64)
      .Live()
      .Help("Shown.");
  schema
      .Add(
          "server", "mode", [](C & c) -> auto& { return c.server.mode; })
      .OneOf({"open", "closed"})
      .Help("Who may join | and who not.");
  schema
      .Add(
          "world", "spread_km", [](C & c) -> auto& { return c.world.spreadKm; })
      .Range(0.0, 1'000.0)
      .Unit("km")
      .Help("Edge of the square.");
  schema
      .Add(
          "world", "gain", [](C & c) -> auto& { return c.world.gain; })
      .Help("A factor.");
  schema
      .Add(
          "world", "compress", [](C & c) -> auto& { return c.world.compress; })
      .Help("Smaller packets.");
  schema
      .Add(
          "plugins", "load", [](C & c) -> auto& { return c.plugins.load; })
      .Help("Ids of plugins.");
  schema
      .Add(
          "admin", "password", [](C & c) -> auto& { return c.admin.password; })
      .MaxCharacters(64)
      .Secret()
      .Help("Of the console.");
  return schema;
}

}  // namespace muster::config
