// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Motion/BallisticModel.h"

#include <cmath>

namespace muster::motion {

BallisticState Step(const BallisticParams& params, const BallisticState& state, float stepSeconds) noexcept {
  BallisticState next = state;
  next.angular = {};
  next.onGround = false;
  next.afterburning = false;
  const float speed = Length(state.velocity);
  Vec3f velocity = state.velocity;
  velocity.y -= kGravity * stepSeconds;
  // Drag is implicit, so that no step and no speed turns it around.
  velocity *= 1.0F / (1.0F + params.dragPerMeter * speed * stepSeconds);
  const float squared = LengthSquared(velocity);
  if (squared > params.maxSpeedMps * params.maxSpeedMps) {
    velocity *= params.maxSpeedMps / std::sqrt(squared);
  }
  next.velocity = velocity;
  next.position = Integrate(state.position, velocity, static_cast<double>(stepSeconds));
  if (next.position.y <= 0.0) {
    next.position.y = 0.0;
    next.velocity = {};
    next.health = 0.0F;
    next.onGround = true;
  }
  return next;
}

const char* FindProblem(const BallisticParams& params) noexcept {
  if (!(std::isfinite(params.massKg) && params.massKg > 0.0F)) {
    return "the mass must be positive";
  }
  if (!(params.dragPerMeter >= 0.0F && params.dragPerMeter <= 1.0F)) {
    return "the drag must be within 0 and 1 per metre";
  }
  if (!(params.maxSpeedMps > 0.0F && params.maxSpeedMps <= 2'000.0F)) {
    return "the greatest speed must be within 0 and 2,000 m/s";
  }
  return nullptr;
}

}  // namespace muster::motion
