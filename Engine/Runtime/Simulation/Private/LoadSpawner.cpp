// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/LoadSpawner.h"

#include "Core/Assert.h"
#include "Core/Utf8.h"
#include "Sunflower.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster::simulation {
namespace {

/// Courses turn by one radian along so many metres of x + z. Two craft that orbit alike at radius r around homes d
/// apart stay at least d * (1 - r * sqrt(2) / this) apart, which for orbits of 3 km is four fifths.
constexpr double kCourseMetersPerRadian = 24'000.0;

/// All but the cause.
Error BadMix(std::string_view mix, std::string_view controllers) {
  return Error{kSpawnMixInvalid, fmt::format("test_spawn_ai_mix = \"{}\" cannot be used.", EscapeControl(mix)), "",
               fmt::format("Write name:weight pairs with commas between them, such as \"loiter:60,pursuit:25\"{}.",
                           controllers)};
}

}  // namespace

Result<void> LoadSpawner::CheckMix(std::string_view mix) {
  const Result<WeightedMix> parsed = WeightedMix::Parse(mix, BadMix(mix, ""));
  return parsed ? Result<void>{} : Result<void>{parsed.Failure()};
}

Result<LoadSpawner> LoadSpawner::Create(const LoadSpawnConfig& config, const ArchetypeSet& archetypes,
                                        const ControllerDirectory& controllers) {
  const Result<ArchetypeId> archetype = archetypes.Find(config.entityType);
  if (!archetype) {
    return archetype.Failure();
  }
  Error failure =
      BadMix(config.mix, fmt::format("; there are the controllers {}", fmt::join(controllers.Names(), ", ")));
  Result<WeightedMix> mix = WeightedMix::Parse(config.mix, failure);
  if (!mix) {
    return std::move(mix).Failure();
  }
  std::vector<ControllerId> controllerOf;
  for (const WeightedMix::Part& part : mix->Parts()) {
    const std::optional<ControllerId> controller = controllers.Find(part.name);
    if (!controller) {
      failure.cause = fmt::format("There is no controller '{}'.", EscapeControl(part.name));
      return failure;
    }
    controllerOf.push_back(*controller);
  }
  return LoadSpawner{config, *archetype, archetypes.Get(*archetype).cruiseSpeedMps, std::move(*mix),
                     std::move(controllerOf)};
}

SpawnRequest LoadSpawner::At(std::uint32_t index) const {
  MUSTER_ASSERT(index < m_config.count, "a craft beyond the load");
  const double share = (static_cast<double>(index) + 0.5) / static_cast<double>(m_config.count);
  const double radius = m_config.spreadKm * 1'000.0 * std::sqrt(share);
  const Vec3d direction = SunflowerDirection(index);
  SpawnRequest request;
  request.archetype = m_archetype;
  request.position = {radius * direction.x, m_config.aglMeters, radius * direction.z};
  request.headingRadians = ReducedAngle((request.position.x + request.position.z) / kCourseMetersPerRadian);
  request.speedMps = m_cruiseSpeedMps;
  request.controller = m_controllerOf[m_mix.PartOf(index, m_config.count)];
  return request;
}

std::uint32_t LoadSpawner::SpawnAll(Simulation& simulation) const {
  std::uint32_t spawned = 0;
  for (std::uint32_t index = 0; index < m_config.count; ++index) {
    if (!simulation.Spawn(At(index)).IsNull()) {
      ++spawned;
    }
  }
  return spawned;
}

}  // namespace muster::simulation
