// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How many bytes a record takes in flight, printed, and held to what the codec is meant to reach.
#include "ReplicationHarness.h"

#include "Core/Trigonometry.h"
#include "Core/Vector.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace muster::replication::testing {
namespace {

/// Aircraft that circle at 120 to 260 m/s, banked, with a slow change of height and throttle.
class CirclingFleet {
 public:
  CirclingFleet(Harness& harness, std::uint32_t count, double spreadMeters) : m_harness{harness} {
    Random random{77};
    for (std::uint32_t i = 0; i < count; ++i) {
      Plane plane;
      plane.handle = harness.Spawn({random.NextBetween(-spreadMeters, spreadMeters), random.NextBetween(300.0, 2'000.0),
                                    random.NextBetween(-spreadMeters, spreadMeters)});
      plane.heading = random.NextBetween(0.0F, 6.28F);
      plane.turnRate = random.NextBetween(-0.15F, 0.15F);
      plane.speed = random.NextBetween(120.0F, 260.0F);
      m_planes.push_back(plane);
    }
  }

  world::EntityHandle Any() const { return m_planes.front().handle; }

  void Fly(Tick tick) {
    const simulation::EntityColumns& columns = m_harness.Columns();
    world::EntityStore& store = m_harness.Store();
    for (Plane& plane : m_planes) {
      plane.heading += plane.turnRate / 60.0F;
      const SineCosine turn = SinCos(plane.heading);
      const float climb = 8.0F * SinCos(plane.heading * 2.0F).sine;
      m_harness.SetVelocity(plane.handle, {turn.sine * plane.speed, climb, -turn.cosine * plane.speed});
      const Quatf yaw = FromAxisAngle({0.0F, 1.0F, 0.0F}, -plane.heading);
      const Quatf bank = yaw * FromAxisAngle({0.0F, 0.0F, 1.0F}, plane.turnRate * 5.0F);
      const std::uint32_t slot = plane.handle.Slot();
      store.Column(columns.orientationX)[slot] = bank.x;
      store.Column(columns.orientationY)[slot] = bank.y;
      store.Column(columns.orientationZ)[slot] = bank.z;
      store.Column(columns.orientationW)[slot] = bank.w;
      store.Column(columns.control)[slot].throttle =
          0.6F + 0.2F * SinCos(static_cast<float>(tick.Value()) / 90.0F).sine;
    }
    m_harness.FlyAll();
  }

 private:
  struct Plane {
    world::EntityHandle handle{};
    float heading = 0.0F;
    float turnRate = 0.0F;
    float speed = 0.0F;
  };

  Harness& m_harness;
  std::vector<Plane> m_planes;
};

double BytesPerRecord(const RecordCount& count) {
  return count.records == 0 ? 0.0 : static_cast<double>(count.bits) / 8.0 / static_cast<double>(count.records);
}

void Measure(std::uint32_t entities) {
  Harness::Options options;
  options.capacity = entities + 1;
  Harness harness{options};
  harness.checksEveryMessage = false;
  CirclingFleet fleet{harness, entities, 25'000.0};
  TestClient& client = harness.Join(fleet.Any());
  harness.downQuality = {0.01, 0.0, 3, 4};
  constexpr std::uint32_t kWarmUpTicks = 240;
  constexpr std::uint32_t kTicks = 240;
  ReplicationStats before;
  for (std::uint32_t i = 0; i < kWarmUpTicks + kTicks; ++i) {
    if (i == kWarmUpTicks) {
      before = harness.Stage().Stats();
    }
    fleet.Fly(harness.Now());
    harness.Step();
  }
  const ReplicationStats& after = harness.Stage().Stats();
  const RecordCount absolute{after.absoluteUpdates.records - before.absoluteUpdates.records,
                             after.absoluteUpdates.bits - before.absoluteUpdates.bits};
  const RecordCount anchored{after.anchoredUpdates.records - before.anchoredUpdates.records,
                             after.anchoredUpdates.bits - before.anchoredUpdates.bits};
  const std::uint64_t late = after.lateUpdates - before.lateUpdates;
  const double seconds = kTicks / 60.0;
  std::printf(
      "%u entities: %.0f updates/s, %.1f KB/s of messages; anchored %llu at %.2f B, absolute %llu at %.2f B, late "
      "%llu; "
      "spawns at %.2f B\n",
      entities, static_cast<double>(absolute.records + anchored.records) / seconds,
      static_cast<double>(after.messageBytes - before.messageBytes) / seconds / 1'000.0,
      static_cast<unsigned long long>(anchored.records), BytesPerRecord(anchored),
      static_cast<unsigned long long>(absolute.records), BytesPerRecord(absolute),
      static_cast<unsigned long long>(late), BytesPerRecord(after.spawns));
  EXPECT_GT(anchored.records, 10'000U);
  EXPECT_LT(BytesPerRecord(anchored), 13.0);
  EXPECT_LT(BytesPerRecord(absolute), 25.0);
  EXPECT_GT(client.receiver.EntityCount(), entities / 2);
}

TEST(RecordSize, IsSmallForAFleetThatCircles) {
  Measure(500);
}

TEST(RecordSize, IsSmallForAFleetThatDoesNotFitIntoAPacket) {
  Measure(2'000);
}

}  // namespace
}  // namespace muster::replication::testing
