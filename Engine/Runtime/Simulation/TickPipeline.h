// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The tick as a list of stages. A stage is a class with its own file, its own test and one `Run`.
//
//   TickPipeline pipeline{timings, clock};
//   pipeline.Add(std::make_unique<MaintenanceStage>(...));   // composition root only, in the order they run
//   pipeline.RunTick(context);
//
// To add a stage: derive from IStage, say which phase it is timed under, give it what it needs through its constructor,
// and add it to the composition root (Server/Source). Several stages may share a phase.
#pragma once

#include "Core/Clock.h"
#include "Core/Tick.h"
#include "Telemetry/TickTimings.h"

#include <memory>
#include <vector>

namespace muster::jobs {
class WorkerPool;
}

namespace muster::simulation {

/// What every stage of one tick is told. Lives for the tick.
struct TickContext {
  Tick tick;
  /// Length of the step in seconds: 1/60, never anything else.
  float stepSeconds;
  jobs::WorkerPool& workers;
};

class IStage {
 public:
  virtual ~IStage() = default;
  /// Under which name the stage is timed.
  virtual telemetry::Phase Phase() const = 0;
  /// [sim]
  virtual void Run(TickContext& context) = 0;
};

class TickPipeline {
 public:
  TickPipeline(telemetry::TickTimings& timings, const IClock& clock);
  void Add(std::unique_ptr<IStage> stage);
  /// [sim] Runs every stage in order and records their times and the tick's.
  void RunTick(TickContext& context);

 private:
  telemetry::TickTimings& m_timings;
  const IClock& m_clock;
  std::vector<std::unique_ptr<IStage>> m_stages;
};

}  // namespace muster::simulation
