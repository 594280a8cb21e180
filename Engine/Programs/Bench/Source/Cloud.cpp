// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Cloud.h"

#include "Core/Random.h"

#include <array>
#include <cmath>
#include <numeric>

namespace muster::bench {
namespace {

constexpr double kHalfWorldMeters = 25'000.0;
constexpr double kHalfFarWorldMeters = 200'000.0;
constexpr std::size_t kCrowds = 20;
constexpr double kCrowdSigmaMeters = 400.0;
constexpr double kDenseSigmaMeters = 200.0;
constexpr double kLonelyShare = 0.1;

struct Place {
  double x = 0.0;
  double z = 0.0;
};

Place Anywhere(Random& random, double half) {
  const double x = random.NextBetween(-half, half);
  return {x, random.NextBetween(-half, half)};
}

/// Two independent normal deviates (Box and Muller).
Place Normal(Random& random, double sigma) {
  const double length = sigma * std::sqrt(-2.0 * std::log(1.0 - random.NextUnit()));
  const double angle = 6.283185307179586 * random.NextUnit();
  return {length * std::cos(angle), length * std::sin(angle)};
}

Place Around(const Place& centre, const Place& offset) {
  return {centre.x + offset.x, centre.z + offset.z};
}

}  // namespace

const char* ToText(Distribution distribution) noexcept {
  switch (distribution) {
    case Distribution::Uniform:
      return "uniform";
    case Distribution::Clustered:
      return "clustered";
    case Distribution::Extreme:
      break;
  }
  return "extreme";
}

Cloud MakeCloud(Distribution distribution, std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  std::array<Place, kCrowds> crowds{};
  for (Place& crowd : crowds) {
    crowd = Anywhere(random, kHalfWorldMeters);
  }
  Cloud cloud;
  cloud.slots.resize(count);
  std::iota(cloud.slots.begin(), cloud.slots.end(), 0U);
  cloud.y.assign(count, 0.0F);
  cloud.radius.assign(count, 5.0F);
  for (std::uint32_t index = 0; index < count; ++index) {
    const bool isLonely = distribution == Distribution::Uniform || random.NextChance(kLonelyShare);
    Place place;
    if (isLonely) {
      place = Anywhere(random, distribution == Distribution::Extreme ? kHalfFarWorldMeters : kHalfWorldMeters);
    } else if (distribution == Distribution::Clustered) {
      const Place& crowd = crowds[static_cast<std::size_t>(random.NextBelow(kCrowds))];
      place = Around(crowd, Normal(random, kCrowdSigmaMeters));
    } else {
      place = Normal(random, kDenseSigmaMeters);
    }
    cloud.x.push_back(static_cast<float>(place.x));
    cloud.z.push_back(static_cast<float>(place.z));
  }
  return cloud;
}

Cloud Moved(const Cloud& cloud, float meters, std::uint64_t seed) {
  Random random{seed};
  Cloud moved = cloud;
  for (std::size_t index = 0; index < moved.x.size(); ++index) {
    moved.x[index] += random.NextBetween(-meters, meters);
    moved.z[index] += random.NextBetween(-meters, meters);
  }
  return moved;
}

std::vector<mu_sphere_query> SpheresAround(const Cloud& cloud, std::uint32_t count, float radiusMeters,
                                           std::uint64_t seed) {
  Random random{seed};
  std::vector<mu_sphere_query> queries;
  queries.reserve(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    const auto at = static_cast<std::size_t>(random.NextBelow(cloud.Count()));
    queries.push_back({cloud.x[at], cloud.y[at], cloud.z[at], radiusMeters});
  }
  return queries;
}

}  // namespace muster::bench
