// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerConfigCheck.h"

#include "Link/Address.h"
#include "Simulation/LoadSpawner.h"

#include <fmt/format.h>

#include <utility>

namespace muster::server {

std::vector<Error> CheckServerConfig(const ServerConfig& config) {
  std::vector<Error> errors;
  const auto note = [&errors](std::string_view key, const Result<void>& result) {
    if (!result) {
      Error error = result.Failure();
      error.sentence = fmt::format("{}: {}", key, error.sentence);
      errors.push_back(std::move(error));
    }
  };
  const Result<mu_address> bind = link::ParseAddress(config.server.bindAddress, config.server.port);
  note("server.bind_address", bind ? Result<void>{} : Result<void>{bind.Failure()});
  note("world.test_spawn_ai_mix", simulation::LoadSpawner::CheckMix(config.world.testSpawnAiMix));
  return errors;
}

}  // namespace muster::server
