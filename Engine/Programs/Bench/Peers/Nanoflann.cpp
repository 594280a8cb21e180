// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CallbackSubject.h"
#include "SpatialPeers.h"

#include <nanoflann.hpp>

#include <cmath>
#include <limits>
#include <memory>

namespace muster::bench {
namespace {

struct Points {
  const Cloud* cloud = nullptr;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return cloud->slots.size(); }
  [[nodiscard]] float kdtree_get_pt(std::uint32_t index, std::size_t dimension) const {
    return dimension == 0 ? cloud->x[index] : cloud->z[index];
  }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Points, float, std::uint32_t>,
                                                 Points, 2, std::uint32_t>;

/// Hands matches on instead of storing them, and counts the radius itself in.
template <class Take>
class ResultSet {
 public:
  using DistanceType = float;

  ResultSet(float radius, Take& take)
      : m_bound{std::nextafter(radius * radius, std::numeric_limits<float>::infinity())}, m_take{take} {}

  [[nodiscard]] std::size_t size() const { return m_count; }
  [[nodiscard]] bool full() const { return true; }
  bool addPoint(float distance, std::uint32_t index) {
    if (distance < m_bound) {
      m_take(index);
      ++m_count;
    }
    return true;
  }
  [[nodiscard]] float worstDist() const { return m_bound; }

 private:
  float m_bound;
  Take& m_take;
  std::size_t m_count = 0;
};

class Nanoflann final : public CallbackSubject<Nanoflann> {
 public:
  std::string Label() const override { return "nanoflann"; }
  std::string Subject() const override { return "nanoflann k-d tree"; }

  void Rebuild(const Cloud& cloud) override {
    m_points.cloud = &cloud;
    if (m_tree == nullptr) {
      m_tree = std::make_unique<Tree>(2, m_points, nanoflann::KDTreeSingleIndexAdaptorParams(16));  // builds
    } else {
      m_tree->buildIndex();
    }
  }

  template <class Take>
  void ForEachWithin(const mu_sphere_query& query, Take&& take) const {
    ResultSet<std::remove_reference_t<Take>> results{query.radius, take};
    const float at[2] = {query.x, query.z};
    m_tree->radiusSearchCustomCallback(at, results, nanoflann::SearchParams(32, 0.0F, false));
  }

  void Nearest(std::span<const mu_nearest_query> queries, SlotLists& lists) override {
    m_distances.resize(lists.capacity);
    for (std::size_t query = 0; query < queries.size(); ++query) {
      const float at[2] = {queries[query].x, queries[query].z};
      lists.counts[query] =
          static_cast<std::uint32_t>(m_tree->knnSearch(at, queries[query].k, lists.At(query), m_distances.data()));
    }
  }

 private:
  Points m_points{};
  std::unique_ptr<Tree> m_tree{};
  std::vector<float> m_distances{};
};

}  // namespace

std::unique_ptr<ISpatialSubject> MakeNanoflann() {
  return std::make_unique<Nanoflann>();
}

std::vector<SpatialFactory> SpatialPeers() {
  return {&MakeNanoflann, &MakeBoostRtree, &MakeBulletDbvt, &MakeBox2dTree};
}

}  // namespace muster::bench
