// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmRun.h"

#include "Core/Bytes.h"
#include "Core/Files.h"
#include "Core/ProgramPath.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>

namespace {

namespace fs = std::filesystem;
using muster::swarm::SwarmOptions;

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

std::atomic<bool> g_stop{false};  // a signal handler can reach nothing else

/// CLI::Range lets NaN through, because it compares false with either bound.
CLI::Validator FiniteRange(double low, double high) {
  return CLI::Validator{[low, high](const std::string& text) {
                          double value = 0;
                          const bool isWithin = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
                          return isWithin ? std::string{}
                                          : "must be from " + std::to_string(low) + " to " + std::to_string(high);
                        },
                        "FLOAT"};
}

void AddAssertions(CLI::App& app, muster::swarm::Assertions& bars) {
  app.add_option("--assert-min-tick-hz", bars.minTickHz, "fail if any client observed fewer server ticks a second");
  app.add_option("--assert-max-kbs", bars.maxKbs, "fail if any client received more payload, KB/s");
  app.add_option("--assert-max-wire-kbs", bars.maxWireKbs, "fail if the server sent more per client on the wire, KB/s");
  app.add_option("--assert-max-tick-ms", bars.maxTickMs, "fail if the server's tick p99 is longer");
  app.add_option("--assert-min-entities", bars.minEntities, "fail if the server has fewer entities");
  app.add_option("--assert-max-rss-growth-kb", bars.maxRssGrowthKib,
                 "fail if the server grew more since its start, KiB");
  app.add_option("--assert-max-rss-slope-kb-per-min", bars.maxRssSlopeKibPerMinute,
                 "fail if the server's memory grows faster in the run's tail, KiB a minute");
  app.add_option("--assert-max-load-factor", bars.maxLoadFactor, "fail if the governor's load factor is higher");
  app.add_option("--assert-max-dropped-ticks", bars.maxDroppedTicks, "fail if the server dropped more ticks");
}

void AddDegrade(CLI::App& app, muster::swarm::Degrade& degrade) {
  CLI::Option* const duration =
      app.add_option("--degrade-duration", degrade.durationSeconds, "seconds for which the line is bad; 0: never")
          ->check(FiniteRange(0.0, 864'000.0));
  const auto add = [&](const char* name, double& value, const char* help, double most) {
    app.add_option(name, value, help)->check(FiniteRange(0.0, most))->needs(duration);
  };
  add("--degrade-start", degrade.startSeconds, "seconds from the start until the line turns bad", 864'000.0);
  add("--degrade-loss", degrade.loss, "share of datagrams that the bad line loses, each way", 1.0);
  add("--degrade-delay-ms", degrade.delayMs, "what it delays the others, one way", 60'000.0);
  add("--degrade-jitter-ms", degrade.jitterMs, "up to so much more, evenly", 60'000.0);
  add("--degrade-duplicate", degrade.duplicate, "share that comes twice", 1.0);
  add("--degrade-reorder", degrade.reorder, "share that is held back for 30 ms more", 1.0);
}

int Run(int argc, char** argv) {
  SwarmOptions options;
  std::string patternMix;
  std::string json;
  std::string metrics;
  std::vector<std::string> plugins;
  CLI::App app{"muster-swarm: many synthetic players against one server", "muster-swarm"};
  app.add_option("host", options.host, "server's address")->envname("MUSTER_HOST");
  app.add_option("port", options.port, "server's port")->check(CLI::Range(1, 65'535))->envname("MUSTER_PORT");
  app.add_option("--clients", options.clients, "synthetic players")->check(CLI::Range(1, 4'000));
  app.add_option("--duration", options.durationSeconds, "seconds with everybody on")
      ->check(FiniteRange(0.1, 864'000.0));
  app.add_option("--rate", options.inputHz, "input messages a second and client; each holds every tick since the last")
      ->check(FiniteRange(10.0, 60.0));
  app.add_option("--ramp-ms", options.rampMs, "between two connects")->check(CLI::Range(0, 60'000));
  app.add_option("--threads", options.threads, "0: one for 32 clients, at most the cores")->check(CLI::Range(0, 256));
  app.add_option("--transport", options.transport, "enet, or a plugin's id; never silently another");
  app.add_option("--codec", options.codec, "codec plugin's id");
  app.add_option("--pattern", options.pattern, "weave, level, aggressive, idle or random");
  app.add_option("--pattern-mix", patternMix, "weights, such as weave:80,idle:20; goes before --pattern");
  app.add_option("--seed", options.seed, "of everything random");
  app.add_option("--name", options.namePrefix, "names are NAME-0, NAME-1, ...");
  app.add_option("--protocol-version", options.protocolVersion, "pretend to speak another protocol version");
  app.add_option("--json", json, "write the report here");
  app.add_option("--server-metrics", metrics, "the server's --metrics-json file");
  app.add_option("--rss-sample-interval-s", options.rssSampleSeconds, "between two readings of the server's memory")
      ->check(FiniteRange(0.1, 3'600.0));
  app.add_option("--plugins", plugins, "folder to find plugins in; may be repeated");
  app.add_flag("--quiet", options.isQuiet, "no progress");
  app.set_version_flag("--version", "muster-swarm " MUSTER_VERSION);
  AddDegrade(app, options.degrade);
  AddAssertions(app, options.assertions);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  if (!patternMix.empty()) {
    options.pattern = patternMix;
  }
  options.json = json;
  options.serverMetrics = metrics;
  for (const std::string& root : plugins) {
    options.pluginRoots.push_back(fs::absolute(root));
  }
  if (options.pluginRoots.empty()) {
    options.pluginRoots.push_back(muster::PathBesideProgram("Plugins"));
  }

  std::signal(SIGINT, [](int) { g_stop.store(true); });
  std::signal(SIGTERM, [](int) { g_stop.store(true); });
  muster::StderrSink sink{muster::LogLevel::Warning};
  const auto report = muster::swarm::RunSwarm(options, muster::Logger{sink, "swarm"}, g_stop);
  if (!report) {
    std::fprintf(stderr, "muster-swarm: %s\n", report.Failure().ToString().c_str());
    return kExitUsage;
  }
  if (!options.json.empty()) {
    const std::string text = muster::swarm::ToJson(*report);
    if (const auto written = muster::WriteFileAtomically(options.json, muster::AsBytes(text)); !written) {
      std::fprintf(stderr, "muster-swarm: %s\n", written.Failure().ToString().c_str());
      return kExitFailed;
    }
  }
  std::fputs(muster::swarm::ToText(*report).c_str(), stdout);
  return report->IsPassed() ? 0 : kExitFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "muster-swarm: %s\n", exception.what());
    return kExitFailed;
  }
}
