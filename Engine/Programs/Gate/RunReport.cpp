// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RunReport.h"

#include "FigureJson.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace muster::gate {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kReset = "\x1b[0m";

std::string Paint(bool hasColor, std::string_view color, std::string text) {
  return hasColor ? fmt::format("{}{}{}", color, text, kReset) : text;
}

}  // namespace

std::vector<std::string> FigureTable(std::span<const JudgedFigure> figures, bool hasColor) {
  std::size_t nameWidth = 0;
  std::size_t valueWidth = 0;
  std::size_t barWidth = 0;
  for (const JudgedFigure& judged : figures) {
    nameWidth = std::max(nameWidth, judged.figure.name.size());
    valueWidth = std::max(valueWidth, ToText(judged.figure).size());
    barWidth = std::max(barWidth, judged.bar ? ToText(*judged.bar).size() : 0U);
  }
  std::vector<std::string> lines;
  for (const JudgedFigure& judged : figures) {
    std::string line = fmt::format(" {:<{}}  {:>{}}", judged.figure.name, nameWidth, ToText(judged.figure), valueWidth);
    if (judged.bar) {
      line += fmt::format("   {:<{}}  {}", ToText(*judged.bar), barWidth,
                          judged.isMet ? Paint(hasColor, kGreen, "ok") : Paint(hasColor, kRed, "MISSED"));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string VerdictLine(const Judgement& judgement, bool hasColor) {
  std::string word{ToString(judgement.verdict)};
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  const std::string_view color = judgement.verdict == Verdict::Held      ? kGreen
                                 : judgement.verdict == Verdict::Machine ? kYellow
                                                                         : kRed;
  return fmt::format("verdict: {}{}{}", Paint(hasColor, color, word), judgement.reason.empty() ? "" : ": ",
                     judgement.reason);
}

std::string RunReportJson(const LoadSpec& spec, std::span<const Try> tries) {
  OrderedJson json;
  json["schema_version"] = 1;
  json["tool"] = "muster-gate";
  json["clients"] = spec.clients;
  json["duration_s"] = spec.seconds;
  json["agents"] = spec.agents;
  json["verdict"] = tries.empty() ? "short" : std::string{ToString(tries.back().judgement.verdict)};
  json["tries"] = OrderedJson::array();
  for (const Try& attempt : tries) {
    json["tries"].push_back({{"verdict", ToString(attempt.judgement.verdict)},
                             {"reason", attempt.judgement.reason},
                             {"figures", ToJson(attempt.judgement.figures)},
                             {"generator_late_share", attempt.outcome.figures.generatorLateShare},
                             {"generator_wait_share", attempt.outcome.figures.generatorWaitShare},
                             {"swarm", OrderedJson::parse(attempt.outcome.swarm.json, nullptr, false)}});
  }
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace muster::gate
