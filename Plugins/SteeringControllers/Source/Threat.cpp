// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Threat.h"

#include <algorithm>

namespace muster::steering {
namespace {

/// A miss by less than this share of the clearance is a meeting head-on.
constexpr float kHeadOn = 0.1F;

}  // namespace

Threat Assess(const Craft& craft, const Neighbour& other, float clearanceMeters, float horizonSeconds) {
  const Vector approach = Level(other.velocity - craft.agent.velocity);
  const Vector offset = Level(other.offset);
  const float speedSquared = Dot(approach, approach);
  const float time =
      speedSquared > 0.01F ? std::clamp(-Dot(offset, approach) / speedSquared, 0.0F, horizonSeconds) : 0.0F;
  const Vector miss = offset + approach * time;
  const float distance = Length(miss);
  if (distance >= clearanceMeters) {
    return {};
  }
  const float nearness = 1.0F - distance / clearanceMeters;
  const float soon = 1.0F - 0.5F * time / horizonSeconds;
  const float toTheRight = Dot(miss, RightOf(craft.ahead));
  return {nearness * soon, toTheRight > kHeadOn * clearanceMeters ? -1.0F : 1.0F};
}

}  // namespace muster::steering
