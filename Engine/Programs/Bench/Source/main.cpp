// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchRun.h"
#include "LoadedPlugins.h"
#include "LoopPeers.h"
#include "Recipes.h"
#include "SpatialPeers.h"

#include "Core/Bytes.h"
#include "Core/Files.h"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>

namespace {

namespace fs = std::filesystem;
using namespace muster;
using namespace muster::bench;

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;
constexpr int kExitInterrupted = 130;
constexpr std::size_t kMaxReportBytes = 64U << 20U;

std::atomic<bool> g_stop{false};  // a signal handler can reach nothing else

struct Options {
  std::string command{"run"};
  std::string filter{};
  std::string json{};
  std::vector<std::string> compare{};
  std::string plugins{};
  bool isQuick = false;
  bool isQuiet = false;
  unsigned caseMilliseconds = 60;
};

/// What the sources are at, asked of git; empty sources or no git: "unknown".
std::string Revision() {
  std::string revision;
  std::FILE* const git = popen("git -C '" MUSTER_SOURCE_DIR "' describe --always --dirty 2>/dev/null", "r");
  if (git != nullptr) {
    char line[128];
    if (std::fgets(line, sizeof line, git) != nullptr) {
      revision = line;
      revision.erase(revision.find_last_not_of(" \n") + 1);
    }
    pclose(git);
  }
  return revision.empty() ? "unknown" : revision;
}

void StopOnSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_stop.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the program
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int Complain(const Error& error) {
  std::fprintf(stderr, "muster-bench: %s\n", error.ToString().c_str());
  return kExitFailed;
}

int CompareFiles(const std::string& before, const std::string& after) {
  std::vector<Report> reports;
  for (const std::string& path : {before, after}) {
    const Result<std::string> text = ReadTextFile(path, kMaxReportBytes);
    if (!text) {
      return Complain(text.Failure());
    }
    Result<Report> report = ParseReport(*text);
    if (!report) {
      return Complain(report.Failure());
    }
    fmt::print("{}: {}, {}, {}, {} ({} cores){}\n", reports.empty() ? "A" : "B", report->revision, report->compiler,
               report->flags, report->machine.cpu, report->machine.cores, report->isComplete ? "" : ", interrupted");
    reports.push_back(std::move(*report));
  }
  std::fputs(ToTable(Compare(reports[0], reports[1])).c_str(), stdout);
  return 0;
}

int List(const std::vector<GroupRecipe>& recipes) {
  for (const GroupRecipe& recipe : recipes) {
    fmt::print("{:<46} {}\n", recipe.name, recipe.shows);
  }
  return 0;
}

int Measure(const std::vector<GroupRecipe>& recipes, const Options& options, const IClock& clock) {
  Report report;
  report.revision = Revision();
  report.compiler = MUSTER_BENCH_COMPILER;
  report.flags = MUSTER_BENCH_FLAGS;
  report.machine = ThisMachine();
  fmt::print("{}, {}, {}, {} ({} cores)\n", report.revision, report.compiler, report.flags, report.machine.cpu,
             report.machine.cores);

  SamplerOptions sampling;
  sampling.caseTime = std::chrono::milliseconds(options.caseMilliseconds);
  if (options.isQuick) {
    sampling.minSamples = 3;
    sampling.maxSamples = 3;
  }
  const bool showsProgress = !options.isQuiet && isatty(STDERR_FILENO) != 0;
  const auto clearLine = [showsProgress] {
    if (showsProgress) {
      std::fputs("\r\033[K", stderr);
    }
  };
  RunEvents events;
  events.onBegin = [&](std::size_t place, std::size_t count, const std::string& name) {
    if (showsProgress) {
      std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", place + 1, count, name.c_str());
      std::fflush(stderr);
    }
  };
  events.onGroup = [&](const Report& soFar, const std::string& name) {
    clearLine();
    std::fputs(ToTable(soFar, name).c_str(), stdout);
    std::fflush(stdout);
  };
  events.onWrong = [&](const Error& error) {
    clearLine();
    Complain(error);
  };
  StopOnSignals();
  const MonotonicTime begin = clock.Now();
  const bool isRight = RunRecipes(
      recipes, sampling, clock, [] { return g_stop.load(); }, events, report);
  clearLine();
  const double seconds = std::chrono::duration<double>(clock.Now() - begin).count();
  fmt::print("\n{} cases of {} groups in {:.1f} s{}\n", report.cases.size(), recipes.size(), seconds,
             report.isComplete ? "" : "; interrupted, the rest was not measured");
  if (!options.json.empty()) {
    if (const auto written = WriteFileAtomically(options.json, ToJson(report)); !written) {
      return Complain(written.Failure());
    }
  }
  if (!report.isComplete) {
    return kExitInterrupted;
  }
  return isRight ? 0 : kExitFailed;
}

fs::path DefaultPluginRoot() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path{} : self.parent_path().parent_path() / "Plugins";
}

int Run(int argc, char** argv) {
  Options options;
  CLI::App app{"muster-bench: what the core costs, beside plain references and other libraries, in one run",
               "muster-bench"};
  app.add_option("command", options.command, "run, or list: name what can be measured")
      ->check(CLI::IsMember({"run", "list"}));
  app.add_option("--filter", options.filter, "only groups whose name holds a match of this regular expression");
  app.add_option("--json", options.json, "write the report here");
  app.add_option("--compare", options.compare, "measure nothing; print two reports side by side")->expected(2);
  app.add_option("--plugins", options.plugins, "folder to find plugins in");
  app.add_option("--case-ms", options.caseMilliseconds, "how long each case is sampled")->check(CLI::Range(1, 60'000));
  app.add_flag("--quick", options.isQuick, "a smoke run: few groups, three samples a case, figures mean little");
  app.add_flag("--quiet", options.isQuiet, "no progress");
  app.set_version_flag("--version", "muster-bench " MUSTER_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  if (!options.compare.empty()) {
    return CompareFiles(options.compare[0], options.compare[1]);
  }

  StderrSink sink{LogLevel::Warning};
  SteadyClock clock;
  const fs::path root = options.plugins.empty() ? DefaultPluginRoot() : fs::absolute(options.plugins);
  const auto plugins = LoadedPlugins::Load(root, Logger{sink, "bench"}, clock);
  if (!plugins) {
    return Complain(plugins.Failure());
  }
  const Peers peers{SpatialPeers(), LoopPeers()};
  const auto recipes = Select(AllRecipes((*plugins)->All(), peers), options.filter, options.isQuick);
  if (!recipes) {
    Complain(recipes.Failure());
    return kExitUsage;
  }
  return options.command == "list" ? List(*recipes) : Measure(*recipes, options, clock);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "muster-bench: %s\n", exception.what());
    return kExitFailed;
  }
}
