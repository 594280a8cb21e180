// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "GroundDirector.h"

#include <algorithm>

namespace muster::steering {
namespace {

constexpr float kLeastCruise = 8.0F;  ///< m/s
constexpr float kMostCruise = 30.0F;
constexpr float kRudderPerCourse = 1.6F;
constexpr float kRudderPerRate = 0.3F;
constexpr float kThrottlePerSpeed = 0.15F;
constexpr float kThrottleTrimPerSpeed = 0.05F;
constexpr float kBrakePerSpeed = 0.2F;
/// So much too fast is left to friction.
constexpr float kCoasting = 0.5F;  ///< m/s
/// So slow it goes through the sharpest turn; a share of the wanted speed.
constexpr float kTurningShare = 0.35F;
constexpr float kStanding = 0.2F;  ///< m/s

}  // namespace

void PrepareGround(const Craft& craft, const mu_control& last, Memory& memory) {
  basic::Memory& motion = memory.motion;
  if (motion.cruiseSpeed <= 0.0F) {
    motion.cruiseSpeed = std::max(kLeastCruise, basic::Bounded(craft.agent.speed, 0.0F, kMostCruise));
    motion.throttleTrim = basic::Bounded(last.throttle, 0.0F, 1.0F);
  }
}

mu_control Drive(const Craft& craft, const Intent& intent, float stepSeconds, Memory& memory) {
  const float turn = TurnTo(craft.ahead, intent.course);
  // Nose right is a negative turn about +Y.
  const float rateToRight = -craft.agent.angular.y;
  const float sharpness = std::min(std::fabs(turn) * 0.6F, 1.0F);
  const float wanted = intent.speed * (1.0F - (1.0F - kTurningShare) * sharpness);
  const float pace = Dot(Level(craft.agent.velocity), craft.ahead);
  const float missing = wanted - pace;
  float& trim = memory.motion.throttleTrim;
  trim = basic::Bounded(trim + kThrottleTrimPerSpeed * missing * stepSeconds, 0.0F, 1.0F);
  mu_control control{};
  control.rudder = basic::Bounded(kRudderPerCourse * turn - kRudderPerRate * rateToRight, -1.0F, 1.0F);
  control.throttle = wanted < kStanding ? 0.0F : basic::Bounded(trim + kThrottlePerSpeed * missing, 0.0F, 1.0F);
  // Pulled back at a stand it would drive backward.
  if (missing < -kCoasting && pace > kStanding) {
    control.throttle = 0.0F;
    control.elevator = basic::Bounded(-kBrakePerSpeed * missing, 0.0F, 1.0F);
  }
  return control;
}

}  // namespace muster::steering
