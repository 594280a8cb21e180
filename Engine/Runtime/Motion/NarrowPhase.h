// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The exact test behind a candidate pair: two spheres that move in straight lines over one step.
//
//   const std::optional<Contact> contact = SweepSpheres(a, b, kTickSeconds);
//   if (contact) { damage = ImpactDamage(contact->relativeSpeedMps, limits); }
//
// Pure functions, the same bits everywhere. Threads: [any]
#pragma once

#include "Core/Vector.h"

#include <optional>

namespace muster::motion {

/// A sphere at the end of a step, and the velocity it had during the step.
struct MovingSphere {
  Vec3d position{};
  Vec3f velocity{};
  float radius = 0.0F;
};

struct Contact {
  /// When they first touch, in seconds from the start of the step; 0 when they already overlapped.
  float timeSeconds = 0.0F;
  /// Length of the velocity difference.
  float relativeSpeedMps = 0.0F;
  /// How fast they approached each other along the line of centres at that moment; not negative.
  float closingSpeedMps = 0.0F;
  /// From a to b at that moment, unit length; +X when the centres coincide, so that craft on the ground part on it.
  Vec3f normal{};
  /// How deep they lie in each other at the end of the step; 0 when they have passed through.
  float overlapMeters = 0.0F;
};

/// Whether the spheres touch at any moment of the step. Touching counts; non-finite input gives no contact.
std::optional<Contact> SweepSpheres(const MovingSphere& a, const MovingSphere& b, float stepSeconds) noexcept;

struct ImpactLimits {
  /// Slower than this is a nudge.
  float harmlessMps = 3.0F;
  /// At this or faster nothing survives.
  float fatalMps = 40.0F;
};

/// Health that a hit costs, 0..1, linear in the relative speed between the limits.
float ImpactDamage(float relativeSpeedMps, const ImpactLimits& limits) noexcept;

}  // namespace muster::motion
