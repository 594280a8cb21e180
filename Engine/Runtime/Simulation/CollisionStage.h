// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// `collision`: who touched whom during the step that `integrate` made. The spatial index gives candidate pairs, the
// exact test runs in parallel, and what follows from it is committed in the order of pairs.
//
// A contact costs both sides health by their relative speed (times the other's `hitDamage`, over their toughness) if they
// were approaching, takes away most of the closing speed by mass, and pushes overlapping craft apart, gently. Ground
// vehicles are pushed along the ground. A projectile is spent by whatever it touches; two of them never touch. What lost
// all health is reaped in the next `maintenance` and takes no further part in this one.
#pragma once

#include "Motion/NarrowPhase.h"
#include "Simulation/Simulation.h"
#include "Simulation/SpatialService.h"
#include "Simulation/TickPipeline.h"
#include "World/CommandBuffer.h"

#include <cstdint>

namespace muster::simulation {

class CollisionStage final : public IStage {
 public:
  /// Both outlive the stage.
  CollisionStage(Simulation& simulation, SpatialService& spatial, const motion::ImpactLimits& limits = {});

  telemetry::Phase Phase() const override { return telemetry::Phase::Collision; }
  void Run(TickContext& context) override;

  /// Contacts since start, and those that cost health. [sim]
  [[nodiscard]] std::uint64_t Contacts() const { return m_contacts; }
  [[nodiscard]] std::uint64_t DamagingContacts() const { return m_damagingContacts; }

 private:
  struct Hit {
    std::uint32_t a;
    std::uint32_t b;
    motion::Contact contact;
  };

  void Commit(const Hit& hit, float stepSeconds);

  Simulation& m_simulation;
  SpatialService& m_spatial;
  motion::ImpactLimits m_limits;
  world::ChunkedCommands<Hit> m_hits;
  std::uint64_t m_contacts = 0;
  std::uint64_t m_damagingContacts = 0;
};

}  // namespace muster::simulation
