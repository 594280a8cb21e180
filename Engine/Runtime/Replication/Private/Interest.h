// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which entities a client is told of: those within its draw distance, and its own. An entity that came in goes out only
// beyond a wider radius, so that one that flies along the border does not come and go.
#pragma once

#include <cstdint>

namespace muster::replication {

class Interest {
 public:
  static constexpr double kLeaveFactor = 1.05;

  explicit Interest(double drawDistanceMeters)
      : m_enterSquared{static_cast<float>(drawDistanceMeters * drawDistanceMeters)},
        m_leaveSquared{static_cast<float>(drawDistanceMeters * drawDistanceMeters * kLeaveFactor * kLeaveFactor)} {}

  bool IsWanted(float distanceSquared, bool isWantedNow) const {
    return distanceSquared <= (isWantedNow ? m_leaveSquared : m_enterSquared);
  }

 private:
  float m_enterSquared;
  float m_leaveSquared;
};

/// Where a client sees from. Metres, as CanonicalStore has positions.
struct Viewpoint {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;

  float DistanceSquared(float toX, float toY, float toZ) const {
    const float dx = toX - x;
    const float dy = toY - y;
    const float dz = toZ - z;
    return dx * dx + dy * dy + dz * dz;
  }
};

}  // namespace muster::replication
