// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CallbackSubject.h"
#include "SpatialPeers.h"

#include <box2d/b2_dynamic_tree.h>

#include <vector>

namespace muster::bench {
namespace {

template <class Take>
struct Collector {
  bool QueryCallback(std::int32_t proxy) {
    const std::uint32_t slot = slotOf[static_cast<std::size_t>(proxy)];
    if (IsWithin(cloud, slot, query)) {
      take(slot);
    }
    return true;
  }

  const Cloud& cloud;
  const std::vector<std::uint32_t>& slotOf;
  const mu_sphere_query& query;
  Take& take;
};

b2AABB BoxAt(const Cloud& cloud, std::uint32_t slot) {
  b2AABB box;
  box.lowerBound.Set(cloud.x[slot], cloud.z[slot]);
  box.upperBound = box.lowerBound;
  return box;
}

class Box2dTree final : public CallbackSubject<Box2dTree> {
 public:
  std::string Label() const override { return "box2d"; }
  std::string Subject() const override { return "Box2D 2.4 b2DynamicTree"; }
  bool HasNearest() const override { return false; }

  void Rebuild(const Cloud& cloud) override {
    if (m_proxies.size() == cloud.slots.size()) {
      for (const std::uint32_t slot : cloud.slots) {
        const b2Vec2 step{cloud.x[slot] - m_cloud->x[slot], cloud.z[slot] - m_cloud->z[slot]};
        m_tree.MoveProxy(m_proxies[slot], BoxAt(cloud, slot), step);
      }
    } else {
      for (const std::uint32_t slot : cloud.slots) {
        const std::int32_t proxy = m_tree.CreateProxy(BoxAt(cloud, slot), nullptr);
        m_proxies.push_back(proxy);
        m_slotOf.resize(std::max(m_slotOf.size(), static_cast<std::size_t>(proxy) + 1));
        m_slotOf[static_cast<std::size_t>(proxy)] = slot;
      }
    }
    m_cloud = &cloud;
  }

  template <class Take>
  void ForEachWithin(const mu_sphere_query& query, Take&& take) const {
    b2AABB box;
    box.lowerBound.Set(query.x - query.radius, query.z - query.radius);
    box.upperBound.Set(query.x + query.radius, query.z + query.radius);
    Collector<std::remove_reference_t<Take>> collector{*m_cloud, m_slotOf, query, take};
    m_tree.Query(&collector, box);
  }

  void Nearest(std::span<const mu_nearest_query> /*queries*/, SlotLists& /*lists*/) override {}

 private:
  const Cloud* m_cloud = nullptr;
  b2DynamicTree m_tree{};
  std::vector<std::int32_t> m_proxies{};
  std::vector<std::uint32_t> m_slotOf{};  // by proxy
};

}  // namespace

std::unique_ptr<ISpatialSubject> MakeBox2dTree() {
  return std::make_unique<Box2dTree>();
}

}  // namespace muster::bench
