// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A stage that rests while the world is paused. What keeps players connected and structure whole is not wrapped in it.
#pragma once

#include "Simulation/TickPipeline.h"

#include <memory>
#include <utility>

namespace muster::server {

/// [sim]. `isPaused` outlives the stage.
class PausableStage final : public simulation::IStage {
 public:
  PausableStage(std::unique_ptr<simulation::IStage> stage, const bool& isPaused)
      : m_stage(std::move(stage)), m_isPaused(isPaused) {}

  telemetry::Phase Phase() const override { return m_stage->Phase(); }
  void Run(simulation::TickContext& context) override {
    if (!m_isPaused) {
      m_stage->Run(context);
    }
  }

 private:
  std::unique_ptr<simulation::IStage> m_stage;
  const bool& m_isPaused;
};

}  // namespace muster::server
