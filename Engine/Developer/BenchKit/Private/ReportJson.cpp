// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace muster::bench {
namespace {

using Json = nlohmann::json;
using Entry = nlohmann::ordered_json;

constexpr int kSchema = 1;

Mode ModeOf(const std::string& text) {
  if (text != "tick" && text != "hot") {
    throw Json::other_error::create(501, "mode is neither tick nor hot", static_cast<const Json*>(nullptr));
  }
  return text == "hot" ? Mode::Hot : Mode::Tick;
}

CaseResult CaseOf(const Json& json) {
  CaseResult result;
  result.name = json.at("name").get<std::string>();
  result.label = json.at("label").get<std::string>();
  result.subject = json.at("subject").get<std::string>();
  result.mode = ModeOf(json.at("mode").get<std::string>());
  result.unit = json.at("unit").get<std::string>();
  Summary& time = result.nanoseconds;
  time.median = json.at("median_ns").get<double>();
  time.p10 = json.at("p10_ns").get<double>();
  time.p25 = json.at("p25_ns").get<double>();
  time.p75 = json.at("p75_ns").get<double>();
  time.p99 = json.at("p99_ns").get<double>();
  time.max = json.at("max_ns").get<double>();
  time.samples = json.at("samples").get<std::size_t>();
  return result;
}

Report ReportOf(const Json& json) {
  if (json.at("schema").get<int>() != kSchema) {
    throw Json::other_error::create(501, "schema is not 1", static_cast<const Json*>(nullptr));
  }
  Report report;
  report.revision = json.at("revision").get<std::string>();
  report.compiler = json.at("compiler").get<std::string>();
  report.flags = json.at("flags").get<std::string>();
  report.machine.cpu = json.at("machine").at("cpu").get<std::string>();
  report.machine.cores = json.at("machine").at("cores").get<unsigned>();
  report.isComplete = json.at("complete").get<bool>();
  for (const Json& entry : json.at("cases")) {
    report.cases.push_back(CaseOf(entry));
  }
  for (const Json& entry : json.at("ratios")) {
    report.ratios.push_back(
        {entry.at("name").get<std::string>(), entry.at("value").get<double>(), entry.at("noise").get<double>()});
  }
  for (const Json& entry : json.at("figures")) {
    report.figures.push_back(
        {entry.at("name").get<std::string>(), entry.at("value").get<double>(), entry.at("unit").get<std::string>()});
  }
  return report;
}

/// An array with an entry a line, so that a committed report has readable differences.
std::string Lines(const std::vector<Entry>& entries) {
  std::string text = "[";
  for (const Entry& entry : entries) {
    text += (text.size() == 1 ? "\n" : ",\n") + entry.dump();
  }
  return text + "\n]";
}

}  // namespace

std::string ToJson(const Report& report) {
  std::vector<Entry> cases;
  for (const CaseResult& result : report.cases) {
    const Summary& time = result.nanoseconds;
    cases.push_back({{"name", result.name},
                     {"label", result.label},
                     {"subject", result.subject},
                     {"mode", ToText(result.mode)},
                     {"unit", result.unit},
                     {"median_ns", time.median},
                     {"p10_ns", time.p10},
                     {"p25_ns", time.p25},
                     {"p75_ns", time.p75},
                     {"p99_ns", time.p99},
                     {"max_ns", time.max},
                     {"samples", time.samples}});
  }
  std::vector<Entry> ratios;
  for (const RatioResult& ratio : report.ratios) {
    ratios.push_back({{"name", ratio.name}, {"value", ratio.value}, {"noise", ratio.noise}});
  }
  std::vector<Entry> figures;
  for (const Figure& figure : report.figures) {
    figures.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
  }
  const Entry machine = {{"cpu", report.machine.cpu}, {"cores", report.machine.cores}};
  return fmt::format(
      "{{\n\"schema\": {},\n\"revision\": {},\n\"compiler\": {},\n\"flags\": {},\n\"machine\": {},\n"
      "\"complete\": {},\n\"cases\": {},\n\"ratios\": {},\n\"figures\": {}\n}}\n",
      kSchema, Entry(report.revision).dump(), Entry(report.compiler).dump(), Entry(report.flags).dump(), machine.dump(),
      report.isComplete, Lines(cases), Lines(ratios), Lines(figures));
}

Result<Report> ParseReport(std::string_view json) {
  try {
    return ReportOf(Json::parse(json));
  } catch (const Json::exception& problem) {
    return Error{kReportMalformed, "The report of a benchmark run cannot be read.", fmt::format("{}.", problem.what()),
                 "Name a file that `muster-bench --json` of this revision wrote."};
  }
}

}  // namespace muster::bench
