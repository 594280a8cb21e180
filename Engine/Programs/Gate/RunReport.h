// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How a run is told: to people in a few lines, to machines as JSON.
#pragma once

#include "LoadRun.h"
#include "Verdict.h"

#include <span>
#include <string>
#include <vector>

namespace muster::gate {

struct Try {
  LoadOutcome outcome;
  Judgement judgement;
};

/// A table of figure against bar, one line each, without line ends. [any]
std::vector<std::string> FigureTable(std::span<const JudgedFigure> figures, bool hasColor);

/// The verdict and its reason, one line. [any]
std::string VerdictLine(const Judgement& judgement, bool hasColor);

/// All tries with their figures, the server's ticks and the swarm's report; the last one's verdict is the run's. [any]
std::string RunReportJson(const LoadSpec& spec, std::span<const Try> tries);

}  // namespace muster::gate
