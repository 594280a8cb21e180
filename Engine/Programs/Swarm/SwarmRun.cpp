// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmRun.h"

#include "SwarmWorker.h"

#include "Core/Clock.h"
#include "Core/Files.h"
#include "Link/PluginIdentity.h"
#include "LinkSim/UdpRelay.h"
#include "PluginHost/PluginHost.h"
#include "Protocol/BuiltInCodec.h"

#include <fmt/format.h>

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

namespace muster::swarm {

namespace {

constexpr std::size_t kMaxMetricsBytes = 1 << 20;
constexpr std::uint32_t kClientsPerThread = 32;

/// "enet" is short for the plugin's id.
std::string TransportId(const std::string& name) {
  return name.find('.') == std::string::npos ? "muster.transport." + name : name;
}

/// A socket for each client, another one in the relay, and some for the process itself.
void RaiseDescriptorLimit(std::uint32_t clients) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    const rlim_t wanted = std::min<rlim_t>(static_cast<rlim_t>(clients) * 4 + 128, limit.rlim_max);
    limit.rlim_cur = std::max(limit.rlim_cur, wanted);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

std::optional<telemetry::ServerTickReport> ReadServerMetrics(const std::filesystem::path& path) {
  if (path.empty()) {
    return std::nullopt;
  }
  const auto text = ReadTextFile(path, kMaxMetricsBytes);
  if (!text) {
    return std::nullopt;
  }
  auto report = telemetry::ServerTickReportFromJson(*text);
  return report ? std::optional{std::move(*report)} : std::nullopt;
}

std::chrono::nanoseconds Nanos(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>{seconds});
}

/// The bad line between the clients and the server, while it runs.
class BadLine {
 public:
  static Result<std::unique_ptr<BadLine>> Open(const Degrade& degrade, const mu_address& server, std::uint64_t seed,
                                               const SteadyClock& clock) {
    linksim::UdpRelayConfig config;
    config.server = server;
    config.seed = seed;
    config.window = {Nanos(degrade.startSeconds), Nanos(degrade.durationSeconds)};
    config.toServer.loss = degrade.loss;
    config.toServer.duplicate = degrade.duplicate;
    config.toServer.reorder = degrade.reorder;
    config.toServer.delay = Nanos(degrade.delayMs / 1'000);
    config.toServer.jitter = Nanos(degrade.jitterMs / 1'000);
    config.toClient = config.toServer;
    auto relay = linksim::UdpRelay::Open(config, clock);
    if (!relay) {
      return std::move(relay).Failure();
    }
    return std::unique_ptr<BadLine>(new BadLine(std::move(*relay), clock));
  }

  [[nodiscard]] mu_address Address() const { return m_relay->Address(); }
  [[nodiscard]] linksim::UdpRelayStats Stats() const { return m_relay->Stats(); }

 private:
  BadLine(std::unique_ptr<linksim::UdpRelay> relay, const SteadyClock& clock)
      : m_relay(std::move(relay)), m_thread(*m_relay, clock) {}

  std::unique_ptr<linksim::UdpRelay> m_relay;
  linksim::UdpRelayThread m_thread;
};

struct Providers {
  plugins::Provider<mu_transport_v0> transport;
  plugins::Provider<mu_snapshot_codec_v0> codec;
};

Result<Providers> FindProviders(plugins::PluginHost& host, const SwarmOptions& options) {
  host.Catalog().RegisterBuiltIn<mu_snapshot_codec_v0>("builtin.raw", &protocol::BuiltInCodec());
  for (const std::string& id : {TransportId(options.transport), options.codec}) {
    if (id.starts_with("builtin.")) {
      continue;
    }
    if (auto loaded = host.Load(id); !loaded) {
      return std::move(loaded).Failure();
    }
  }
  auto transport = host.Catalog().Find<mu_transport_v0>(TransportId(options.transport));
  if (!transport) {
    return std::move(transport).Failure();
  }
  auto codec = host.Catalog().Find<mu_snapshot_codec_v0>(options.codec);
  if (!codec) {
    return std::move(codec).Failure();
  }
  return Providers{std::move(*transport), std::move(*codec)};
}

/// The swarm while it runs: workers, and the eyes on them.
class Run {
 public:
  Run(const SwarmOptions& options, const Providers& providers, const protocol::WireIdentity& identity,
      SteadyClock& clock, std::atomic<bool>& stop)
      : m_options(options), m_providers(providers), m_identity(identity), m_clock(clock), m_stop(stop) {}

  Result<SwarmReport> Execute(const mu_address& server, const PatternMix& mix);

 private:
  Result<void> StartWorkers(const mu_address& server, const PatternMix& mix);
  void Watch();
  void ShowProgress(double seconds) const;

  const SwarmOptions& m_options;
  const Providers& m_providers;
  const protocol::WireIdentity& m_identity;
  SteadyClock& m_clock;
  std::atomic<bool>& m_stop;
  MonotonicTime m_start{};
  MonotonicTime m_end{};
  std::vector<std::unique_ptr<SwarmWorker>> m_workers;
  std::vector<RssSample> m_rss;
  std::optional<telemetry::ServerTickReport> m_server;
};

Result<void> Run::StartWorkers(const mu_address& server, const PatternMix& mix) {
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::uint32_t wanted = (m_options.clients + kClientsPerThread - 1) / kClientsPerThread;
  const std::uint32_t threads = m_options.threads > 0 ? m_options.threads : std::clamp(wanted, 1U, cores);
  m_start = m_clock.Now();
  // Connecting takes its time before the run's duration begins, so that every client is measured for all of it.
  const auto ramp = std::chrono::milliseconds{m_options.rampMs};
  m_end = m_start + ramp * m_options.clients + Nanos(m_options.durationSeconds);

  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    SwarmWorker::Plan plan;
    plan.server = server;
    plan.start = m_start;
    plan.ramp = ramp;
    plan.end = m_end;
    std::vector<std::unique_ptr<SwarmClient>> clients;
    for (std::uint32_t i = thread; i < m_options.clients; i += threads) {
      const std::string_view patternName = mix.At(i, m_options.clients);
      auto pattern = MakePattern(patternName, i, m_options.seed);
      if (!pattern) {
        return std::move(pattern).Failure();
      }
      netclient::ClientConfig config;
      config.name = fmt::format("{}-{}", m_options.namePrefix, i);
      config.identity = m_identity;
      config.protocolVersion = m_options.protocolVersion;
      config.ticksPerInput = static_cast<std::uint32_t>(std::lround(kTickHz / m_options.inputHz));
      clients.push_back(std::make_unique<SwarmClient>(std::move(config), *m_providers.transport.table,
                                                      *m_providers.codec.table, m_clock, std::move(*pattern),
                                                      std::string{patternName}));
      plan.clientIndices.push_back(i);
    }
    m_workers.push_back(std::make_unique<SwarmWorker>(std::move(plan), std::move(clients), m_clock, m_stop));
  }
  return {};
}

void Run::Watch() {
  MonotonicTime nextRss = m_start;
  MonotonicTime nextShow = m_start;
  while (m_clock.Now() < m_end && !m_stop.load(std::memory_order_relaxed)) {
    const MonotonicTime now = m_clock.Now();
    const double seconds = std::chrono::duration<double>(now - m_start).count();
    if (now >= nextRss) {
      if (const auto metrics = ReadServerMetrics(m_options.serverMetrics)) {
        m_rss.push_back({seconds, static_cast<double>(metrics->rssKib)});
      }
      nextRss = now + Nanos(m_options.rssSampleSeconds);
    }
    if (now >= nextShow) {
      ShowProgress(seconds);
      nextShow = now + std::chrono::seconds{1};
    }
    m_clock.SleepUntil(std::min({m_end, nextRss, nextShow, now + std::chrono::milliseconds{200}}));
  }
  // Before the clients leave: the server's file then still speaks of the run.
  m_server = ReadServerMetrics(m_options.serverMetrics);
}

void Run::ShowProgress(double seconds) const {
  if (m_options.isQuiet) {
    return;
  }
  std::uint32_t playing = 0;
  std::uint32_t connecting = 0;
  std::uint32_t over = 0;
  for (const auto& worker : m_workers) {
    playing += worker->Progress().playing.load(std::memory_order_relaxed);
    connecting += worker->Progress().connecting.load(std::memory_order_relaxed);
    over += worker->Progress().over.load(std::memory_order_relaxed);
  }
  const bool isTerminal = ::isatty(STDERR_FILENO) == 1;
  std::fprintf(stderr, "%s%6.1f s  %u playing, %u connecting, %u over%s", isTerminal ? "\r" : "", seconds, playing,
               connecting, over, isTerminal ? "   " : "\n");
}

Result<SwarmReport> Run::Execute(const mu_address& server, const PatternMix& mix) {
  std::unique_ptr<BadLine> line;
  if (m_options.degrade.IsOn()) {
    auto opened = BadLine::Open(m_options.degrade, server, m_options.seed, m_clock);
    if (!opened) {
      return std::move(opened).Failure();
    }
    line = std::move(*opened);
  }
  if (Result<void> started = StartWorkers(line ? line->Address() : server, mix); !started) {
    m_stop.store(true);
    return std::move(started).Failure();
  }
  Watch();
  if (!m_options.isQuiet && ::isatty(STDERR_FILENO) == 1) {
    std::fputc('\n', stderr);
  }
  std::vector<ClientResult> clients;
  std::vector<const WorkerResult*> results;
  for (const auto& worker : m_workers) {
    worker->Join();
    clients.insert(clients.end(), worker->ClientResults().begin(), worker->ClientResults().end());
    results.push_back(&worker->Result());
  }
  SwarmReport report = MakeReport(m_options, std::move(clients), results, std::move(m_rss), std::move(m_server));
  if (line) {
    report.relay = line->Stats();
  }
  report.transport = m_providers.transport.name;
  report.codec = m_providers.codec.name;
  return report;
}

}  // namespace

Result<SwarmReport> RunSwarm(const SwarmOptions& options, const Logger& log, std::atomic<bool>& stop) {
  const auto server = link::ParseAddress(options.host, options.port);
  if (!server) {
    return server.Failure();
  }
  const auto mix = PatternMix::Parse(options.pattern);
  if (!mix) {
    return mix.Failure();
  }
  RaiseDescriptorLimit(options.clients);

  SteadyClock clock;
  plugins::PluginHostConfig hostConfig;
  for (const auto& root : options.pluginRoots) {
    hostConfig.roots.push_back({root, plugins::PluginRoot::Layout::Source});
  }
  hostConfig.side = plugins::Side::Client;
  auto host = plugins::PluginHost::Create(hostConfig, log, clock);
  if (!host) {
    return std::move(host).Failure();
  }
  const auto providers = FindProviders(**host, options);
  if (!providers) {
    return providers.Failure();
  }
  const protocol::WireIdentity identity = link::IdentityOf(providers->codec, providers->transport, (*host)->Lock());
  return Run{options, *providers, identity, clock, stop}.Execute(*server, *mix);
}

}  // namespace muster::swarm
