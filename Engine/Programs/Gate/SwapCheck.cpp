// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "swap": while clients play, providers are swapped over the server's console, from folder to folder in turn.
// After each swap `plugin list` must name the plugin of the new folder and its version, and the count of entities must be what it was
// right before. A witness (Witness.h) watches as a client that nothing jumps. Parameters: "swaps": [{"command",
// "label", "folders"}], where command is what goes before the folder ("plugin swap spatial") and label what goes before
// the plugin's id and version in `plugin list`; and those of ReadLoadSpec.
#include "CheckKinds.h"

#include "GateErrors.h"
#include "LoadRun.h"
#include "PluginFolder.h"
#include "Witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace muster::gate {

namespace {

struct SwapPlan {
  std::string command;
  std::string label;
  std::vector<std::string> folders;
};

struct SwapTally {
  std::uint32_t asked = 0;
  std::uint32_t answered = 0;  ///< by the new version
  double entitiesChanged = 0;
};

/// The number behind "entities " in the answer of `status`, searched from `from` on.
std::optional<double> EntitiesIn(const std::string& text, std::size_t from) {
  constexpr std::string_view kWord = "entities ";
  const auto at = text.find(kWord, from);
  double count = 0;
  if (at == std::string::npos ||
      std::from_chars(text.data() + at + kWord.size(), text.data() + text.size(), count).ec != std::errc{}) {
    return std::nullopt;
  }
  return count;
}

/// Whether a line of `plugin list` begins with `wanted` ("spatial index: ID VERSION") and says nothing bad about it.
bool IsInService(const std::string& list, const std::string& wanted) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find('\n', begin), list.size());
    const std::string_view line{list.data() + begin, end - begin};
    const bool isWhole = line.size() == wanted.size() || (line.size() > wanted.size() && line[wanted.size()] == ' ');
    if (isWhole && line.starts_with(wanted) && line.find("out of service") == std::string_view::npos) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

class SwapCheck final : public ICheck {
 public:
  SwapCheck(LoadSpec spec, std::vector<SwapPlan> plans, double intervalSeconds)
      : m_spec(std::move(spec)), m_plans(std::move(plans)), m_intervalSeconds(intervalSeconds) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    m_tally = {};
    m_next = -1;
    std::unique_ptr<Witness> witness;
    std::optional<WitnessFigures> seen;
    const auto outcome = RunLoad(
        context.places, m_spec,
        [&](const LoadProgress& progress, ServerProcess& server) -> Result<void> {
          if (!progress.isComplete) {
            return {};
          }
          if (!witness) {
            auto joined =
                Witness::Join(context.places, server.Port(), {.transport = m_spec.transport, .codec = m_spec.codec});
            if (!joined) {
              return std::move(joined).Failure();
            }
            witness = std::move(*joined);
            m_next = progress.seconds + m_intervalSeconds;
          }
          if (progress.seconds < m_next) {
            return {};
          }
          m_next = progress.seconds + m_intervalSeconds;
          if (m_tally.asked < Steps()) {
            return Swap(context, server);
          }
          // It has watched what followed the last swap, and leaves before the server is stopped.
          if (!seen) {
            seen = witness->Leave();
          }
          return {};
        },
        context.stop);
    if (!outcome) {
      return outcome.Failure();
    }
    return FiguresOf(*outcome, seen.value_or(WitnessFigures{}));
  }

 private:
  [[nodiscard]] std::size_t Steps() const {
    std::size_t steps = 0;
    for (const SwapPlan& plan : m_plans) {
      steps += plan.folders.size();
    }
    return steps;
  }

  Result<void> Swap(const CheckContext& context, ServerProcess& server) {
    const std::size_t step = m_tally.asked++;
    const SwapPlan& plan = m_plans[step % m_plans.size()];
    const std::filesystem::path folder = context.places.build / plan.folders[step / m_plans.size()];
    const auto name = NameOf(folder);
    if (!name) {
      return name.Failure();
    }
    // In one go, so that as few ticks as can be lie between the two counts.
    const std::string swap = fmt::format("{} {}", plan.command, folder.string());
    const auto answer = server.Ask(fmt::format("status\n{}\nstatus", swap));
    if (!answer) {
      return answer.Failure();
    }
    const auto list = server.Ask("plugin list");
    if (!list) {
      return list.Failure();
    }
    const auto before = EntitiesIn(*answer, 0);
    const auto after = EntitiesIn(*answer, answer->rfind("players "));
    m_tally.entitiesChanged += before && after ? std::abs(*after - *before) : 1.0;
    const bool isNew = IsInService(*list, fmt::format("{}: {} {}", plan.label, name->id, name->version));
    m_tally.answered += isNew ? 1U : 0U;
    const auto arrow = answer->find(" -> ");
    const auto line = arrow == std::string::npos ? 0 : answer->rfind('\n', arrow) + 1;
    context.say(
        fmt::format("{}{}", isNew ? "" : "NOT SWAPPED: ", answer->substr(line, answer->find('\n', line) - line)));
    return {};
  }

  [[nodiscard]] std::vector<Figure> FiguresOf(const LoadOutcome& outcome, const WitnessFigures& witness) const {
    const auto number = [](auto value) { return FigureValue{static_cast<double>(value)}; };
    return {
        {.name = "clients_connected", .value = number(outcome.figures.connected)},
        {.name = "clients_disconnected", .value = number(outcome.figures.disconnected)},
        {.name = "malformed_messages", .value = number(outcome.figures.malformed)},
        {.name = "swaps_answered_by_the_new", .value = number(m_tally.answered)},
        {.name = "entities_changed_by_swaps", .value = number(m_tally.entitiesChanged)},
        {.name = "witness_stayed",
         .value = std::string{witness.stayed ? "yes" : "no"} + (witness.failure.empty() ? "" : ": ") + witness.failure},
        {.name = "witness_entities", .value = number(witness.entities)},
        {.name = "position_steps_compared", .value = number(witness.paths.steps)},
        {.name = "position_jumps", .value = number(witness.paths.jumps)},
        {.name = "largest_step_error", .value = number(witness.paths.largestMeters), .unit = "m"},
        {.name = "longest_snapshot_gap",
         .value =
             outcome.swarm.maxSnapshotGapMs ? std::optional{number(*outcome.swarm.maxSnapshotGapMs)} : std::nullopt,
         .unit = "ms"},
        {.name = "server_exit", .value = number(outcome.figures.serverExit.value_or(-1))}};
  }

  LoadSpec m_spec;
  std::vector<SwapPlan> m_plans;
  double m_intervalSeconds;
  SwapTally m_tally;
  double m_next = -1;
};

}  // namespace

std::unique_ptr<ICheck> MakeSwapCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {});
  spec.pattern = parameters.Text("pattern", "level");
  spec.hasConsole = true;
  std::vector<SwapPlan> plans;
  for (StrictObject& object : parameters.Objects("swaps")) {
    plans.push_back({object.Text("command"), object.Text("label"), object.Texts("folders")});
    if (Result<void> read = object.Finish(); !read) {
      parameters.Refuse(read.Failure().ToString());
    } else if (plans.back().folders.size() != plans.front().folders.size()) {
      parameters.Refuse("All of \"swaps\" need the same number of folders, as they take turns.");
    }
  }
  const double interval = parameters.Number("interval_s", 1.5);
  const double steps = plans.empty() ? 0.0 : static_cast<double>(plans.size() * plans.front().folders.size());
  spec.seconds = (steps + 3) * interval;
  return std::make_unique<SwapCheck>(std::move(spec), std::move(plans), interval);
}

}  // namespace muster::gate
