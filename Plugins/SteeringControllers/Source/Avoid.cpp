// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Avoid.h"

#include "Evasion.h"
#include "Loiter.h"
#include "Threat.h"

namespace muster::steering {
namespace {

constexpr float kPush = 2.5F;
constexpr float kBraking = 0.6F;  ///< share of the speed that a vehicle gives up at the worst

/// The course it holds.
Vector HeldCourse(const Craft& craft, Memory& memory) {
  Vector held{memory.courseX, 0.0F, memory.courseZ};
  if (!(Dot(held, held) > 0.5F)) {
    held = craft.ahead;
  }
  const Vector fromHome = Level(craft.agent.fromHome);
  if (Length(fromHome) > craft.Sizes().leash && Dot(held, fromHome) > 0.0F) {
    held = Direction(Vector{} - fromHome, held);
  }
  memory.courseX = held.x;
  memory.courseZ = held.z;
  return held;
}

}  // namespace

Intent Avoid(const Craft& craft, std::span<const Neighbour> neighbours, Memory& memory) {
  const Vector held = HeldCourse(craft, memory);
  const Scale& sizes = craft.Sizes();
  float push = 0.0F;
  float worst = 0.0F;
  for (const Neighbour& other : neighbours) {
    const Threat threat = Assess(craft, other, sizes.clearance, sizes.horizon);
    push += threat.urgency * threat.side;
    worst = std::max(worst, threat.urgency);
  }
  Intent intent;
  intent.course = Direction(held + RightOf(craft.ahead) * (kPush * push), craft.ahead);
  intent.speed = memory.motion.cruiseSpeed;
  if (craft.isGround) {
    intent.speed *= 1.0F - kBraking * worst;
  } else {
    intent.altitudeError = AltitudeError(craft.agent, 0.0F);
    Evade(craft.agent, craft.slot, neighbours, intent);
  }
  return intent;
}

}  // namespace muster::steering
