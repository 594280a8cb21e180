// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Loiter.h"

namespace muster::basic {
namespace {

/// Tangent of the bank that an orbit may take; faster craft fly a wider one.
constexpr float kOrbitBankTangent = 1.2F;
/// How steeply the course leans towards the circle, for a radius of distance from it. Gentler from inside: a craft that
/// comes from home straight onto the circle would have to turn harder than the orbit itself, and overshoot.
constexpr float kLeanInside = 0.8F;
constexpr float kLeanOutside = 2.0F;
constexpr float kSteepestLean = 1.5F;

}  // namespace

Intent Loiter(const Agent& agent, const Memory& memory) {
  Intent intent = Orbit(agent, agent.fromHome, kOrbitRadius, memory);
  intent.altitudeError = AltitudeError(agent, 0.0F);
  return intent;
}

Intent Orbit(const Agent& agent, Vector fromCentre, float radiusMeters, const Memory& memory) {
  const float squared = agent.speed * agent.speed;
  const float radius = std::max(radiusMeters, memory.cruiseSpeed * memory.cruiseSpeed / (kGravity * kOrbitBankTangent));
  const Vector offset = Level(fromCentre);
  const Vector course = Direction(Level(agent.velocity), {0.0F, 0.0F, -1.0F});
  const Vector outward = Length(offset) > 1.0F ? Direction(offset, course) : course;
  const float beyond = (Length(offset) - radius) / radius;
  const float lean = std::min(beyond * (beyond > 0.0F ? kLeanOutside : kLeanInside), kSteepestLean);
  Intent intent;
  intent.course = Direction(RightOf(outward) - outward * lean, course);
  intent.turnBank = Angle(squared, kGravity * radius);
  intent.speed = memory.cruiseSpeed;
  return intent;
}

float AltitudeError(const Agent& agent, float aboveHome) {
  const float homeAltitude = agent.altitude - agent.fromHome.y;
  return std::max(homeAltitude + aboveHome, kLeastAltitude) - agent.altitude;
}

}  // namespace muster::basic
