// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RunCommand.h"

#include "RunReport.h"

#include "Core/Files.h"
#include "LiveDisplay.h"
#include "TickTable.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace muster::gate {

namespace {

void Print(const std::string& line) {
  std::fprintf(stdout, "%s\n", line.c_str());
  std::fflush(stdout);
}

class LiveTable {
 public:
  LiveTable(const LoadSpec& spec, top::LiveDisplay& display) : m_spec(spec), m_display(display) {}

  void Show(const LoadProgress& progress) {
    if (!progress.server) {
      return;
    }
    if (progress.isComplete && m_completeAt < 0) {
      m_completeAt = progress.seconds;
    }
    const std::string stage =
        m_completeAt < 0 ? fmt::format(" connecting: {} of {} clients", progress.server->peers, m_spec.clients)
                         : fmt::format(" running: {:.0f} of {:.0f} s", progress.seconds - m_completeAt, m_spec.seconds);
    auto lines = top::TickTableLines(*progress.server, {.hasColor = m_display.HasColor()});
    lines.insert(lines.begin(), stage);
    m_display.Show(lines, fmt::format("{:<34} {}", stage, top::TickSummaryLine(*progress.server)));
  }

 private:
  const LoadSpec& m_spec;
  top::LiveDisplay& m_display;
  double m_completeAt = -1;
};

Result<Try> ExecuteTry(const RunCommand& command, top::LiveDisplay& display, const StopFlag& stop) {
  LiveTable table{command.load, display};
  auto outcome = RunLoad(
      command.places, command.load,
      [&table](const LoadProgress& progress, ServerProcess&) -> Result<void> {
        table.Show(progress);
        return {};
      },
      stop);
  display.Leave();
  if (!outcome) {
    return std::move(outcome).Failure();
  }
  Try attempt{.outcome = std::move(*outcome), .judgement = {}};
  attempt.judgement = JudgeRun(attempt.outcome.figures);
  return attempt;
}

/// Where output is no terminal nobody saw the table, so the last one is printed.
void PrintOutcome(const Try& attempt, const top::LiveDisplay& display) {
  if (!display.IsTerminal() && attempt.outcome.swarm.server) {
    for (const std::string& line : top::TickTableLines(*attempt.outcome.swarm.server, {})) {
      Print(line);
    }
  }
  Print("");
  for (const std::string& line : FigureTable(attempt.judgement.figures, display.HasColor())) {
    Print(line);
  }
  if (!attempt.outcome.swarm.firstFailure.empty()) {
    Print(" clients said: " + attempt.outcome.swarm.firstFailure);
  }
}

int WriteReport(const RunCommand& command, const std::vector<Try>& tries) {
  std::filesystem::path path = command.json;
  if (path.empty()) {
    path = command.places.build / "Reports" / "run.json";
    std::error_code ignored;  // a folder that cannot be made shows as a file that cannot be written
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  if (const auto written = WriteFileAtomically(path, RunReportJson(command.load, tries)); !written) {
    std::fprintf(stderr, "muster-gate: %s\n", written.Failure().ToString().c_str());
    return 1;
  }
  Print("report:  " + ShownPath(path).string());
  return 0;
}

}  // namespace

int ExecuteRun(const RunCommand& command, const StopFlag& stop) {
  top::LiveDisplay display{stdout};
  std::vector<Try> tries;
  Print(fmt::format("{} clients for {:.0f} s among {} agents: muster-server and muster-swarm on this machine",
                    command.load.clients, command.load.seconds, command.load.agents));
  do {
    auto attempt = ExecuteTry(command, display, stop);
    if (!attempt) {
      std::fprintf(stderr, "muster-gate: %s\n", attempt.Failure().ToString().c_str());
      return 1;
    }
    tries.push_back(std::move(*attempt));
    PrintOutcome(tries.back(), display);
    if (tries.back().judgement.verdict == Verdict::Machine) {
      Print(fmt::format("try {} of {}: {}", tries.size(), kMaxTries,
                        VerdictLine(tries.back().judgement, display.HasColor())));
    }
  } while (tries.back().judgement.verdict == Verdict::Machine && tries.size() < kMaxTries);

  Print(VerdictLine(tries.back().judgement, display.HasColor()));
  const bool isHeld = tries.back().judgement.verdict == Verdict::Held;
  return WriteReport(command, tries) == 0 && isHeld ? 0 : 1;
}

}  // namespace muster::gate
