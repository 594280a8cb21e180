// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LoadSpec.h"

#include <fmt/format.h>

#include <utility>

namespace muster::gate {

LoadSpec ReadLoadSpec(StrictObject& parameters, LoadSpec defaults) {
  LoadSpec spec = std::move(defaults);
  spec.clients = parameters.Count("clients", spec.clients);
  spec.agents = parameters.Count("agents", spec.agents);
  spec.transport = parameters.Text("transport", spec.transport);
  spec.codec = parameters.Text("codec", spec.codec);
  for (std::string& setting : parameters.TextsOr("set", {})) {
    if (setting.find('=') == std::string::npos) {
      parameters.Refuse(fmt::format("\"set\" has \"{}\"; it holds SECTION.KEY=VALUE.", setting));
    }
    if (setting.starts_with("network.transport=") || setting.starts_with("plugins.codec=")) {
      parameters.Refuse("The swarm needs the same: give \"transport\" and \"codec\", not \"set\".");
    }
    spec.serverOverrides.push_back(std::move(setting));
  }
  return spec;
}

ServerSpec ServerFor(const LoadSpec& spec) {
  ServerSpec server{.config = spec.config, .overrides = spec.serverOverrides, .hasConsole = spec.hasConsole};
  server.overrides.push_back(fmt::format("world.test_spawn_ai_count={}", spec.agents));
  server.overrides.push_back(fmt::format("server.max_peers={}", spec.clients + spec.sparePeers));
  if (!spec.transport.empty()) {
    server.overrides.push_back("network.transport=" + spec.transport);
  }
  if (!spec.codec.empty()) {
    server.overrides.push_back("plugins.codec=" + spec.codec);
  }
  return server;
}

}  // namespace muster::gate
