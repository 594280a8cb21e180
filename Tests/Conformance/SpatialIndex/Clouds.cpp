// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialIndexSuite.h"

#include "Core/Random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace muster::conformance {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

float Spread(Random& random, float half) {
  return static_cast<float>(random.NextBetween(-static_cast<double>(half), static_cast<double>(half)));
}

// Roughly a bell: the sum of three uniform numbers, within 1.5 times `width`.
float Bell(Random& random, float width) {
  return width * (random.NextUnitFloat() + random.NextUnitFloat() + random.NextUnitFloat() - 1.5F);
}

bool IsFinite(const Cloud& cloud, std::size_t index) {
  return std::isfinite(cloud.x[index]) && std::isfinite(cloud.y[index]) && std::isfinite(cloud.z[index]);
}

}  // namespace

Cloud Uniform(std::uint32_t count, float halfExtent, Slots slots, std::uint64_t seed) {
  Random random{seed};
  Cloud cloud;
  std::uint32_t slot = slots == Slots::Dense ? 0 : 3;
  for (std::uint32_t index = 0; index < count; ++index) {
    const float x = Spread(random, halfExtent);
    const float y = static_cast<float>(random.NextBetween(0.0, 2000.0));
    cloud.Add(slot, x, y, Spread(random, halfExtent), static_cast<float>(random.NextBetween(1.0, 400.0)));
    slot += slots == Slots::Dense ? 1 : 1 + static_cast<std::uint32_t>(random.NextBelow(4));
  }
  return cloud;
}

Cloud Clustered(std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  std::vector<std::pair<float, float>> centres;
  for (int crowd = 0; crowd < 20; ++crowd) {
    const float x = Spread(random, 25'000.0F);
    centres.emplace_back(x, Spread(random, 25'000.0F));
  }
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    const auto& centre = centres[random.NextBelow(centres.size())];
    const bool isAnywhere = random.NextBelow(10) == 0;
    const float x = isAnywhere ? Spread(random, 25'000.0F) : centre.first + Bell(random, 400.0F);
    const float z = isAnywhere ? Spread(random, 25'000.0F) : centre.second + Bell(random, 400.0F);
    cloud.Add(index * 2, x, Spread(random, 300.0F), z, random.NextUnitFloat() * 20.0F);
  }
  return cloud;
}

Cloud Extreme(std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    const bool isFar = random.NextBelow(10) == 0;
    const float x = isFar ? Spread(random, 200'000.0F) : Bell(random, 200.0F);
    const float z = isFar ? Spread(random, 200'000.0F) : Bell(random, 200.0F);
    cloud.Add(index, x, Spread(random, 50.0F), z, random.NextUnitFloat() * 4.0F);
  }
  return cloud;
}

Cloud SinglePoint(std::uint32_t count) {
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    cloud.Add(index, 1234.5F, 10.0F, -777.25F, 0.5F);
  }
  return cloud;
}

Cloud Line(std::uint32_t count, bool isAlongX) {
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    const float along = static_cast<float>(index * 37 % count) * 10.0F - 500.0F;
    cloud.Add(index, isAlongX ? along : 7.0F, 0.0F, isAlongX ? 7.0F : along, 6.0F);
  }
  return cloud;
}

Cloud Diagonal(std::uint32_t count) {
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    const float along = static_cast<float>(index * 53 % count) * 7.0F;
    cloud.Add(index * 2 + 1, along - 900.0F, 40.0F, 2000.0F - along, 5.5F);
  }
  return cloud;
}

Cloud WorldCorners(std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    const float cornerX = random.NextBelow(2) == 0 ? 1e6F : -1e6F;
    const float cornerZ = random.NextBelow(2) == 0 ? 1e6F : -1e6F;
    const float inX = random.NextBelow(4) == 0 ? 0.0F : Spread(random, 300.0F);
    cloud.Add(index, cornerX + inX, Spread(random, 100.0F), cornerZ + Spread(random, 300.0F), 8.0F);
  }
  return cloud;
}

Cloud Tiny(std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  Cloud cloud;
  for (std::uint32_t index = 0; index < count; ++index) {
    const float x = Spread(random, 1e-22F);
    cloud.Add(index, x, 0.0F, Spread(random, 1e-22F), 1e-30F);
  }
  return cloud;
}

Cloud Corners(std::uint64_t seed) {
  Random random{seed};
  Cloud cloud;
  const std::vector<float> places{-kLargest, -1e30F, -1e18F, -1e9F, -200'000.0F, -1e-38F, 0.0F,
                                  1e-42F,    1e-20F, 1.0F,   1e9F,  200'000.0F,  1e19F,   kLargest};
  std::uint32_t slot = 1;
  for (const float x : places) {
    for (const float z : places) {
      cloud.Add(slot, x, random.NextBelow(8) == 0 ? 1e25F : 5.0F, z, random.NextBelow(4) == 0 ? 1e10F : 3.0F);
      slot += 1 + static_cast<std::uint32_t>(random.NextBelow(2));
    }
  }
  for (int index = 0; index < 300; ++index) {
    const float x = Spread(random, 100.0F);
    cloud.Add(slot++, x, 0.0F, Spread(random, 100.0F), 1.0F);
  }
  return cloud;
}

Cloud Broken(std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  Cloud cloud = Uniform(count, 1000.0F, Slots::Gaps, seed);
  const std::vector<float> values{kNaN, kInfinity, -kInfinity};
  for (std::uint32_t index = 0; index < count; ++index) {
    const float value = values[random.NextBelow(values.size())];
    switch (random.NextBelow(8)) {
      case 0:
        cloud.x[index] = value;
        break;
      case 1:
        cloud.y[index] = value;
        break;
      case 2:
        cloud.z[index] = value;
        break;
      case 3:
        cloud.radius[index] = random.NextBelow(2) == 0 ? kNaN : -40.0F;
        break;
      default:
        break;
    }
  }
  cloud.radius[0] = kInfinity;
  cloud.radius[1] = -kInfinity;
  return cloud;
}

namespace {

std::vector<NamedCloud> MakeClouds() {
  std::vector<NamedCloud> clouds;
  clouds.push_back({"nobody", {}});
  clouds.push_back({"one", Uniform(1, 100.0F, Slots::Gaps, 1)});
  clouds.push_back({"three", Uniform(3, 100.0F, Slots::Dense, 2)});
  clouds.push_back({"uniform", Uniform(2003, 25'000.0F, Slots::Gaps, 3)});
  clouds.push_back({"uniform, dense slots", Uniform(1500, 5000.0F, Slots::Dense, 4)});
  clouds.push_back({"clustered", Clustered(2500, 5)});
  clouds.push_back({"extreme", Extreme(2500, 6)});
  clouds.push_back({"one spot", SinglePoint(700)});
  clouds.push_back({"line along x", Line(900, true)});
  clouds.push_back({"line along z", Line(900, false)});
  clouds.push_back({"line across", Diagonal(800)});
  clouds.push_back({"world corners", WorldCorners(900, 10)});
  clouds.push_back({"ends of float", Corners(7)});
  clouds.push_back({"underflow", Tiny(600, 9)});
  clouds.push_back({"broken", Broken(1000, 8)});
  Cloud nobodyFinite;
  nobodyFinite.Add(2, kNaN, 0.0F, 0.0F);
  nobodyFinite.Add(9, 0.0F, kInfinity, 0.0F);
  clouds.push_back({"nobody finite", nobodyFinite});
  return clouds;
}

}  // namespace

const std::vector<NamedCloud>& AllClouds() {
  static const std::vector<NamedCloud> clouds = MakeClouds();
  return clouds;
}

std::vector<mu_sphere_query> QueriesFor(const Cloud& cloud, std::uint32_t count, std::uint64_t seed) {
  Random random{seed};
  const std::vector<float> radii{0.0F,    -0.0F,     1e-30F,    0.5F, 10.0F, 100.0F,  300.0F, 1000.0F,  2000.0F,
                                 8000.0F, 30'000.0F, 80'000.0F, 1e6F, 1e12F, 1.9e19F, 1e30F,  kInfinity};
  std::vector<mu_sphere_query> queries;
  for (std::uint32_t index = 0; index < count; ++index) {
    mu_sphere_query query{Spread(random, 30'000.0F), Spread(random, 500.0F), Spread(random, 30'000.0F),
                          radii[random.NextBelow(radii.size())]};
    if (cloud.Count() != 0 && random.NextBelow(4) != 0) {
      const std::size_t near = random.NextBelow(cloud.Count());
      query.x = cloud.x[near] + (random.NextBelow(2) == 0 ? 0.0F : Spread(random, 500.0F));
      query.y = cloud.y[near];
      query.z = cloud.z[near] + (random.NextBelow(2) == 0 ? 0.0F : Spread(random, 500.0F));
    }
    if (cloud.Count() != 0 && random.NextBelow(3) == 0) {
      // A radius that ends at somebody, to the last bit.
      const std::size_t at = random.NextBelow(cloud.Count());
      query.radius =
          std::sqrt(mu_spatial_distance_squared(cloud.x[at], cloud.y[at], cloud.z[at], query.x, query.y, query.z));
    }
    queries.push_back(query);
  }
  for (const float nonsense : {kNaN, kInfinity, -kInfinity}) {
    queries.push_back({nonsense, 0.0F, 0.0F, 1000.0F});
    queries.push_back({0.0F, nonsense, 0.0F, kInfinity});
    queries.push_back({0.0F, 0.0F, nonsense, 1e30F});
  }
  queries.push_back({0.0F, 0.0F, 0.0F, kNaN});
  queries.push_back({0.0F, 0.0F, 0.0F, -1.0F});
  queries.push_back({0.0F, 0.0F, 0.0F, -kInfinity});
  return queries;
}

std::vector<std::uint32_t> Matches(const Cloud& cloud, const mu_sphere_query& query) {
  std::vector<std::uint32_t> slots;
  if (std::isnan(query.x) || std::isnan(query.y) || std::isnan(query.z)) {
    return slots;
  }
  for (std::size_t index = 0; index < cloud.slots.size(); ++index) {
    if (IsFinite(cloud, index) && mu_spatial_is_within(cloud.x[index], cloud.y[index], cloud.z[index], query.x, query.y,
                                                       query.z, query.radius) != 0) {
      slots.push_back(cloud.slots[index]);
    }
  }
  return slots;
}

std::vector<std::uint32_t> Nearest(const Cloud& cloud, const mu_nearest_query& query) {
  std::vector<std::pair<float, std::uint32_t>> found;
  const std::vector<std::uint32_t> matches = Matches(cloud, {query.x, query.y, query.z, query.radius});
  for (std::size_t index = 0; index < cloud.slots.size(); ++index) {
    const std::uint32_t slot = cloud.slots[index];
    if (slot != query.ignore_slot && std::binary_search(matches.begin(), matches.end(), slot)) {
      found.emplace_back(
          mu_spatial_distance_squared(cloud.x[index], cloud.y[index], cloud.z[index], query.x, query.y, query.z), slot);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::uint32_t> slots;
  for (std::size_t index = 0; index < std::min<std::size_t>(found.size(), query.k); ++index) {
    slots.push_back(found[index].second);
  }
  return slots;
}

std::vector<mu_slot_pair> Pairs(const Cloud& cloud) {
  std::vector<mu_slot_pair> pairs;
  for (std::size_t a = 0; a < cloud.slots.size(); ++a) {
    for (std::size_t b = a + 1; b < cloud.slots.size(); ++b) {
      if (IsFinite(cloud, a) && IsFinite(cloud, b) &&
          mu_spatial_is_within(cloud.x[a], cloud.y[a], cloud.z[a], cloud.x[b], cloud.y[b], cloud.z[b],
                               cloud.radius[a] + cloud.radius[b]) != 0) {
        pairs.push_back({cloud.slots[a], cloud.slots[b]});
      }
    }
  }
  return pairs;
}

}  // namespace muster::conformance
