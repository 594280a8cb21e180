// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Scene.h"

#include "Core/Hash.h"
#include "Core/Random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace muster::conformance {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void Place(Scene& scene, std::uint32_t slot, double x, double y, double z, float headingRadians, float speed) {
  scene.liveBits[slot / 64] |= std::uint64_t{1} << (slot % 64);
  scene.positionX[slot] = x;
  scene.positionY[slot] = y;
  scene.positionZ[slot] = z;
  scene.velocityX[slot] = std::sin(headingRadians) * speed;
  scene.velocityZ[slot] = -std::cos(headingRadians) * speed;
  scene.orientationY[slot] = std::sin(-0.5F * headingRadians);
  scene.orientationW[slot] = std::cos(-0.5F * headingRadians);
  scene.homeX[slot] = x + 300.0;
  scene.homeY[slot] = y;
  scene.homeZ[slot] = z - 200.0;
}

/// Every second one thinks.
Scene Crowd(std::string name, std::uint32_t count, double spreadMeters, float speed) {
  Scene scene{std::move(name), count * 2};
  Random random{2'026};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = i * 2 + (i % 5 == 0 ? 1U : 0U);
    const bool isGround = i % 4 == 3;
    Place(scene, slot, random.NextBetween(-spreadMeters, spreadMeters),
          isGround ? 0.0 : random.NextBetween(400.0, 900.0), random.NextBetween(-spreadMeters, spreadMeters),
          random.NextBetween(0.0F, 6.28F), isGround ? 0.1F * speed : speed);
    scene.entityClass[slot] = isGround ? MU_CLASS_GROUND : MU_CLASS_AIRCRAFT;
    scene.archetype[slot] = isGround ? 2 : 1;
    scene.angularX[slot] = random.NextBetween(-0.3F, 0.3F);
    scene.angularZ[slot] = random.NextBetween(-0.3F, 0.3F);
    if (i % 2 == 0 || isGround) {
      scene.agents.push_back(slot);
    }
  }
  return scene;
}

Scene OnOnePoint() {
  Scene scene = Crowd("everybody on one point", 150, 0.0, 120.0F);
  for (const std::uint32_t slot : scene.agents) {
    scene.positionY[slot] = scene.positionY[scene.agents.front()];
    scene.velocityX[slot] = 0.0F;
    scene.velocityZ[slot] = -120.0F;
  }
  return scene;
}

Scene Alone() {
  Scene scene{"one alone", 64};
  Place(scene, 7, 10.0, 500.0, 20.0, 1.0F, 150.0F);
  scene.agents = {7};
  return scene;
}

Scene AtTheEdges() {
  Scene scene = Crowd("a million metres away", 80, 4'000.0, 150.0F);
  for (const std::uint32_t slot : scene.agents) {
    scene.positionX[slot] += slot % 3 == 0 ? 1e6 : -1e6;
    scene.positionZ[slot] += slot % 2 == 0 ? 1e6 : -1e6;
    scene.positionY[slot] = slot % 5 == 0 ? 1e6 : scene.positionY[slot];
  }
  return scene;
}

Scene WithTheDead() {
  Scene scene = Crowd("with the dead among them", 120, 3'000.0, 150.0F);
  for (std::uint32_t slot = 0; slot < scene.Slots(); slot += 3) {
    scene.health[slot] = 0.0F;
    if (slot % 2 == 0 && !std::binary_search(scene.agents.begin(), scene.agents.end(), slot)) {
      scene.liveBits[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
      scene.positionX[slot] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return scene;
}

/// Those who do not think are broken; so is a neighbour's velocity where his position is sound.
Scene WithBrokenNeighbours() {
  Scene scene = BeforeItBroke();
  scene.name = "among broken neighbours";
  scene.isSound = false;
  for (std::uint32_t slot = 0; slot < scene.Slots(); ++slot) {
    if (!scene.IsLive(slot) || std::binary_search(scene.agents.begin(), scene.agents.end(), slot)) {
      continue;
    }
    scene.velocityX[slot] = slot % 3 == 0 ? kNan : kInfinity;
    scene.velocityZ[slot] = -kInfinity;
    if (slot % 4 == 0) {
      scene.positionX[slot] = std::numeric_limits<double>::infinity();
    }
    scene.orientationW[slot] = kNan;
  }
  return scene;
}

Scene OfBrokenAgents() {
  Scene scene = BeforeItBroke();
  scene.name = "of broken agents";
  scene.isSound = false;
  for (const std::uint32_t slot : scene.agents) {
    scene.positionX[slot] = slot % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : scene.positionX[slot];
    scene.positionY[slot] = slot % 4 == 0 ? std::numeric_limits<double>::infinity() : scene.positionY[slot];
    scene.velocityX[slot] = slot % 5 == 0 ? kNan : kInfinity;
    scene.orientationY[slot] = slot % 2 == 0 ? kNan : scene.orientationY[slot];
    scene.angularX[slot] = kNan;
    scene.homeX[slot] = slot % 7 == 0 ? std::numeric_limits<double>::infinity() : scene.homeX[slot];
  }
  return scene;
}

template <class T>
void Add(Digest64& digest, const std::vector<T>& column) {
  digest.Update(std::as_bytes(std::span{column}));
}

}  // namespace

Scene::Scene(std::string sceneName, std::uint32_t slots) : name{std::move(sceneName)}, liveBits((slots + 63) / 64) {
  for (auto* column : {&positionX, &positionY, &positionZ, &homeX, &homeY, &homeZ}) {
    column->resize(slots);
  }
  for (auto* column : {&velocityX, &velocityY, &velocityZ, &orientationX, &orientationY, &orientationZ, &angularX,
                       &angularY, &angularZ}) {
    column->resize(slots);
  }
  orientationW.assign(slots, 1.0F);
  health.assign(slots, 1.0F);
  archetype.assign(slots, 1);
  entityClass.assign(slots, MU_CLASS_AIRCRAFT);
}

mu_world_view Scene::View() const {
  return {sizeof(mu_world_view), Slots(),
          liveBits.data(),       positionX.data(),
          positionY.data(),      positionZ.data(),
          velocityX.data(),      velocityY.data(),
          velocityZ.data(),      orientationX.data(),
          orientationY.data(),   orientationZ.data(),
          orientationW.data(),   angularX.data(),
          angularY.data(),       angularZ.data(),
          health.data(),         archetype.data(),
          entityClass.data()};
}

void Scene::Advance(float seconds) {
  for (std::uint32_t slot = 0; slot < Slots(); ++slot) {
    positionX[slot] += static_cast<double>(velocityX[slot] * seconds);
    positionZ[slot] += static_cast<double>(velocityZ[slot] * seconds);
  }
}

std::uint64_t Scene::Digest() const {
  Digest64 digest;
  Add(digest, liveBits);
  for (const auto* column : {&positionX, &positionY, &positionZ}) {
    Add(digest, *column);
  }
  for (const auto* column : {&velocityX, &velocityY, &velocityZ, &orientationX, &orientationY, &orientationZ,
                             &orientationW, &angularX, &angularY, &angularZ, &health}) {
    Add(digest, *column);
  }
  Add(digest, archetype);
  Add(digest, entityClass);
  return digest.Value();
}

Scene BeforeItBroke() {
  return Crowd("before it broke", 120, 2'000.0, 150.0F);
}

Scene Ordinary() {
  return Crowd("ordinary", 200, 3'000.0, 150.0F);
}

std::vector<Scene> AllScenes() {
  std::vector<Scene> scenes;
  scenes.push_back(Ordinary());
  scenes.push_back(Alone());
  scenes.push_back(OnOnePoint());
  scenes.push_back(Crowd("at a stand", 80, 500.0, 0.0F));
  scenes.push_back(Crowd("too far apart to see each other", 60, 9e5, 200.0F));
  scenes.push_back(AtTheEdges());
  scenes.push_back(WithTheDead());
  scenes.push_back(WithBrokenNeighbours());
  scenes.push_back(OfBrokenAgents());
  return scenes;
}

void CountingSpatial::Count(std::size_t queries, std::uint32_t capacity) {
  ++m_calls;
  m_queries += queries;
  std::uint64_t most = m_mostSlots;
  while (most < capacity && !m_mostSlots.compare_exchange_weak(most, capacity)) {
  }
}

mu_status CountingSpatial::QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots,
                                    std::uint32_t capacity, mu_id_query_result* results) {
  Count(queries.size(), capacity);
  if (m_status != MU_OK) {
    return m_status;
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const mu_sphere_query& query = queries[i];
    results[i] = {};
    for (std::uint32_t slot = 0; slot < m_scene.Slots(); ++slot) {
      if (!m_scene.IsLive(slot) ||
          mu_spatial_is_within(static_cast<float>(m_scene.positionX[slot]), static_cast<float>(m_scene.positionY[slot]),
                               static_cast<float>(m_scene.positionZ[slot]), query.x, query.y, query.z,
                               query.radius) == 0) {
        continue;
      }
      if (results[i].count == capacity) {
        results[i].overflow = 1;
        break;
      }
      slots[i * capacity + results[i].count++] = slot;
    }
  }
  return MU_OK;
}

mu_status CountingSpatial::QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots,
                                        std::uint32_t capacity, mu_nearest_result* results) {
  Count(queries.size(), capacity);
  if (m_status != MU_OK) {
    return m_status;
  }
  // The nearest so far, in order. On the stack: what the plugin allocates is counted while this runs.
  constexpr std::size_t kMost = 1'024;
  std::array<std::pair<float, std::uint32_t>, kMost> nearest;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const mu_nearest_query& query = queries[i];
    const std::size_t wanted = std::min<std::size_t>({query.k, capacity, kMost});
    std::size_t count = 0;
    for (std::uint32_t slot = 0; slot < m_scene.Slots() && wanted != 0; ++slot) {
      const auto x = static_cast<float>(m_scene.positionX[slot]);
      const auto y = static_cast<float>(m_scene.positionY[slot]);
      const auto z = static_cast<float>(m_scene.positionZ[slot]);
      if (!m_scene.IsLive(slot) || slot == query.ignore_slot ||
          mu_spatial_is_within(x, y, z, query.x, query.y, query.z, query.radius) == 0) {
        continue;
      }
      const std::pair candidate{mu_spatial_distance_squared(x, y, z, query.x, query.y, query.z), slot};
      const auto end = nearest.begin() + static_cast<std::ptrdiff_t>(count);
      const auto place = std::upper_bound(nearest.begin(), end, candidate);
      if (static_cast<std::size_t>(place - nearest.begin()) == wanted) {
        continue;
      }
      count = std::min(count + 1, wanted);
      std::move_backward(place, nearest.begin() + static_cast<std::ptrdiff_t>(count) - 1,
                         nearest.begin() + static_cast<std::ptrdiff_t>(count));
      *place = candidate;
    }
    for (std::size_t k = 0; k < count; ++k) {
      slots[i * capacity + k] = nearest[k].second;
    }
    results[i] = {static_cast<std::uint32_t>(count)};
  }
  return MU_OK;
}

}  // namespace muster::conformance
