// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "stopped": a process is stopped (SIGSTOP) for some seconds and goes on. Parameters: "who" (server or client),
// "seconds", "stopped_clients" (of the process that stops, with "client"), and those of ReadLoadSpec for the players who
// are on all the time. Figures: those of Scene; with "server" also "ticks_missed" (that the pause was long),
// "ticks_dropped" (that the server counted) and "ticks_made_up" (those it ran in a hurry); with "client" also
// "stopped_clients_connected" and "stopped_clients_disconnected".
#include "CheckKinds.h"

#include "Scene.h"

#include "Core/Tick.h"

#include <chrono>
#include <csignal>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

/// Before and after the pause, with everybody in.
constexpr double kCalmSeconds = 2;
constexpr std::chrono::seconds kStoppedCheckLeavePatience{20};

class StoppedCheck final : public ICheck {
 public:
  StoppedCheck(LoadSpec spec, bool isServer, double seconds, std::uint32_t stoppedClients)
      : m_spec(std::move(spec)), m_isServer(isServer), m_seconds(seconds), m_stoppedClients(stoppedClients) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto scene = Scene::Open(context, m_spec);
    if (!scene) {
      return std::move(scene).Failure();
    }
    std::vector<Figure> figures;
    Result<void> done = m_isServer ? StopServer(context, *scene, figures) : StopClients(context, *scene, figures);
    if (!done) {
      return std::move(done).Failure();
    }
    auto common = scene->Close();
    if (!common) {
      return common;
    }
    common->insert(common->end(), figures.begin(), figures.end());
    return common;
  }

 private:
  Result<void> StopServer(const CheckContext& context, Scene& scene, std::vector<Figure>& figures) const {
    if (Result<void> calm = scene.Watch(kCalmSeconds); !calm) {
      return calm;
    }
    const auto before = scene.Server().Status();
    if (!before) {
      return before.Failure();
    }
    context.say("the server stands still");
    scene.Server().Signal(SIGSTOP);
    const auto stopped = Clock::now();
    const Result<void> waited = scene.Watch(m_seconds);
    scene.Server().Signal(SIGCONT);
    if (!waited) {
      return waited;
    }
    const double missed = std::chrono::duration<double>(Clock::now() - stopped).count() * kTickHz;
    if (Result<void> calm = scene.Watch(kCalmSeconds); !calm) {
      return calm;
    }
    const auto after = scene.Server().Status();
    if (!after) {
      return after.Failure();
    }
    const auto dropped = static_cast<double>(after->droppedTicks - before->droppedTicks);
    figures.push_back({.name = "ticks_missed", .value = missed});
    figures.push_back({.name = "ticks_dropped", .value = dropped});
    figures.push_back({.name = "ticks_made_up", .value = missed - dropped});
    return {};
  }

  Result<void> StopClients(const CheckContext& context, Scene& scene, std::vector<Figure>& figures) const {
    SwarmSpec spec = SwarmFor(m_spec);
    spec.clients = m_stoppedClients;
    spec.name = "sleeper";
    auto sleepers = SwarmProcess::Start(context.places, spec, scene.Server().Port());
    if (!sleepers) {
      return std::move(sleepers).Failure();
    }
    if (Result<void> in = scene.AwaitPlayers(m_spec.clients + m_stoppedClients); !in) {
      return in;
    }
    context.say("some clients stand still");
    sleepers->Process().Signal(SIGSTOP);
    const Result<void> waited = scene.Watch(m_seconds);
    sleepers->Process().Signal(SIGCONT);
    if (!waited) {
      return waited;
    }
    if (Result<void> calm = scene.Watch(kCalmSeconds); !calm) {
      return calm;
    }
    sleepers->Process().Signal(SIGTERM);
    sleepers->Process().WaitFor(kStoppedCheckLeavePatience);
    const auto outcome = sleepers->Collect();
    if (!outcome) {
      return outcome.Failure();
    }
    figures.push_back({.name = "stopped_clients_connected", .value = static_cast<double>(outcome->connected)});
    figures.push_back({.name = "stopped_clients_disconnected", .value = static_cast<double>(outcome->disconnected)});
    return {};
  }

  LoadSpec m_spec;
  bool m_isServer;
  double m_seconds;
  std::uint32_t m_stoppedClients;
};

}  // namespace

std::unique_ptr<ICheck> MakeStoppedCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {.clients = 8, .agents = 50});
  const std::string who = parameters.Text("who");
  if (who != "server" && who != "client") {
    parameters.Refuse("\"who\" must be server or client.");
  }
  const double seconds = parameters.Number("seconds", 5);
  const std::uint32_t stoppedClients = parameters.Count("stopped_clients", 4);
  if (seconds <= 0 || stoppedClients == 0) {
    parameters.Refuse("\"seconds\" and \"stopped_clients\" must be more than 0.");
  }
  return std::make_unique<StoppedCheck>(std::move(spec), who == "server", seconds, stoppedClients);
}

}  // namespace muster::gate
