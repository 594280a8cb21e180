// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A muster-swarm of its own.
//
//   auto swarm = SwarmProcess::Start(places, SwarmFor(spec), server->Port());
//   swarm->Process().Signal(SIGTERM);                    // or its time is up: everybody leaves, it reports
//   swarm->Process().WaitFor(std::chrono::seconds{10});
//   Result<SwarmOutcome> outcome = swarm->Collect();
#pragma once

#include "ChildProcess.h"
#include "GatePlaces.h"
#include "LoadSpec.h"
#include "SwarmOutcome.h"

#include "Core/Files.h"
#include "Core/Result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muster::gate {

struct SwarmSpec {
  std::uint32_t clients = 1;
  double seconds = 30;
  std::string pattern{};
  std::string transport{};
  std::string codec{};
  std::string name{};                              ///< of the players, without their number; empty: its own default
  std::optional<std::uint16_t> protocolVersion{};  ///< to pretend; empty: its own
  std::filesystem::path serverMetrics{};
  std::vector<std::string> environment{};  ///< NAME=VALUE
};

/// The swarm that `spec` asks for. [any]
SwarmSpec SwarmFor(const LoadSpec& spec);

class SwarmProcess {
 public:
  static Result<SwarmProcess> Start(const Places& places, const SwarmSpec& spec, std::uint16_t port);

  [[nodiscard]] ChildProcess& Process() { return m_process; }

  /// What it reports, once it has ended; kProcessEnded where it left no report.
  Result<SwarmOutcome> Collect();

 private:
  SwarmProcess(TemporaryDirectory directory, ChildProcess process, std::filesystem::path report);

  TemporaryDirectory m_directory;
  ChildProcess m_process;
  std::filesystem::path m_report;
};

}  // namespace muster::gate
