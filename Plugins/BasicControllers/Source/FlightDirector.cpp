// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FlightDirector.h"

namespace muster::basic {
namespace {

// Each loop is three to five times slower than the one inside it, which is what keeps the altitude from oscillating:
// pitch rate ~4/s, climb rate ~1/s, altitude ~0.2/s.
constexpr float kClimbPerMeter = 0.2F;
constexpr float kAccelerationPerClimb = 1.0F;
constexpr float kVerticalLimit = 0.6F * kGravity;
constexpr float kElevatorPerRate = 1.6F;
constexpr float kTrimPerRate = 3.0F;
constexpr float kTrimLimit = 0.8F;
constexpr float kLoadLimit = 4.0F;

constexpr float kBankPerCourse = 1.0F;
constexpr float kBankLimit = 1.05F;
constexpr float kAileronPerBank = 1.0F;
constexpr float kAileronPerRate = 0.25F;

constexpr float kThrottlePerSpeed = 0.05F;
constexpr float kThrottleTrimPerSpeed = 0.01F;
constexpr float kLeastCruise = 70.0F;
constexpr float kMostCruise = 1'000.0F;

float Elevator(const Agent& agent, const Intent& intent, float stepSeconds, Memory& memory) {
  const float climb = std::clamp(kClimbPerMeter * intent.altitudeError, -intent.climbLimit, intent.climbLimit);
  const float upwards = std::clamp(kAccelerationPerClimb * (climb - agent.velocity.y), -kVerticalLimit, kVerticalLimit);
  // What of the lift points up shrinks with the bank; beyond 63 degrees the turn has to wait instead.
  const float load = std::clamp((1.0F + upwards / kGravity) / std::max(agent.up.y, 0.45F), 0.0F, kLoadLimit);
  const float wantedRate = kGravity * (load - agent.up.y) / std::max(agent.speed, 30.0F);
  const float error = std::clamp(wantedRate - agent.angular.x, -0.5F, 0.5F);
  memory.elevatorTrim = Bounded(memory.elevatorTrim + kTrimPerRate * error * stepSeconds, -kTrimLimit, kTrimLimit);
  return Bounded(kElevatorPerRate * error + memory.elevatorTrim, -1.0F, 1.0F);
}

float Aileron(const Agent& agent, const Intent& intent) {
  const float turn = TurnTo(Level(agent.velocity), intent.course);
  const float wanted = std::clamp(intent.turnBank + kBankPerCourse * turn, -kBankLimit, kBankLimit);
  const float bank = Angle(-agent.right.y, agent.up.y);
  return Bounded(kAileronPerBank * (wanted - bank) + kAileronPerRate * agent.angular.z, -1.0F, 1.0F);
}

float Throttle(const Agent& agent, const Intent& intent, float stepSeconds, Memory& memory) {
  const float missing = intent.speed - agent.speed;
  memory.throttleTrim = Bounded(memory.throttleTrim + kThrottleTrimPerSpeed * missing * stepSeconds, 0.0F, 1.0F);
  return Bounded(memory.throttleTrim + kThrottlePerSpeed * missing, 0.0F, 1.0F);
}

}  // namespace

void Prepare(const Agent& agent, const mu_control& last, Memory& memory) {
  if (memory.cruiseSpeed <= 0.0F) {
    memory.cruiseSpeed = std::max(kLeastCruise, Bounded(agent.speed, 0.0F, kMostCruise));
    memory.throttleTrim = Bounded(last.throttle, 0.0F, 1.0F);
  }
}

mu_control Fly(const Agent& agent, const Intent& intent, float stepSeconds, Memory& memory) {
  mu_control control{};
  control.throttle = Throttle(agent, intent, stepSeconds, memory);
  control.elevator = Elevator(agent, intent, stepSeconds, memory);
  control.aileron = Aileron(agent, intent);
  return control;
}

}  // namespace muster::basic
