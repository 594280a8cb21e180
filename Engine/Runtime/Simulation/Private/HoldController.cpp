// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/HoldController.h"

#include "Core/Trigonometry.h"
#include "Core/Vector.h"
#include "Motion/FlightModel.h"
#include "PluginApi/PluginTables.h"

#include <algorithm>
#include <cmath>

namespace muster::simulation {
namespace {

constexpr float kOrbitTangent = 0.9F;  ///< of the bank of the orbit
constexpr float kSteepestBank = 0.95F;
constexpr float kLeastRadius = 1'500.0F;  ///< metres
constexpr float kFlyingSpeed = 15.0F;     ///< m/s; slower than this a craft is parked and stays so
constexpr float kClimbLimit = 8.0F;       ///< m/s
constexpr float kRolling = 0.2F;          ///< m/s; faster than this a vehicle brakes

struct Agent {
  Vec3f fromHome;
  Vec3f velocity;
  Vec3f angular;
  Vec3f right;
  Vec3f up;
  float speed;
};

Agent Observe(const mu_think_batch& batch, std::uint32_t index) {
  const mu_world_view& world = *batch.world;
  const std::uint32_t slot = batch.slots[index];
  const Quatf orientation{world.orientation_x[slot], world.orientation_y[slot], world.orientation_z[slot],
                          world.orientation_w[slot]};
  Agent agent{};
  agent.fromHome = {static_cast<float>(world.position_x[slot] - batch.home_x[index]),
                    static_cast<float>(world.position_y[slot] - batch.home_y[index]),
                    static_cast<float>(world.position_z[slot] - batch.home_z[index])};
  agent.velocity = {world.velocity_x[slot], world.velocity_y[slot], world.velocity_z[slot]};
  agent.angular = {world.angular_x[slot], world.angular_y[slot], world.angular_z[slot]};
  agent.right = Rotate(orientation, Vec3f{1.0F, 0.0F, 0.0F});
  agent.up = Rotate(orientation, Vec3f{0.0F, 1.0F, 0.0F});
  agent.speed = Length(agent.velocity);
  return agent;
}

/// The bank that turns right around home: a circle, steeper outside of it, flatter inside.
float WantedBank(const Agent& agent) {
  const float squared = agent.speed * agent.speed;
  const float radius = std::max(kLeastRadius, squared / (motion::kGravity * kOrbitTangent));
  const float distance = std::sqrt(agent.fromHome.x * agent.fromHome.x + agent.fromHome.z * agent.fromHome.z);
  const float turn = Atan2(squared, motion::kGravity * radius);
  if (distance < 1.0F) {
    return turn;
  }
  // Clockwise seen from above: home on the right-hand side.
  const Vec3f outward{agent.fromHome.x / distance, 0.0F, agent.fromHome.z / distance};
  const Vec3f tangent{-outward.z, 0.0F, outward.x};
  const float inward = std::clamp((distance - radius) / radius, -1.0F, 1.0F);
  const Vec3f wanted = tangent - outward * inward;
  const Vec3f course{agent.velocity.x, 0.0F, agent.velocity.z};
  const float error = Atan2(course.x * wanted.z - course.z * wanted.x, Dot(course, wanted));
  return std::clamp(turn + 0.8F * error, -kSteepestBank, kSteepestBank);
}

mu_control Steer(const Agent& agent) {
  mu_control control{};
  if (agent.speed < kFlyingSpeed) {
    return control;
  }
  const float bank = Atan2(-agent.right.y, agent.up.y);
  const float climb = std::clamp(-0.2F * agent.fromHome.y, -kClimbLimit, kClimbLimit);
  const float climbError = climb - agent.velocity.y;
  const float load = std::clamp((1.0F + 0.12F * climbError) / std::max(agent.up.y, 0.5F), 0.0F, 3.0F);
  const float pitchRate = motion::kGravity * (load - agent.up.y) / agent.speed;
  control.throttle = std::clamp(0.55F + 0.04F * climbError, 0.2F, 1.0F);
  // Without a memory there is no trim: the share of the load that the rate error would leave is fed forward.
  control.elevator = std::clamp(1.5F * (pitchRate - agent.angular.x) + 0.25F * (load - 1.0F), -0.8F, 0.8F);
  control.aileron = std::clamp(1.2F * (WantedBank(agent) - bank) + 0.3F * agent.angular.z, -1.0F, 1.0F);
  return control;
}

/// A vehicle stops. At a stand the brake is let go, for it would drive backward.
mu_control Stop(const Agent& agent) {
  mu_control control{};
  const Vec3f nose = Cross(agent.up, agent.right);
  control.elevator = Dot(agent.velocity, nose) > kRolling ? 1.0F : 0.0F;
  return control;
}

class HoldController {
 public:
  std::uint32_t ControllerCount() const { return 1; }
  mu_status ControllerInfo(std::uint32_t index, mu_controller_info& info) const {
    if (index != 0) {
      return MU_E_INVALID_ARGUMENT;
    }
    info = mu_controller_info{plugin::ToText("hold"), 0, 0, 2, 0};
    return MU_OK;
  }
  void Think(const mu_think_batch& batch) {
    for (std::uint32_t i = 0; i < batch.count; ++i) {
      const bool isGround = batch.world->entity_class[batch.slots[i]] == MU_CLASS_GROUND;
      const Agent agent = Observe(batch, i);
      batch.controls[i] = isGround ? Stop(agent) : Steer(agent);
    }
  }
};

}  // namespace

const mu_ai_controller_v0& HoldControllerTable() {
  return plugin::AiControllerTable<HoldController>::kTable;
}

}  // namespace muster::simulation
