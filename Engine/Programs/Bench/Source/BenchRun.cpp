// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchRun.h"

#include "Core/Files.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <regex>
#include <utility>

namespace muster::bench {
namespace {

Error NothingSelected(const std::string& filter, std::string cause) {
  return {kNothingSelected, fmt::format("The filter '{}' selects no group.", filter), std::move(cause),
          "Choose from `muster-bench list`."};
}

}  // namespace

Result<std::vector<GroupRecipe>> Select(std::vector<GroupRecipe> recipes, const std::string& filter, bool isQuick) {
  std::regex expression;
  try {
    expression = std::regex{filter};
  } catch (const std::regex_error& error) {
    return NothingSelected(filter, fmt::format("It is no regular expression: {}.", error.what()));
  }
  std::erase_if(recipes, [&](const GroupRecipe& recipe) {
    return (isQuick && !recipe.isQuick) || !std::regex_search(recipe.name, expression);
  });
  if (recipes.empty()) {
    return NothingSelected(filter, isQuick ? "A quick run has fewer groups than a full one." : "");
  }
  return recipes;
}

bool RunRecipes(const std::vector<GroupRecipe>& recipes, const SamplerOptions& options, const IClock& clock,
                const std::function<bool()>& isStopping, const RunEvents& events, Report& report) {
  bool isRight = true;
  for (std::size_t place = 0; place < recipes.size() && !isStopping(); ++place) {
    events.onBegin(place, recipes.size(), recipes[place].name);
    const Group group = recipes[place].make();
    if (const std::string wrong = group.check ? group.check() : std::string{}; !wrong.empty()) {
      events.onWrong({kWrongAnswer, fmt::format("Group {} was not timed.", group.name), wrong + ".",
                      "Mend what answers wrong; a figure for it would mean nothing."});
      isRight = false;
      continue;
    }
    AddGroup(report, group, SampleGroup(group, options, clock, isStopping));
    events.onGroup(report, group.name);
  }
  report.isComplete = !isStopping();
  return isRight;
}

Machine ThisMachine() {
  Machine machine;
  constexpr std::size_t mostBytes = 1U << 20U;
  if (const Result<std::string> text = ReadTextFile("/proc/cpuinfo", mostBytes)) {
    const std::size_t name = text->find("model name");
    const std::size_t colon = name == std::string::npos ? name : text->find(": ", name);
    if (colon != std::string::npos) {
      machine.cpu = text->substr(colon + 2, text->find('\n', colon) - colon - 2);
    }
  }
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
    machine.cores = static_cast<unsigned>(CPU_COUNT(&cores));
  }
  return machine;
}

}  // namespace muster::bench
