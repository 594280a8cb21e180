// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "clock-step": the wall clock of server and clients is stepped while they play, by a library in front of the
// system's (Tests/Load/ClockShim.cpp). Parameters: "steps" (offsets from the true time in seconds, one after the other),
// "interval_s" between them, and those of ReadLoadSpec. Figures: "steps", "log_times_following" (after how many steps the
// log was written in the new time), "ticks_dropped" and "tick_rate" from the first step to the last interval's end, those
// of Scene.
#include "CheckKinds.h"

#include "GateErrors.h"
#include "LogTime.h"
#include "Scene.h"

#include "Core/Files.h"
#include "Core/Tick.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <optional>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

/// A line that was written at the time it was asked for is no further off, on however busy a machine.
constexpr double kLogTolerance = 60;
constexpr const char* kShim = "tests/libClockShim.so";
/// Printed when the configuration was read again: a line in the log at a time of our choice.
constexpr std::string_view kReloaded = "SIGHUP: ";

class ClockStepCheck final : public ICheck {
 public:
  ClockStepCheck(LoadSpec spec, std::vector<double> steps, double intervalSeconds)
      : m_spec(std::move(spec)), m_steps(std::move(steps)), m_intervalSeconds(intervalSeconds) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    const std::filesystem::path shim = context.places.build / kShim;
    if (!std::filesystem::exists(shim)) {
      return Error{kFixtureMissing, fmt::format("{} is not there.", shim.string()), "It was not built.",
                   "Build the target gate-fixtures."};
    }
    auto directory = TemporaryDirectory::Create("muster-gate");
    if (!directory) {
      return std::move(directory).Failure();
    }
    const std::filesystem::path offset = directory->Path() / "offset";
    if (Result<void> set = WriteFileAtomically(offset, std::string_view{"0"}); !set) {
      return std::move(set).Failure();
    }
    auto scene =
        Scene::Open(context, m_spec, {"LD_PRELOAD=" + shim.string(), "MUSTER_CLOCK_OFFSET_FILE=" + offset.string()});
    if (!scene) {
      return std::move(scene).Failure();
    }
    const auto before = scene->Server().Status();
    if (!before) {
      return before.Failure();
    }
    const auto begin = Clock::now();
    std::uint32_t following = 0;
    for (const double step : m_steps) {
      const auto follows = Step(context, *scene, offset, step);
      if (!follows) {
        return follows.Failure();
      }
      following += *follows ? 1U : 0U;
    }
    const auto after = scene->Server().Status();
    if (!after) {
      return after.Failure();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    auto figures = scene->Close();
    if (!figures) {
      return figures;
    }
    const auto number = [](auto value) { return FigureValue{static_cast<double>(value)}; };
    figures->push_back({.name = "steps", .value = number(m_steps.size())});
    figures->push_back({.name = "log_times_following", .value = number(following)});
    figures->push_back({.name = "ticks_dropped", .value = number(after->droppedTicks - before->droppedTicks)});
    figures->push_back({.name = "tick_rate",
                        .value = number(static_cast<double>(after->tick - before->tick) / seconds),
                        .unit = "Hz"});
    return figures;
  }

 private:
  Result<bool> Step(const CheckContext& context, Scene& scene, const std::filesystem::path& offset, double step) const {
    if (Result<void> set = WriteFileAtomically(offset, fmt::format("{}", step)); !set) {
      return std::move(set).Failure();
    }
    context.say(fmt::format("the wall clock is {:+.0f} s off", step));
    if (Result<void> watched = scene.Watch(m_intervalSeconds); !watched) {
      return std::move(watched).Failure();
    }
    const std::size_t logged = scene.Server().Log().size();
    scene.Server().Signal(SIGHUP);
    for (int i = 0; i < 50 && scene.Server().Log().find(kReloaded, logged) == std::string::npos; ++i) {
      if (Result<void> watched = scene.Watch(0.1); !watched) {
        return std::move(watched).Failure();
      }
    }
    const std::string& log = scene.Server().Log();
    const auto at = log.find(kReloaded, logged);
    if (at == std::string::npos) {
      return false;
    }
    const auto lineBegin = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    const auto time = LogTimeOf(std::string_view{log}.substr(lineBegin));
    if (!time) {
      return false;
    }
    const double off = std::chrono::duration<double>(*time - std::chrono::system_clock::now()).count();
    return std::abs(off - step) < kLogTolerance;
  }

  LoadSpec m_spec;
  std::vector<double> m_steps;
  double m_intervalSeconds;
};

}  // namespace

std::unique_ptr<ICheck> MakeClockStepCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {.clients = 8, .agents = 50});
  std::vector<double> steps;
  const auto& given = parameters.Any("steps");
  for (const auto& step : given.is_array() ? given : nlohmann::json::array()) {
    if (!step.is_number()) {
      parameters.Refuse("\"steps\" must be a list of seconds.");
      break;
    }
    steps.push_back(step.get<double>());
  }
  if (steps.empty()) {
    parameters.Refuse("\"steps\" must be a list of seconds.");
  }
  return std::make_unique<ClockStepCheck>(std::move(spec), std::move(steps), parameters.Number("interval_s", 3));
}

}  // namespace muster::gate
