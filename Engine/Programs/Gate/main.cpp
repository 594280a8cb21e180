// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ProfileCommand.h"
#include "RunCommand.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

namespace {

namespace fs = std::filesystem;
namespace gate = muster::gate;

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

gate::StopFlag g_stop{false};  // a signal handler can reach nothing else

/// Programs lie in <build>/bin.
fs::path DefaultBuild() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path{} : self.parent_path().parent_path();
}

struct Options {
  std::string build = DefaultBuild().string();
  std::string json;
  std::string config;
  std::string data;
  gate::RunCommand run;
  gate::ProfileCommand profile;
  bool isQuick = false;
  bool isFull = false;
};

void AddRun(CLI::App& app, Options& options) {
  app.add_option("--clients", options.run.load.clients, "synthetic players")->check(CLI::Range(1, 4'000));
  app.add_option("--duration", options.run.load.seconds, "seconds with everybody in")->check(CLI::Range(4.0, 86'400.0));
  app.add_option("--ai", options.run.load.agents, "agents of the server")->check(CLI::Range(0, 200'000));
  app.add_option("--pattern", options.run.load.pattern, "how the players fly; see muster-swarm --help");
  app.add_option("--config", options.config, "the server's configuration instead of the sample world")
      ->check(CLI::ExistingFile);
  app.add_option("--set", options.run.load.serverOverrides, "SECTION.KEY=VALUE for the server; may be repeated");
  app.add_option("--json", options.json, "write the report here");
  app.add_option("--build-dir", options.build, "where bin/ and Plugins/ are")->check(CLI::ExistingDirectory);
}

void AddProfile(CLI::App& app, Options& options) {
  app.add_option("profile", options.profile.profile, "list of checks in Tests/Load, such as skeleton")->required();
  auto* quick = app.add_flag("--quick", options.isQuick, "counts and equalities only (the default)");
  app.add_flag("--full", options.isFull, "everything, rates and times too")->excludes(quick);
  app.add_flag("--list", options.profile.isList, "show the checks and make none");
  app.add_option("--only", options.profile.only, "the one check of this id");
  app.add_option("--data", options.data, "a list of checks instead of the profile's own")->check(CLI::ExistingFile);
  app.add_option("--json", options.json, "write the report here");
  app.add_option("--build-dir", options.build, "where bin/, Plugins/ and tests/ are")->check(CLI::ExistingDirectory);
}

int Run(int argc, char** argv) {
  Options options;
  const bool isRun = argc > 1 && std::string{argv[1]} == "run";
  CLI::App app{isRun ? "muster-gate run: a server and a swarm on this machine, a live table, a verdict"
                     : "muster-gate: checks and their bars; `muster-gate run --help` describes the run",
               isRun ? "muster-gate run" : "muster-gate"};
  if (isRun) {
    AddRun(app, options);
  } else {
    AddProfile(app, options);
  }
  app.set_version_flag("--version", "muster-gate " MUSTER_VERSION);
  try {
    app.parse(isRun ? argc - 1 : argc, isRun ? argv + 1 : argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, [](int) { g_stop.store(true); });
  std::signal(SIGTERM, [](int) { g_stop.store(true); });
  const gate::Places places{.build = fs::absolute(options.build), .source = MUSTER_SOURCE_DIR};
  if (isRun) {
    options.run.places = places;
    options.run.load.config = options.config;
    options.run.json = options.json;
    return gate::ExecuteRun(options.run, g_stop);
  }
  options.profile.places = places;
  options.profile.depth = options.isFull ? gate::Depth::Full : gate::Depth::Quick;
  options.profile.data = options.data;
  options.profile.json = options.json;
  return gate::ExecuteProfile(options.profile, g_stop);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "muster-gate: %s\n", exception.what());
    return kExitFailed;
  }
}
