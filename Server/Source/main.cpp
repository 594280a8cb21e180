// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerApp.h"

#include "Core/ProgramPath.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

int Run(int argc, char** argv) {
  muster::server::CommandLine commandLine;
  std::string config;
  std::string metrics;
  std::vector<std::string> plugins;
  std::string content = fs::exists(MUSTER_SOURCE_DIR "/Content") ? MUSTER_SOURCE_DIR "/Content" : "Content";
  std::string addressFile;
  int workers = -1;
  int port = -1;

  CLI::App app{"muster-server: a dedicated server for one world", "muster-server"};
  app.add_option("--config", config, "configuration file (TOML)")->check(CLI::ExistingFile);
  app.add_option("--set", commandLine.sources.overrides,
                 "SECTION.KEY=VALUE, over file and environment; may be repeated");
  app.add_option("--port", port, "short for --set server.port=N")->check(CLI::Range(0, 65'535));
  app.add_option("--metrics-json", metrics, "short for --set metrics.tick_json_path=FILE");
  app.add_option("--sim-worker-threads", workers, "short for --set world.sim_worker_threads=N")
      ->check(CLI::Range(0, 256));
  app.add_option("--plugins", plugins, "folder to find plugins in; may be repeated");
  app.add_option("--content", content, "folder of archetypes and levels")->check(CLI::ExistingDirectory);
  app.add_option("--address-file", addressFile, "write the address really bound to this file");
  app.add_flag("--check-config", commandLine.checkConfig, "check the configuration and exit");
  app.add_flag("--print-config", commandLine.printConfig,
               "print the configuration with the origin of each value and exit");
  app.add_flag("--print-config-reference", commandLine.printReference,
               "print the reference of all keys (Markdown) and exit");
  std::string recording;
  app.add_option("--print-recording", recording, "say what a recording holds and exit")->check(CLI::ExistingFile);
  bool noConsole = false;
  app.add_flag("--no-console", noConsole, "read no commands from standard input");
  app.set_version_flag("--version", "muster-server " MUSTER_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : muster::server::kExitUsage;
  }

  if (!config.empty()) {
    commandLine.sources.file = config;
  }
  commandLine.sources.environment = muster::config::ProcessEnvironment();
  const auto addOverride = [&](const std::string& key, const std::string& value) {
    commandLine.sources.overrides.push_back(key + "=" + value);
  };
  if (!metrics.empty()) {
    addOverride("metrics.tick_json_path", metrics);
  }
  if (workers >= 0) {
    addOverride("world.sim_worker_threads", std::to_string(workers));
  }
  if (port >= 0) {
    addOverride("server.port", std::to_string(port));
  }
  for (const std::string& root : plugins) {
    commandLine.pluginRoots.push_back(fs::absolute(root));
  }
  if (commandLine.pluginRoots.empty()) {
    commandLine.pluginRoots.push_back(muster::PathBesideProgram("Plugins"));
  }
  commandLine.content = content;
  commandLine.printRecording = recording;
  commandLine.addressFile = addressFile;
  commandLine.hasConsole = !noConsole;
  return muster::server::RunServer(commandLine);
}

}  // namespace

int main(int argc, char** argv) {
  muster::server::OpenStandardDescriptors();
  try {
    return Run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "muster-server: %s\n", exception.what());
    return muster::server::kExitFailure;
  }
}
