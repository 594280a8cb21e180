// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CallbackSubject.h"
#include "SpatialPeers.h"

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

#include <utility>
#include <vector>

namespace muster::bench {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using Point = bg::model::point<float, 2, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Entry = std::pair<Point, std::uint32_t>;

class BoostRtree final : public CallbackSubject<BoostRtree> {
 public:
  std::string Label() const override { return "boost"; }
  std::string Subject() const override { return "Boost.Geometry R-tree"; }

  void Rebuild(const Cloud& cloud) override {
    m_cloud = &cloud;
    m_entries.clear();
    for (const std::uint32_t slot : cloud.slots) {
      m_entries.emplace_back(Point{cloud.x[slot], cloud.z[slot]}, slot);
    }
    m_tree = Tree{m_entries.begin(), m_entries.end()};  // the packing constructor
  }

  template <class Take>
  void ForEachWithin(const mu_sphere_query& query, Take&& take) const {
    const Box box{Point{query.x - query.radius, query.z - query.radius},
                  Point{query.x + query.radius, query.z + query.radius}};
    m_tree.query(bgi::intersects(box), boost::make_function_output_iterator([&](const Entry& entry) {
                   if (IsWithin(*m_cloud, entry.second, query)) {
                     take(entry.second);
                   }
                 }));
  }

  void Nearest(std::span<const mu_nearest_query> queries, SlotLists& lists) override {
    for (std::size_t query = 0; query < queries.size(); ++query) {
      std::uint32_t* const first = lists.At(query);
      std::uint32_t* next = first;
      m_tree.query(bgi::nearest(Point{queries[query].x, queries[query].z}, queries[query].k),
                   boost::make_function_output_iterator([&](const Entry& entry) { *next++ = entry.second; }));
      lists.counts[query] = static_cast<std::uint32_t>(next - first);
    }
  }

 private:
  using Tree = bgi::rtree<Entry, bgi::rstar<16>>;

  const Cloud* m_cloud = nullptr;
  std::vector<Entry> m_entries{};
  Tree m_tree{};
};

}  // namespace

std::unique_ptr<ISpatialSubject> MakeBoostRtree() {
  return std::make_unique<BoostRtree>();
}

}  // namespace muster::bench
