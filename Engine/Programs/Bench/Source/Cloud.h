// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Points to ask about: the three ways a world can look.
#pragma once

#include "PluginApi/SpatialIndex.h"

#include <cstdint>
#include <string>
#include <vector>

namespace muster::bench {

enum class Distribution {
  Uniform,    ///< over 50 km x 50 km
  Clustered,  ///< 20 crowds of sigma 400 m in these 50 km; a tenth everywhere
  Extreme     ///< nine tenths within sigma 200 m, a tenth over 400 km x 400 km
};

inline constexpr Distribution kDistributions[] = {Distribution::Uniform, Distribution::Clustered,
                                                  Distribution::Extreme};

/// "uniform", "clustered", "extreme".
const char* ToText(Distribution distribution) noexcept;

/// Entities of a tick, on the ground (y = 0), so that a plane structure has the same answers; slots are 0..n-1.
struct Cloud {
  std::vector<std::uint32_t> slots{};
  std::vector<float> x{}, y{}, z{}, radius{};

  [[nodiscard]] std::uint32_t Count() const noexcept { return static_cast<std::uint32_t>(slots.size()); }
  [[nodiscard]] std::uint32_t Words() const noexcept { return (Count() + 63) / 64; }
  [[nodiscard]] mu_spatial_view View() const noexcept {
    return {slots.data(), x.data(), y.data(), z.data(), radius.data(), Count(), Count()};
  }
};

/// Positions in no spatial order, the same for the same arguments.
Cloud MakeCloud(Distribution distribution, std::uint32_t count, std::uint64_t seed);

/// Every point up to `meters` further along each axis.
Cloud Moved(const Cloud& cloud, float meters, std::uint64_t seed);

/// `count` spheres around entities, drawn at random: observers are where entities are.
std::vector<mu_sphere_query> SpheresAround(const Cloud& cloud, std::uint32_t count, float radiusMeters,
                                           std::uint64_t seed);

}  // namespace muster::bench
