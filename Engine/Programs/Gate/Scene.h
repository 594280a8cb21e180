// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Where something goes wrong on purpose: a server of its own with players on, looked at before and after.
//
//   auto scene = Scene::Open(context, spec);            // server up, its footprint taken, everybody is in
//   ... do harm, let time pass with scene->Watch(...) ...
//   auto figures = scene->Close();                      // players leave, the server's leftovers, the server stops
//
// Nothing that was started outlives the scene.
#pragma once

#include "Check.h"
#include "Footprint.h"
#include "LoadSpec.h"
#include "ServerProcess.h"
#include "SwarmProcess.h"

#include "Core/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace muster::gate {

class Scene {
 public:
  /// With `spec.clients` 0 there is only the server. `environment` (NAME=VALUE) is for server and swarm. [main]
  static Result<Scene> Open(const CheckContext& context, LoadSpec spec, std::vector<std::string> environment = {});

  [[nodiscard]] ServerProcess& Server() { return m_server; }
  /// Only where there are clients.
  [[nodiscard]] SwarmProcess& Swarm() { return *m_swarm; }
  [[nodiscard]] const Footprint& Before() const { return m_before; }

  /// Lets time pass and keeps the programs' output flowing. Fails when the server ends, or with kGateInterrupted.
  Result<void> Watch(double seconds);
  /// The same until that many play; kProcessSilent after 30 s.
  Result<void> AwaitPlayers(std::uint64_t players);

  /// The end of the scene, once. Figures: "clients_connected", "clients_disconnected", "malformed_messages" (where there
  /// are clients), "leftovers", "server_exit".
  Result<std::vector<Figure>> Close();
  /// After Close, where there are clients.
  [[nodiscard]] const SwarmOutcome& Players() const { return *m_outcome; }
  /// After Close: what the server counted over its life, with everybody gone.
  [[nodiscard]] const ServerStatus& LastStatus() const { return m_last; }

 private:
  Scene(const CheckContext& context, ServerProcess server, const Footprint& before);

  const CheckContext* m_context;
  ServerProcess m_server;
  Footprint m_before;
  std::optional<SwarmProcess> m_swarm;
  std::optional<SwarmOutcome> m_outcome;
  ServerStatus m_last;
};

}  // namespace muster::gate
