// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Scene.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kSceneLook{50};
/// Longer than any scene: the swarm is told to leave.
constexpr double kSwarmSeconds = 7'200;
constexpr double kJoinPatienceSeconds = 30;
constexpr std::chrono::seconds kSceneLeavePatience{20};
/// A player who fell silent is given up after ten seconds.
constexpr double kLeftoverPatienceSeconds = 20;

}  // namespace

Scene::Scene(const CheckContext& context, ServerProcess server, const Footprint& before)
    : m_context(&context), m_server(std::move(server)), m_before(before) {}

Result<Scene> Scene::Open(const CheckContext& context, LoadSpec spec, std::vector<std::string> environment) {
  spec.hasConsole = true;
  spec.seconds = kSwarmSeconds;
  ServerSpec serverSpec = ServerFor(spec);
  serverSpec.environment = environment;
  auto server = ServerProcess::Start(context.places, serverSpec, context.stop);
  if (!server) {
    return std::move(server).Failure();
  }
  const auto before = TakeFootprintAtRest(*server, context.stop);
  if (!before) {
    return before.Failure();
  }
  Scene scene{context, std::move(*server), *before};
  if (spec.clients == 0) {
    return scene;
  }
  SwarmSpec players = SwarmFor(spec);
  players.environment = std::move(environment);
  auto swarm = SwarmProcess::Start(context.places, players, scene.m_server.Port());
  if (!swarm) {
    return std::move(swarm).Failure();
  }
  scene.m_swarm.emplace(std::move(*swarm));
  if (Result<void> in = scene.AwaitPlayers(spec.clients); !in) {
    return std::move(in).Failure();
  }
  return scene;
}

Result<void> Scene::Watch(double seconds) {
  const auto deadline = Clock::now() + std::chrono::duration<double>{seconds};
  do {
    if (m_context->stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    if (!m_server.IsRunning()) {
      return Error{kProcessEnded, "muster-server ended.", LastLines(m_server.Log(), 3), "Follow what it said."};
    }
    if (m_swarm) {
      m_swarm->Process().Pump(milliseconds{0});
    }
    m_server.Pump(kSceneLook);
  } while (Clock::now() < deadline);
  return {};
}

Result<void> Scene::AwaitPlayers(std::uint64_t players) {
  const auto deadline = Clock::now() + std::chrono::duration<double>{kJoinPatienceSeconds};
  for (;;) {
    const auto status = m_server.Status();
    if (!status) {
      return status.Failure();
    }
    if (status->players == players) {
      return {};
    }
    if (Clock::now() > deadline) {
      return Error{kProcessSilent, fmt::format("{} of {} players are on.", status->players, players),
                   fmt::format("They have had {:.0f} s. {}", kJoinPatienceSeconds, LastLines(m_server.Log(), 2)),
                   "See the server's log for who was turned away."};
    }
    if (Result<void> watched = Watch(0.1); !watched) {
      return watched;
    }
  }
}

Result<std::vector<Figure>> Scene::Close() {
  const auto number = [](auto value) { return FigureValue{static_cast<double>(value)}; };
  std::vector<Figure> figures;
  if (m_swarm) {
    m_swarm->Process().Signal(SIGTERM);
    m_swarm->Process().WaitFor(kSceneLeavePatience);
    auto outcome = m_swarm->Collect();
    if (!outcome) {
      return std::move(outcome).Failure();
    }
    m_outcome = std::move(*outcome);
    figures = {{.name = "clients_connected", .value = number(m_outcome->connected)},
               {.name = "clients_disconnected", .value = number(m_outcome->disconnected)},
               {.name = "malformed_messages", .value = number(m_outcome->malformed)}};
    if (!m_outcome->firstFailure.empty()) {
      m_context->say("a player: " + m_outcome->firstFailure);
    }
  }
  const auto after = AwaitNoLeftovers(m_server, m_before, kLeftoverPatienceSeconds, m_context->stop);
  if (!after) {
    return after.Failure();
  }
  figures.push_back({.name = "leftovers", .value = Leftovers(m_before, *after)});
  const auto last = m_server.Status();
  if (!last) {
    return last.Failure();
  }
  m_last = *last;
  const auto exit = m_server.Stop();
  if (!exit) {
    return exit.Failure();
  }
  figures.push_back({.name = "server_exit", .value = number(*exit)});
  return figures;
}

}  // namespace muster::gate
