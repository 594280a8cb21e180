// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "ratios": runs benchmarks and offers each ratio that muster-bench reports as a figure of its name. A ratio compares
// two things of one run, so it says the same on a slow machine as on a fast one. Parameters: "filter" (as muster-bench takes
// it; all groups without), "limit_s", "worst": {figure: regular expression}, the largest of the ratios whose names match.
// Figures beside the ratios: "exit" and "complete" (yes, no). Only ratios with a bar of their own are worth a line, so what
// is a part of a "worst" is left out.
#include "CheckKinds.h"

#include "BenchOutcome.h"
#include "GateErrors.h"
#include "ServerProcess.h"
#include "ToolRun.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <regex>
#include <string>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::size_t kMaxReportBytes = 16 << 20;

class RatiosCheck final : public ICheck {
 public:
  RatiosCheck(std::string filter, std::map<std::string, std::regex> worst, double limitSeconds)
      : m_filter(std::move(filter)), m_worst(std::move(worst)), m_limitSeconds(limitSeconds) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto directory = TemporaryDirectory::Create("muster-gate");
    if (!directory) {
      return std::move(directory).Failure();
    }
    const auto report = directory->Path() / "bench.json";
    std::vector<std::string> arguments{"--json", report.string()};
    if (!m_filter.empty()) {
      arguments.insert(arguments.end(), {"--filter", m_filter});
    }
    const auto ending = RunTool(context,
                                {.program = context.places.Program("muster-bench"),
                                 .arguments = std::move(arguments),
                                 .directory = context.places.build},
                                m_limitSeconds);
    if (!ending) {
      return ending.Failure();
    }
    const auto text = ReadTextFile(report, kMaxReportBytes);
    if (!text) {
      return Error{kProcessEnded, fmt::format("muster-bench ended with status {} and no report.", ending->status),
                   LastLines(ending->output + ending->errors, 3), "Follow what it said."};
    }
    auto parsed = ParseBenchReport(*text);
    if (!parsed) {
      return std::move(parsed).Failure();
    }
    std::vector<Figure> figures = FiguresOf(context, *parsed);
    figures.push_back({.name = "complete", .value = std::string{parsed->isComplete ? "yes" : "no"}});
    figures.push_back({.name = "exit", .value = static_cast<double>(ending->status)});
    return figures;
  }

 private:
  [[nodiscard]] std::vector<Figure> FiguresOf(const CheckContext& context, const BenchReport& report) const {
    std::vector<Figure> figures;
    for (const Figure& ratio : report.ratios) {
      const bool isPart = std::any_of(m_worst.begin(), m_worst.end(),
                                      [&](const auto& entry) { return std::regex_match(ratio.name, entry.second); });
      if (!isPart) {
        figures.push_back(ratio);
      }
    }
    for (const auto& [name, pattern] : m_worst) {
      WorstRatio worst = WorstOf(report.ratios, name, pattern);
      context.say(fmt::format("{}: {}", name, worst.of.empty() ? "no ratio of that name" : worst.of));
      figures.push_back(std::move(worst.figure));
    }
    return figures;
  }

  std::string m_filter;
  std::map<std::string, std::regex> m_worst;
  double m_limitSeconds;
};

}  // namespace

std::unique_ptr<ICheck> MakeRatiosCheck(StrictObject& parameters) {
  std::string filter = parameters.Text("filter", "");
  std::map<std::string, std::regex> worst;
  if (const auto& patterns = parameters.Any("worst"); patterns.is_object()) {
    for (const auto& [name, pattern] : patterns.items()) {
      try {
        worst.emplace(name, pattern.get<std::string>());
      } catch (const std::exception& exception) {
        parameters.Refuse(fmt::format("The pattern of \"{}\" cannot be used: {}.", name, exception.what()));
      }
    }
  } else if (!patterns.is_null()) {
    parameters.Refuse("\"worst\" maps figures to regular expressions.");
  }
  return std::make_unique<RatiosCheck>(std::move(filter), std::move(worst), parameters.Number("limit_s", 1'800));
}

}  // namespace muster::gate
