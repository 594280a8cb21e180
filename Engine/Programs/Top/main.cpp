// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TopLoop.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

namespace {

constexpr int kExitUsage = 2;

int Run(int argc, char** argv) {
  std::string metrics = "muster-metrics.json";
  double interval = 0.5;
  muster::top::TopOptions options;
  CLI::App app{"muster-top: the tick of a running server, live", "muster-top"};
  app.add_option("--metrics", metrics, "file given to muster-server --metrics-json")->envname("MUSTER_METRICS_JSON");
  app.add_option("--interval", interval, "seconds between two looks")->check(CLI::Range(0.1, 60.0));
  app.add_flag("--once", options.isOnce, "print the table once and exit");
  app.set_version_flag("--version", "muster-top " MUSTER_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  options.metrics = metrics;
  options.interval = std::chrono::milliseconds{std::lround(interval * 1'000.0)};
  return muster::top::RunTop(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "muster-top: %s\n", exception.what());
    return 1;
  }
}
