// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The verdict on a run: the one place where it is said.
//
//   held     every client got in, stayed, and observed the rate; nothing was dropped, refused or sent beyond the bars
//   short    a figure misses its bar
//   machine  only the rate misses its bar, and waiting for a processor explains it. Never a pass: run again.
//
// Pure functions of what server and swarm reported. [any]
#pragma once

#include "Figures.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

enum class Verdict { Held, Short, Machine };

/// "held", "short", "machine".
std::string_view ToString(Verdict verdict);

/// What a run has measured. Empty is "not measured", which is never a pass.
struct RunFigures {
  std::uint32_t clients = 0;  ///< asked for
  std::uint32_t connected = 0;
  std::uint32_t refused = 0;
  std::uint32_t disconnected = 0;
  std::uint64_t malformed = 0;                  ///< messages that the clients could not decode
  std::optional<double> minObservedHz{};        ///< of the client that observed the least
  std::optional<double> wireKbsPerClient{};     ///< at the server's socket
  std::optional<std::uint64_t> droppedTicks{};  ///< after everybody was in and the settling time was over
  std::uint64_t lateTicks = 0;                  ///< in the same time
  std::uint64_t lateTicksWaiting = 0;           ///< those that the tick thread spent waiting for a processor
  bool isGeneratorBound = false;
  double generatorLateShare = 0;  ///< of the inputs: those that left more than a tick late
  double generatorWaitShare = 0;  ///< of the time: that a thread of the swarm stood in the run queue
  std::optional<int> serverExit{};
};

struct RunBars {
  double minObservedHz = 59.5;
  double maxWireKbsPerClient = 150.0;
  double maxDroppedTicks = 0;
};

struct Judgement {
  Verdict verdict = Verdict::Short;
  std::vector<JudgedFigure> figures;
  /// One sentence: why it is not held; empty when it is.
  std::string reason;
};

Judgement JudgeRun(const RunFigures& figures, const RunBars& bars = {});

}  // namespace muster::gate
