// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ProfileCommand.h"

#include "FigureJson.h"
#include "GateErrors.h"
#include "RunReport.h"

#include "Core/Files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace muster::gate {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int kExitShort = 1;
constexpr int kExitUsage = 2;
constexpr std::size_t kMaxListBytes = 1 << 20;

struct CheckOutcome {
  const CheckEntry* entry = nullptr;
  std::vector<JudgedFigure> figures;
  std::optional<Error> failure;
  double seconds = 0;

  [[nodiscard]] bool IsPassed() const { return !failure && AreAllMet(figures); }
};

void Print(const std::string& line) {
  std::fprintf(stdout, "%s\n", line.c_str());
  std::fflush(stdout);
}

Result<CheckList> Load(const ProfileCommand& command) {
  if (command.data.empty()) {
    return LoadProfile(command.places, command.profile);
  }
  auto text = ReadTextFile(command.data, kMaxListBytes);
  if (!text) {
    return std::move(text).Failure();
  }
  return ParseCheckList(*text);
}

CheckOutcome Make(const CheckEntry& entry, const CheckContext& context) {
  const auto begin = Clock::now();
  CheckOutcome outcome;
  outcome.entry = &entry;
  auto figures = entry.check->Measure(context);
  if (figures) {
    outcome.figures = Judge(*figures, entry.bars);
  } else {
    outcome.failure = std::move(figures).Failure();
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

void PrintList(const CheckList& list) {
  Print(fmt::format("{:<26} {:<15} {:<6} {}", "check", "kind", "when", "shows"));
  for (const CheckEntry& entry : list.checks) {
    const char* const when = !entry.isInQuick ? "full" : !entry.isInFull ? "quick" : "always";
    Print(fmt::format("{:<26} {:<15} {:<6} {}", entry.id, entry.kind, when, entry.shows));
  }
}

void PrintOutcome(const CheckOutcome& outcome, bool hasColor) {
  for (const std::string& line : FigureTable(outcome.figures, hasColor)) {
    Print(line);
  }
  if (outcome.failure) {
    Print(" FAILED: " + outcome.failure->ToString());
  }
  Print(fmt::format(" {} in {:.1f} s", outcome.IsPassed() ? "passed" : "SHORT", outcome.seconds));
}

OrderedJson ReportJson(const ProfileCommand& command, const std::vector<CheckOutcome>& outcomes, bool isPassed) {
  OrderedJson json;
  json["schema_version"] = 1;
  json["tool"] = "muster-gate";
  json["profile"] = command.profile;
  json["depth"] = command.depth == Depth::Quick ? "quick" : "full";
  json["passed"] = isPassed;
  json["checks"] = OrderedJson::array();
  for (const CheckOutcome& outcome : outcomes) {
    json["checks"].push_back(
        {{"id", outcome.entry->id},
         {"kind", outcome.entry->kind},
         {"shows", outcome.entry->shows},
         {"passed", outcome.IsPassed()},
         {"seconds", outcome.seconds},
         {"error", outcome.failure ? OrderedJson(outcome.failure->ToString()) : OrderedJson(nullptr)},
         {"figures", ToJson(outcome.figures)}});
  }
  return json;
}

bool WriteReport(const ProfileCommand& command, const OrderedJson& report) {
  std::filesystem::path path = command.json;
  if (path.empty()) {
    path = command.places.build / "Reports" / (command.profile + ".json");
    std::error_code ignored;  // a folder that cannot be made shows as a file that cannot be written
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  const std::string text = report.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  if (const auto written = WriteFileAtomically(path, text); !written) {
    std::fprintf(stderr, "muster-gate: %s\n", written.Failure().ToString().c_str());
    return false;
  }
  Print("report: " + ShownPath(path).string());
  return true;
}

}  // namespace

int ExecuteProfile(const ProfileCommand& command, const StopFlag& stop) {
  const auto list = Load(command);
  if (!list) {
    std::fprintf(stderr, "muster-gate: %s\n", list.Failure().ToString().c_str());
    return kExitUsage;
  }
  if (command.isList) {
    PrintList(*list);
    return 0;
  }
  const bool hasColor = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const CheckContext context{
      .places = command.places, .stop = stop, .say = [](const std::string& text) { Print(" ... " + text); }};
  std::vector<CheckOutcome> outcomes;
  std::size_t passed = 0;
  for (const CheckEntry& entry : list->checks) {
    const bool isWanted = command.only.empty() ? entry.IsIn(command.depth) : entry.id == command.only;
    if (!isWanted) {
      continue;
    }
    if (stop.load(std::memory_order_relaxed)) {
      std::fprintf(stderr, "muster-gate: %s\n", Interrupted().ToString().c_str());
      return kExitShort;
    }
    Print(fmt::format("{}: {}", entry.id, entry.shows));
    outcomes.push_back(Make(entry, context));
    PrintOutcome(outcomes.back(), hasColor);
    passed += outcomes.back().IsPassed() ? 1U : 0U;
  }
  // A run of nothing shows nothing.
  if (outcomes.empty()) {
    const Error error{kCheckListMalformed, "There is no check to make.",
                      command.only.empty() ? "The list has none for this depth."
                                           : fmt::format("No check is called \"{}\".", command.only),
                      "See the ids in the list of checks."};
    std::fprintf(stderr, "muster-gate: %s\n", error.ToString().c_str());
    return kExitUsage;
  }
  const bool isPassed = passed == outcomes.size();
  Print(fmt::format("{} of {} checks passed ({}, {})", passed, outcomes.size(), list->profile,
                    command.depth == Depth::Quick ? "quick" : "full"));
  const bool isWritten = WriteReport(command, ReportJson(command, outcomes, isPassed));
  return isPassed && isWritten ? 0 : kExitShort;
}

}  // namespace muster::gate
