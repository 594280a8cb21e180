// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a server and a swarm of a check are made of.
//
//   LoadSpec spec = ReadLoadSpec(parameters, {.clients = 8});      // "clients", "agents", "transport", "codec", "set"
//   auto server = ServerProcess::Start(places, ServerFor(spec), stop);
#pragma once

#include "ServerProcess.h"
#include "StrictObject.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace muster::gate {

struct LoadSpec {
  std::uint32_t clients = 64;
  double seconds = 30;  ///< with everybody in
  std::uint32_t agents = 500;
  std::string pattern{};                       ///< of the swarm; empty: its own default
  std::string transport{};                     ///< plugin's id, of server and swarm; empty: their default
  std::string codec{};                         ///< plugin's id, of server and swarm; empty: their default
  std::filesystem::path config{};              ///< of the server; empty: the sample world
  std::vector<std::string> serverOverrides{};  ///< SECTION.KEY=VALUE
  bool hasConsole = false;
  std::uint32_t sparePeers = 16;  ///< room on the server for whoever joins beside the swarm
  double settleSeconds = 2;       ///< after the last client came in; dropped and late ticks count from then on
};

/// Reads "clients", "agents", "transport", "codec" and "set" (a list of SECTION.KEY=VALUE); what is absent stays as it is
/// in `defaults`. Transport and codec are keys of their own because the swarm needs the same. [any]
LoadSpec ReadLoadSpec(StrictObject& parameters, LoadSpec defaults);

/// [any]
ServerSpec ServerFor(const LoadSpec& spec);

}  // namespace muster::gate
