// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchOutcome.h"

#include "GateErrors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <utility>
#include <variant>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

Error Unreadable(std::string cause) {
  return {kReportUnreadable, "The report of muster-bench could not be used.", std::move(cause),
          "Build muster-bench and muster-gate from one revision."};
}

}  // namespace

Result<BenchReport> ParseBenchReport(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("ratios") || !json["ratios"].is_array() || json["ratios"].empty()) {
    return Unreadable("It has no list \"ratios\", or an empty one.");
  }
  BenchReport report;
  report.isComplete = json.value("complete", Json(false)) == Json(true);
  std::set<std::string> names;
  for (const Json& ratio : json["ratios"]) {
    if (!ratio.is_object() || !ratio.contains("name") || !ratio["name"].is_string() || !ratio.contains("value")) {
      return Unreadable("One of its ratios has no name or no value.");
    }
    Figure figure{.name = ratio["name"].get<std::string>()};
    if (!names.insert(figure.name).second) {
      return Unreadable(fmt::format("It has \"{}\" twice.", figure.name));
    }
    if (ratio["value"].is_number()) {
      figure.value = ratio["value"].get<double>();
    }
    report.ratios.push_back(std::move(figure));
  }
  return report;
}

WorstRatio WorstOf(const std::vector<Figure>& ratios, const std::string& name, const std::regex& pattern) {
  WorstRatio worst{.figure = {.name = name}};
  for (const Figure& ratio : ratios) {
    if (!std::regex_match(ratio.name, pattern)) {
      continue;
    }
    if (!ratio.value) {
      return {.figure = {.name = name}, .of = ratio.name};
    }
    if (!worst.figure.value || std::get<double>(*ratio.value) > std::get<double>(*worst.figure.value)) {
      worst.figure.value = ratio.value;
      worst.of = ratio.name;
    }
  }
  return worst;
}

}  // namespace muster::gate
