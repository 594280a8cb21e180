// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CallbackSubject.h"
#include "SpatialPeers.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <vector>

namespace muster::bench {
namespace {

btDbvtVolume VolumeAt(const Cloud& cloud, std::uint32_t slot) {
  return btDbvtVolume::FromCR(btVector3(cloud.x[slot], cloud.y[slot], cloud.z[slot]), 0.0F);
}

template <class Take>
struct Collector : btDbvt::ICollide {
  Collector(const Cloud& points, const mu_sphere_query& sphere, Take& consumer)
      : cloud{points}, query{sphere}, take{consumer} {}

  void Process(const btDbvtNode* leaf) override {
    const auto slot = static_cast<std::uint32_t>(leaf->dataAsInt);
    if (IsWithin(cloud, slot, query)) {
      take(slot);
    }
  }

  const Cloud& cloud;
  const mu_sphere_query& query;
  Take& take;
};

class BulletDbvt final : public CallbackSubject<BulletDbvt> {
 public:
  std::string Label() const override { return "bullet"; }
  std::string Subject() const override { return "Bullet btDbvt"; }
  bool HasNearest() const override { return false; }

  void Rebuild(const Cloud& cloud) override {
    m_cloud = &cloud;
    if (m_leaves.size() == cloud.slots.size()) {
      for (const std::uint32_t slot : cloud.slots) {
        btDbvtVolume volume = VolumeAt(cloud, slot);
        m_tree.update(m_leaves[slot], volume);
      }
      return;
    }
    m_tree.clear();
    m_leaves.clear();
    for (const std::uint32_t slot : cloud.slots) {
      btDbvtNode* const leaf = m_tree.insert(VolumeAt(cloud, slot), nullptr);
      leaf->dataAsInt = static_cast<int>(slot);
      m_leaves.push_back(leaf);
    }
    m_tree.optimizeTopDown();
  }

  template <class Take>
  void ForEachWithin(const mu_sphere_query& query, Take&& take) {
    const btDbvtVolume volume = btDbvtVolume::FromCR(btVector3(query.x, query.y, query.z), query.radius);
    Collector<std::remove_reference_t<Take>> collector{*m_cloud, query, take};
    m_tree.collideTVNoStackAlloc(m_tree.m_root, volume, m_stack, collector);
  }

  void Nearest(std::span<const mu_nearest_query> /*queries*/, SlotLists& /*lists*/) override {}

 private:
  const Cloud* m_cloud = nullptr;
  btDbvt m_tree{};
  std::vector<btDbvtNode*> m_leaves{};
  btNodeStack m_stack{};
};

}  // namespace

std::unique_ptr<ISpatialSubject> MakeBulletDbvt() {
  return std::make_unique<BulletDbvt>();
}

}  // namespace muster::bench
