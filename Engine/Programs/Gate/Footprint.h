// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a server holds while nobody is on: afterwards it must hold the same, or something was left behind.
#pragma once

#include "ServerProcess.h"
#include "ServerStatus.h"

#include "Core/Result.h"

#include <cstdint>
#include <string>

namespace muster::gate {

struct Footprint {
  std::uint64_t players = 0;
  std::uint64_t sessions = 0;
  std::uint64_t halfOpen = 0;  ///< connections in the middle of their handshake
  std::uint64_t entities = 0;
  std::uint64_t descriptors = 0;  ///< open files and sockets
  std::uint64_t threads = 0;
  std::uint64_t residentKib = 0;
};

/// Asks the server over its console and looks at it from outside. [main]
Result<Footprint> TakeFootprint(ServerProcess& server);

/// Of a server at rest: the smallest of some readings, as a server that is just writing its metrics has one file more
/// open. [main]
Result<Footprint> TakeFootprintAtRest(ServerProcess& server, const StopFlag& stop);

/// "none", or what is more or fewer than before: "entities 50 -> 51, threads 5 -> 4". Memory is not compared, it has a
/// bar of its own. [any]
std::string Leftovers(const Footprint& before, const Footprint& after);

/// Looks until nothing is left over or the time is up, and gives the last look. [main]
Result<Footprint> AwaitNoLeftovers(ServerProcess& server, const Footprint& before, double patienceSeconds,
                                   const StopFlag& stop);

/// Resident memory of a process; 0 where it cannot be read. [any]
std::uint64_t ResidentKibOf(pid_t process);

}  // namespace muster::gate
