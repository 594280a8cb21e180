// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/LoadSpawner.h"

#include "Core/Assert.h"
#include "Sunflower.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster::simulation {
namespace {

constexpr std::uint32_t kMaxWeight = 1'000'000;
/// Courses turn by one radian along so many metres of x + z. Two craft that orbit alike at radius r around homes d
/// apart stay at least d * (1 - r * sqrt(2) / this) apart, which for orbits of 3 km is four fifths.
constexpr double kCourseMetersPerRadian = 24'000.0;

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

Error BadMix(std::string_view mix, const std::string& cause, const ControllerDirectory& controllers) {
  return Error{
      kSpawnMixInvalid, fmt::format("test_spawn_ai_mix = \"{}\" cannot be used.", mix), cause,
      fmt::format("Write name:weight pairs with commas between them, such as \"loiter:60,pursuit:25\"; there are the "
                  "controllers {}.",
                  fmt::join(controllers.Names(), ", "))};
}

}  // namespace

Result<LoadSpawner> LoadSpawner::Create(const LoadSpawnConfig& config, const ArchetypeSet& archetypes,
                                        const ControllerDirectory& controllers) {
  const Result<ArchetypeId> archetype = archetypes.Find(config.entityType);
  if (!archetype) {
    return archetype.Failure();
  }
  std::vector<Share> shares;
  std::uint64_t total = 0;
  std::string_view rest = config.mix;
  for (bool isLast = false; !isLast;) {
    const std::size_t comma = rest.find(',');
    isLast = comma == std::string_view::npos;
    const std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(isLast ? rest.size() : comma + 1);
    const std::size_t colon = part.find(':');
    const std::string_view name = Trimmed(part.substr(0, colon));
    const std::string_view number = colon == std::string_view::npos ? "1" : Trimmed(part.substr(colon + 1));
    const std::optional<ControllerId> controller = controllers.Find(name);
    if (!controller) {
      return BadMix(config.mix, fmt::format("There is no controller '{}'.", name), controllers);
    }
    std::uint32_t weight = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), weight);
    if (problem != std::errc{} || end != number.data() + number.size() || weight < 1 || weight > kMaxWeight) {
      return BadMix(config.mix, fmt::format("'{}' is no whole number from 1 to {}.", number, kMaxWeight), controllers);
    }
    total += weight;
    shares.push_back({*controller, total});
  }
  return LoadSpawner{config, *archetype, archetypes.Get(*archetype).cruiseSpeedMps, std::move(shares)};
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
  const std::uint64_t place = index * m_shares.back().end / m_config.count;
  for (const Share& candidate : m_shares) {
    if (place < candidate.end) {
      request.controller = candidate.controller;
      break;
    }
  }
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
