// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace muster::gate {

namespace {

constexpr std::string_view kHz = "min_observed_hz";
constexpr std::string_view kDropped = "dropped_ticks_after_settling";
constexpr std::string_view kGenerator = "generator";

template <class T>
std::optional<FigureValue> Number(const std::optional<T>& value) {
  return value ? std::optional<FigureValue>{static_cast<double>(*value)} : std::nullopt;
}

Figure Count(std::string name, std::uint64_t value) {
  return {.name = std::move(name), .value = static_cast<double>(value)};
}

std::vector<Figure> FiguresOf(const RunFigures& run) {
  return {Count("clients_connected", run.connected),
          Count("clients_refused", run.refused),
          Count("clients_disconnected", run.disconnected),
          Count("malformed_messages", run.malformed),
          {.name = std::string{kHz}, .value = Number(run.minObservedHz), .unit = "Hz"},
          {.name = std::string{kDropped}, .value = Number(run.droppedTicks)},
          {.name = "wire_kbs_per_client", .value = Number(run.wireKbsPerClient), .unit = "KB/s"},
          {.name = std::string{kGenerator}, .value = std::string{run.isGeneratorBound ? "bound" : "on time"}},
          {.name = "server_exit", .value = Number(run.serverExit)},
          Count("late_ticks", run.lateTicks),
          Count("late_ticks_waiting", run.lateTicksWaiting)};
}

std::vector<Bar> BarsOf(const RunFigures& run, const RunBars& bars) {
  return {{"clients_connected", Comparison::Equals, static_cast<double>(run.clients)},
          {"clients_refused", Comparison::Equals, 0.0},
          {"clients_disconnected", Comparison::Equals, 0.0},
          {"malformed_messages", Comparison::Equals, 0.0},
          {std::string{kHz}, Comparison::AtLeast, bars.minObservedHz},
          {std::string{kDropped}, Comparison::AtMost, bars.maxDroppedTicks},
          {"wire_kbs_per_client", Comparison::AtMost, bars.maxWireKbsPerClient},
          {std::string{kGenerator}, Comparison::Equals, std::string{"on time"}},
          {"server_exit", Comparison::Equals, 0.0}};
}

/// Figures that a full machine can spoil, when they were measured at all.
bool IsRate(const JudgedFigure& judged) {
  const std::string& name = judged.figure.name;
  return judged.figure.value.has_value() && (name == kHz || name == kDropped || name == kGenerator);
}

}  // namespace

std::string_view ToString(Verdict verdict) {
  static constexpr std::array<std::string_view, 3> kNames{"held", "short", "machine"};
  return kNames[static_cast<std::size_t>(verdict)];
}

Judgement JudgeRun(const RunFigures& figures, const RunBars& bars) {
  Judgement judgement;
  judgement.figures = Judge(FiguresOf(figures), BarsOf(figures, bars));
  std::string missed;
  bool isOnlyRate = true;
  bool isRateShort = false;
  bool isGeneratorLate = false;
  for (const JudgedFigure& judged : judgement.figures) {
    if (judged.isMet) {
      continue;
    }
    missed += fmt::format("{}{} is {}, the bar is {}", missed.empty() ? "" : "; ", judged.figure.name,
                          ToText(judged.figure), ToText(*judged.bar));
    isOnlyRate = isOnlyRate && IsRate(judged);
    (judged.figure.name == kGenerator ? isGeneratorLate : isRateShort) = true;
  }
  if (missed.empty()) {
    judgement.verdict = Verdict::Held;
    return judgement;
  }
  const bool isServerExplained = figures.lateTicks > 0 && 2 * figures.lateTicksWaiting > figures.lateTicks;
  // A thread that waits for a share of the time is late with about that share of its inputs.
  const bool isGeneratorExplained =
      figures.generatorWaitShare > 0 && 2 * figures.generatorWaitShare > figures.generatorLateShare;
  const bool isMachine =
      isOnlyRate && (!isRateShort || isServerExplained) && (!isGeneratorLate || isGeneratorExplained);
  judgement.verdict = isMachine ? Verdict::Machine : Verdict::Short;
  judgement.reason = missed + ".";
  if (isMachine && isRateShort) {
    judgement.reason +=
        fmt::format(" {} of {} late ticks waited for a processor.", figures.lateTicksWaiting, figures.lateTicks);
  }
  if (isMachine && isGeneratorLate) {
    judgement.reason +=
        fmt::format(" {:.1f} % of the inputs left late, and a thread of the swarm waited {:.1f} % of the time.",
                    100.0 * figures.generatorLateShare, 100.0 * figures.generatorWaitShare);
  }
  return judgement;
}

}  // namespace muster::gate
