// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "run": a server and a swarm, as `muster-gate run` does it. Figures are those of the verdict, and the verdict
// itself ("held", "short", "machine"), so that a quick profile can hold counts only and a full one the rate.
#include "CheckKinds.h"

#include "LoadRun.h"
#include "RunCommand.h"

#include <fmt/format.h>

#include <utility>

namespace muster::gate {

namespace {

class RunCheck final : public ICheck {
 public:
  RunCheck(LoadSpec spec, std::uint32_t tries) : m_spec(std::move(spec)), m_tries(tries) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    for (std::uint32_t attempt = 1;; ++attempt) {
      const auto outcome = RunLoad(context.places, m_spec, {}, context.stop);
      if (!outcome) {
        return outcome.Failure();
      }
      const Judgement judgement = JudgeRun(outcome->figures);
      if (judgement.verdict == Verdict::Machine && attempt < m_tries) {
        context.say(fmt::format("try {} of {}: machine: {}", attempt, m_tries, judgement.reason));
        continue;
      }
      if (!judgement.reason.empty()) {
        context.say(judgement.reason);
      }
      std::vector<Figure> figures;
      for (const JudgedFigure& judged : judgement.figures) {
        figures.push_back(judged.figure);
      }
      figures.push_back({.name = "verdict", .value = std::string{ToString(judgement.verdict)}});
      figures.push_back({.name = "tries", .value = static_cast<double>(attempt)});
      return figures;
    }
  }

 private:
  LoadSpec m_spec;
  std::uint32_t m_tries;
};

}  // namespace

std::unique_ptr<ICheck> MakeRunCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {});
  spec.seconds = parameters.Number("seconds", spec.seconds);
  const std::uint32_t tries = parameters.Count("tries", 1);
  if (tries < 1 || tries > static_cast<std::uint32_t>(kMaxTries)) {
    parameters.Refuse(fmt::format("\"tries\" must be 1 to {}.", kMaxTries));
  }
  return std::make_unique<RunCheck>(std::move(spec), tries);
}

}  // namespace muster::gate
