// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LoadRun.h"

#include "GateErrors.h"
#include "SwarmProcess.h"
#include "ThreadTimes.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxReportBytes = 64 << 20;
constexpr milliseconds kLoadRunLook{50};
/// Beyond what ramp and duration take, for connecting, leaving and writing the report.
constexpr double kSwarmSlackSeconds = 45;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Run {
 public:
  Run(const LoadSpec& spec, ServerProcess& server, SwarmProcess& swarm)
      : m_spec(spec), m_server(server), m_swarmProcess(swarm), m_swarm(swarm.Process()) {}

  /// Until the swarm has ended.
  Result<void> Watch(const LoadObserver& observe, const StopFlag& stop);
  /// Everything but the server's end.
  Result<LoadOutcome> Collect();

 private:
  void Look();

  const LoadSpec& m_spec;
  ServerProcess& m_server;
  SwarmProcess& m_swarmProcess;
  ChildProcess& m_swarm;
  LoadProgress m_progress;
  std::optional<Clock::time_point> m_completeAt;
  std::optional<telemetry::ServerTickReport> m_settled;  ///< when the settling time was over
  std::string m_metricsText;
  ThreadTimes m_swarmBefore;
  ThreadTimes m_swarmAfter;
  Clock::time_point m_swarmBeforeAt{};
  Clock::time_point m_swarmAfterAt{};
};

void Run::Look() {
  m_progress.server = m_server.Metrics();
  if (!m_progress.server) {
    return;
  }
  if (m_progress.server->peers >= m_spec.clients) {
    m_progress.isComplete = true;
    if (!m_completeAt) {
      m_completeAt = Clock::now();
    }
    if (auto text = ReadTextFile(m_server.MetricsPath(), kMaxReportBytes)) {
      m_metricsText = std::move(*text);
    }
  }
  if (m_completeAt && SecondsSince(*m_completeAt) >= m_spec.settleSeconds) {
    if (!m_settled) {
      m_settled = m_progress.server;
      m_swarmBefore = ReadThreadTimes(m_swarm.Id());
      m_swarmBeforeAt = Clock::now();
    }
    // Threads that have ended tell nothing any more, so the last reading with clients on is kept.
    if (m_progress.server->peers >= m_spec.clients) {
      m_swarmAfter = ReadThreadTimes(m_swarm.Id());
      m_swarmAfterAt = Clock::now();
    }
  }
}

Result<void> Run::Watch(const LoadObserver& observe, const StopFlag& stop) {
  const auto begin = Clock::now();
  const double limit = m_spec.seconds + 0.02 * m_spec.clients + kSwarmSlackSeconds;
  while (!m_swarm.ExitStatus()) {
    if (stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    if (!m_server.IsRunning()) {
      return Error{kProcessEnded, "muster-server ended during the run.", LastLines(m_server.Log(), 3),
                   "Follow what it said."};
    }
    m_progress.seconds = SecondsSince(begin);
    if (m_progress.seconds > limit) {
      return Error{kProcessSilent, "muster-swarm did not end.", fmt::format("It has had {:.0f} s.", limit),
                   "See whether the machine is busy."};
    }
    Look();
    if (observe) {
      if (Result<void> observed = observe(m_progress, m_server); !observed) {
        return observed;
      }
    }
    m_swarm.Pump(kLoadRunLook);
  }
  m_swarm.Pump(milliseconds{0});
  return {};
}

Result<LoadOutcome> Run::Collect() {
  auto swarm = m_swarmProcess.Collect();
  if (!swarm) {
    return std::move(swarm).Failure();
  }
  LoadOutcome outcome;
  outcome.swarm = std::move(*swarm);
  outcome.metricsText = std::move(m_metricsText);
  RunFigures& figures = outcome.figures;
  figures.clients = m_spec.clients;
  figures.connected = outcome.swarm.connected;
  figures.refused = outcome.swarm.refused;
  figures.disconnected = outcome.swarm.disconnected;
  figures.malformed = outcome.swarm.malformed;
  figures.minObservedHz = outcome.swarm.minObservedHz;
  figures.isGeneratorBound = outcome.swarm.isGeneratorBound;
  figures.generatorLateShare = outcome.swarm.inputsLateShare;
  figures.generatorWaitShare = LargestWaitShare(m_swarmBefore, m_swarmAfter, m_swarmAfterAt - m_swarmBeforeAt);
  if (const auto& end = outcome.swarm.server) {
    figures.wireKbsPerClient = end->WireOutKbsPerClient();
    if (m_settled) {
      figures.droppedTicks = end->droppedTicks - std::min(end->droppedTicks, m_settled->droppedTicks);
      figures.lateTicks = end->lateTicks - std::min(end->lateTicks, m_settled->lateTicks);
      figures.lateTicksWaiting = end->lateTicksWaiting - std::min(end->lateTicksWaiting, m_settled->lateTicksWaiting);
    }
  }
  return outcome;
}

}  // namespace

Result<LoadOutcome> RunLoad(const Places& places, const LoadSpec& spec, const LoadObserver& observe,
                            const StopFlag& stop) {
  auto server = ServerProcess::Start(places, ServerFor(spec), stop);
  if (!server) {
    return std::move(server).Failure();
  }
  SwarmSpec players = SwarmFor(spec);
  players.serverMetrics = server->MetricsPath();
  auto swarm = SwarmProcess::Start(places, players, server->Port());
  if (!swarm) {
    return std::move(swarm).Failure();
  }
  Run run{spec, *server, *swarm};
  if (Result<void> watched = run.Watch(observe, stop); !watched) {
    return std::move(watched).Failure();
  }
  auto outcome = run.Collect();
  if (!outcome) {
    return outcome;
  }
  const auto status = server->Stop();
  if (!status) {
    return status.Failure();
  }
  outcome->figures.serverExit = *status;
  outcome->serverLog = server->Log();
  return outcome;
}

}  // namespace muster::gate
