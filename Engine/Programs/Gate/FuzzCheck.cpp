// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "fuzz": runs every fuzz target there is (the target `fuzzers` of the preset `fuzz`) for so many seconds, some at a
// time, each from a copy of its committed corpus. What a target finds is kept under Reports/Fuzz/<target> of the build tree.
// Parameters: "seconds" of each target, "at_once", "binaries" (folder, from the build tree). Figures: "targets" (that ran to
// their end or to a finding), "findings", "executions" in all, "shortest" run.
#include "CheckKinds.h"

#include "ChildProcess.h"
#include "FuzzOutcome.h"
#include "GateErrors.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <list>
#include <optional>
#include <system_error>
#include <utility>

namespace muster::gate {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kSuffix = "Fuzzer";
constexpr double kSayEverySeconds = 30;
/// A target may have an input under way when its time is up.
constexpr double kSlackSeconds = 120;
constexpr std::chrono::milliseconds kFuzzCheckLook{50};

struct Target {
  fs::path program;
  fs::path corpus;  ///< empty: none is committed
  [[nodiscard]] std::string Name() const { return program.filename().string(); }
};

struct Running {
  Target target;
  ChildProcess process;
  Clock::time_point begin;
};

struct FuzzTally {
  std::uint32_t targets = 0;
  std::uint32_t findings = 0;
  std::uint64_t executions = 0;
  std::optional<double> shortest{};
};

std::uint32_t FilesIn(const fs::path& folder) {
  std::uint32_t files = 0;
  std::error_code error;
  for (fs::directory_iterator it{folder, error}; !error && it != fs::directory_iterator{}; it.increment(error)) {
    ++files;
  }
  return files;
}

class FuzzCheck final : public ICheck {
 public:
  FuzzCheck(double seconds, std::uint32_t atOnce, fs::path binaries)
      : m_seconds(seconds), m_atOnce(atOnce), m_binaries(std::move(binaries)) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    const auto targets = FindTargets(context.places);
    if (!targets) {
      return targets.Failure();
    }
    auto scratch = TemporaryDirectory::Create("muster-fuzz");
    if (!scratch) {
      return std::move(scratch).Failure();
    }
    FuzzTally tally;
    std::list<Running> running;
    auto waiting = targets->begin();
    double nextSay = 0;
    const auto begin = Clock::now();
    while (waiting != targets->end() || !running.empty()) {
      if (context.stop.load(std::memory_order_relaxed)) {
        return Interrupted();
      }
      while (waiting != targets->end() && running.size() < m_atOnce) {
        auto process = Begin(context.places, *waiting, scratch->Path());
        if (!process) {
          return std::move(process).Failure();
        }
        running.push_back({*waiting++, std::move(*process), Clock::now()});
      }
      for (auto run = running.begin(); run != running.end();) {
        run->process.Pump(kFuzzCheckLook);
        run = IsOver(context, *run, tally) ? running.erase(run) : std::next(run);
      }
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      if (seconds >= nextSay) {
        nextSay += kSayEverySeconds;
        Say(context, running, tally, targets->size());
      }
    }
    const auto number = [](auto value) { return FigureValue{static_cast<double>(value)}; };
    return std::vector<Figure>{{.name = "targets", .value = number(tally.targets)},
                               {.name = "findings", .value = number(tally.findings)},
                               {.name = "executions", .value = number(tally.executions)},
                               {.name = "shortest",
                                .value = tally.shortest ? std::optional{number(*tally.shortest)} : std::nullopt,
                                .unit = "s"}};
  }

 private:
  [[nodiscard]] fs::path FindingsOf(const Places& places, const Target& target) const {
    return places.build / "Reports" / "Fuzz" / target.Name();
  }

  Result<std::vector<Target>> FindTargets(const Places& places) const {
    const fs::path folder = (places.build / m_binaries).lexically_normal();
    std::vector<Target> targets;
    std::error_code error;
    for (fs::directory_iterator it{folder, error}; !error && it != fs::directory_iterator{}; it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (name.size() > kSuffix.size() && name.ends_with(kSuffix) && it->is_regular_file()) {
        const fs::path corpora = places.source / "Tests" / "Fuzz" / "Corpus";
        const fs::path corpus = corpora / name.substr(0, name.size() - kSuffix.size());
        targets.push_back({it->path(), fs::is_directory(corpus) ? corpus : fs::path{}});
      }
    }
    if (targets.empty()) {
      return Error{kFixtureMissing, fmt::format("There is no fuzz target in {}.", folder.string()),
                   "The target `fuzzers` of the preset `fuzz` was not built.",
                   "Run cmake --preset fuzz && cmake --build --preset fuzz --target fuzzers."};
    }
    std::sort(targets.begin(), targets.end(),
              [](const Target& left, const Target& right) { return left.program < right.program; });
    return targets;
  }

  Result<ChildProcess> Begin(const Places& places, const Target& target, const fs::path& scratch) const {
    const fs::path findings = FindingsOf(places, target);
    const fs::path corpus = scratch / target.Name();
    std::error_code error;
    fs::remove_all(findings, error);
    fs::create_directories(findings, error);
    fs::create_directories(corpus, error);
    if (!target.corpus.empty()) {
      fs::copy(target.corpus, corpus, fs::copy_options::recursive, error);
    }
    if (error) {
      return Error{kFileWriteFailed, fmt::format("The corpus of {} could not be copied.", target.Name()),
                   error.message(), "See whether there is room in the temporary folder."};
    }
    return ChildProcess::Start(
        {.program = target.program,
         .arguments = {fmt::format("-max_total_time={:.0f}", m_seconds), "-timeout=10", "-rss_limit_mb=1024",
                       "-malloc_limit_mb=256", fmt::format("-artifact_prefix={}/", findings.string()), corpus.string()},
         .directory = scratch});
  }

  /// Counts a target that has ended, or ends and counts one that does not.
  bool IsOver(const CheckContext& context, Running& run, FuzzTally& tally) const {
    const auto status = run.process.ExitStatus();
    const double seconds = std::chrono::duration<double>(Clock::now() - run.begin).count();
    if (!status && seconds <= m_seconds + kSlackSeconds) {
      return false;
    }
    run.process.Pump(std::chrono::milliseconds{0});
    const auto outcome = ParseFuzzOutput(run.process.ErrorText());
    const std::uint32_t kept = FilesIn(FindingsOf(context.places, run.target));
    const bool isClean = status && *status == 0 && outcome && kept == 0;
    ++tally.targets;
    tally.findings += isClean ? 0 : std::max(1U, kept);
    if (outcome) {
      tally.executions += outcome->executions;
      tally.shortest = std::min(tally.shortest.value_or(outcome->seconds), outcome->seconds);
    }
    if (isClean) {
      context.say(fmt::format("{}: nothing in {} executions", run.target.Name(), outcome->executions));
    } else {
      const std::string finding = FuzzFinding(run.process.ErrorText());
      context.say(fmt::format("{}: {} (status {}); see {}", run.target.Name(),
                              !status           ? "did not end"
                              : finding.empty() ? "ended early"
                                                : finding,
                              status.value_or(-1), ShownPath(FindingsOf(context.places, run.target)).string()));
    }
    return true;
  }

  static void Say(const CheckContext& context, const std::list<Running>& running, const FuzzTally& tally,
                  std::size_t targets) {
    std::string names;
    for (const Running& run : running) {
      const double seconds = std::chrono::duration<double>(Clock::now() - run.begin).count();
      names += fmt::format("{}{} for {:.0f} s", names.empty() ? "" : ", ", run.target.Name(), seconds);
    }
    context.say(fmt::format("{} of {} targets done, {} findings; {}", tally.targets, targets, tally.findings, names));
  }

  double m_seconds;
  std::uint32_t m_atOnce;
  fs::path m_binaries;
};

}  // namespace

std::unique_ptr<ICheck> MakeFuzzCheck(StrictObject& parameters) {
  const double seconds = parameters.Number("seconds", 600);
  const std::uint32_t atOnce = parameters.Count("at_once", 2);
  if (seconds < 1 || atOnce == 0) {
    parameters.Refuse("\"seconds\" and \"at_once\" must be at least 1.");
  }
  return std::make_unique<FuzzCheck>(seconds, atOnce, parameters.Text("binaries", "../fuzz/bin"));
}

}  // namespace muster::gate
