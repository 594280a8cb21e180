// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What every provider of muster.spatial_index/0 must answer, as tests over its table. Main.cpp says who is judged.
//
// Every answer is compared with a loop over all points that does nothing but the exact test of the header.
#pragma once

#include "PluginApi/SpatialIndex.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

inline bool operator==(const mu_slot_pair& left, const mu_slot_pair& right) {
  return left.a == right.a && left.b == right.b;
}

namespace muster::conformance {

struct Candidate {
  std::string name;
  const mu_spatial_index_v0* table = nullptr;
};

/// For GoogleTest's messages.
inline void PrintTo(const Candidate& candidate, std::ostream* out) {
  *out << candidate.name;
}

inline std::string NameOf(const ::testing::TestParamInfo<Candidate>& info) {
  return info.param.name;
}

/// The points of a tick.
struct Cloud {
  std::vector<std::uint32_t> slots;
  std::vector<float> x, y, z, radius;

  void Add(std::uint32_t slot, float px, float py, float pz, float r = 1.0F) {
    slots.push_back(slot);
    x.push_back(px);
    y.push_back(py);
    z.push_back(pz);
    radius.push_back(r);
  }
  std::uint32_t Count() const { return static_cast<std::uint32_t>(slots.size()); }
  std::uint32_t SlotCapacity() const { return slots.empty() ? 64 : slots.back() + 1; }
  mu_spatial_view View() const {
    return {slots.data(), x.data(), y.data(), z.data(), radius.data(), Count(), SlotCapacity()};
  }
};

/// Slots ascend but have gaps, as after a while of births and deaths.
enum class Slots { Dense, Gaps };

Cloud Uniform(std::uint32_t count, float halfExtent, Slots slots, std::uint64_t seed);
/// 20 crowds of 400 m and a tenth everywhere.
Cloud Clustered(std::uint32_t count, std::uint64_t seed);
/// Nine tenths within 200 m, the rest over 400 km.
Cloud Extreme(std::uint32_t count, std::uint64_t seed);
/// Everybody on one spot.
Cloud SinglePoint(std::uint32_t count);
/// Points on a line along X or Z: a box without an area.
Cloud Line(std::uint32_t count, bool isAlongX);
/// So close together that squared distances underflow.
Cloud Tiny(std::uint32_t count, std::uint64_t seed);
/// Points on a line across both axes.
Cloud Diagonal(std::uint32_t count);
/// At the four corners of a world of 2,000 km.
Cloud WorldCorners(std::uint32_t count, std::uint64_t seed);
/// At the ends of what a float can hold, and at ordinary places.
Cloud Corners(std::uint64_t seed);
/// NaN and infinite coordinates among ordinary ones.
Cloud Broken(std::uint32_t count, std::uint64_t seed);

/// Every cloud above, small enough for a test.
struct NamedCloud {
  std::string name;
  Cloud cloud;
};
const std::vector<NamedCloud>& AllClouds();

/// Spheres around points and elsewhere, from zero radius to everything, and nonsense.
std::vector<mu_sphere_query> QueriesFor(const Cloud& cloud, std::uint32_t count, std::uint64_t seed);

/// Ascending slots that match, by the exact test alone.
std::vector<std::uint32_t> Matches(const Cloud& cloud, const mu_sphere_query& query);
std::vector<std::uint32_t> Nearest(const Cloud& cloud, const mu_nearest_query& query);
std::vector<mu_slot_pair> Pairs(const Cloud& cloud);

/// An instance of a candidate, rebuilt over a cloud; queries as values.
class Instance {
 public:
  /// `cellSizeMeters` as asked for; 0 leaves the choice to the index.
  explicit Instance(const Candidate& candidate, float cellSizeMeters = 0.0F);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void Rebuild(const Cloud& cloud);
  std::vector<std::uint32_t> Bits(const mu_sphere_query& query) const;
  /// Sorted. `overflow` may be null.
  std::vector<std::uint32_t> Ids(const mu_sphere_query& query, std::uint32_t capacity, bool* overflow = nullptr) const;
  std::vector<std::uint32_t> Nearest(const mu_nearest_query& query, std::uint32_t capacity) const;
  /// Sorted. `total` receives how many there are in all.
  std::vector<mu_slot_pair> Pairs(std::uint64_t capacity, std::uint64_t* total) const;
  mu_spatial_stats Stats() const;

  const mu_spatial_index_v0& Table() const { return m_table; }
  mu_spatial_index* Raw() const { return m_index; }

 private:
  const mu_spatial_index_v0& m_table;
  mu_spatial_index* m_index = nullptr;
  Cloud m_cloud;  // an index may read its view until the next rebuild
};

/// Bits, ids and the nearest 20 of each sphere, and all pairs, compared with the reference. Fails in the calling test.
void ExpectRightAnswers(const Instance& index, const Cloud& cloud, const std::vector<mu_sphere_query>& queries,
                        const std::string& what);

/// For messages.
std::string Describe(const std::string& cloud, const mu_sphere_query& query);

class SpatialIndexConformance : public ::testing::TestWithParam<Candidate> {};

}  // namespace muster::conformance
