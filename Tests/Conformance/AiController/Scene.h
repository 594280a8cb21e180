// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Worlds for controllers to think in, and the host's spatial service over them.
#pragma once

#include "PluginApi/AiController.h"
#include "PluginHost/HostSpatial.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace muster::conformance {

/// The columns of a world, by slot, and who of it thinks.
struct Scene {
  explicit Scene(std::string sceneName, std::uint32_t slots);

  std::string name;
  /// Every number is finite: then every command must be, too.
  bool isSound = true;
  std::vector<std::uint64_t> liveBits;
  std::vector<double> positionX, positionY, positionZ;
  std::vector<float> velocityX, velocityY, velocityZ;
  std::vector<float> orientationX, orientationY, orientationZ, orientationW;
  std::vector<float> angularX, angularY, angularZ;
  std::vector<float> health;
  std::vector<std::uint16_t> archetype;
  std::vector<std::uint8_t> entityClass;
  std::vector<double> homeX, homeY, homeZ;
  std::vector<std::uint32_t> agents;  ///< slots, ascending

  [[nodiscard]] bool IsLive(std::uint32_t slot) const { return (liveBits[slot / 64] >> (slot % 64) & 1U) != 0; }
  [[nodiscard]] std::uint32_t Slots() const { return static_cast<std::uint32_t>(health.size()); }
  [[nodiscard]] static std::uint64_t HandleOf(std::uint32_t slot) { return (std::uint64_t{3} << 32U) | (slot + 1U); }
  [[nodiscard]] mu_world_view View() const;

  /// Everybody moves on by his velocity.
  void Advance(float seconds);
  /// Of every byte that a plugin can see through the view.
  [[nodiscard]] std::uint64_t Digest() const;
};

/// Aircraft and vehicles, most of which think, in slots with gaps, over some kilometres.
Scene Ordinary();
/// What those scenes of AllScenes() that are not sound were made of.
Scene BeforeItBroke();
/// Ordinary, and everything else that a world may come to.
std::vector<Scene> AllScenes();

/// Answers as the host does, by looking at everybody, and counts what it is asked.
class CountingSpatial final : public plugins::IHostSpatial {
 public:
  explicit CountingSpatial(const Scene& scene) : m_scene{scene} {}

  mu_status QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                     mu_id_query_result* results) override;
  mu_status QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                         mu_nearest_result* results) override;

  /// What every call answers from now on.
  void FailWith(mu_status status) { m_status = status; }
  [[nodiscard]] std::uint64_t Calls() const { return m_calls; }
  [[nodiscard]] std::uint64_t Queries() const { return m_queries; }
  /// The most slots that one query had room for.
  [[nodiscard]] std::uint64_t MostSlots() const { return m_mostSlots; }

 private:
  void Count(std::size_t queries, std::uint32_t capacity);

  const Scene& m_scene;
  mu_status m_status = MU_OK;
  std::atomic<std::uint64_t> m_calls{0};
  std::atomic<std::uint64_t> m_queries{0};
  std::atomic<std::uint64_t> m_mostSlots{0};
};

}  // namespace muster::conformance
