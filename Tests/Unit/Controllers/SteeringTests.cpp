// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the steering groups promise, in the air and on the ground: flocks align, columns keep their spacing, those who
// avoid keep apart. Figures are of the world, over ticks; nothing is timed.
#include "Unit/Simulation/SteppedWorld.h"

#include "Core/Random.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace muster::simulation {
namespace {

constexpr const char* kSteering = "muster.ai.steering";

class SteeringTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto loaded = world.Host().Load(kSteering);
    ASSERT_TRUE(loaded.HasValue()) << loaded.Failure().ToString();
    const auto provider = world.Host().Catalog().Find<mu_ai_controller_v0>(kSteering);
    ASSERT_TRUE(provider.HasValue());
    ASSERT_TRUE(world.controllers.Add(*provider).HasValue());
  }

  world::EntityHandle Spawn(std::string_view type, std::string_view controller, const Vec3d& position, float heading,
                            float speed) {
    return world.simulation.Spawn({.archetype = world.Archetype(type),
                                   .position = position,
                                   .headingRadians = heading,
                                   .speedMps = speed,
                                   .controller = *world.controllers.Find(controller)});
  }
  Vec3d PositionOf(world::EntityHandle handle) {
    return PositionAt(world.simulation.Store(), world.simulation.Columns(), handle.Slot());
  }
  Vec3f VelocityOf(world::EntityHandle handle) {
    return VelocityAt(world.simulation.Store(), world.simulation.Columns(), handle.Slot());
  }
  double Distance(world::EntityHandle a, world::EntityHandle b) {
    const Vec3d d = PositionOf(a) - PositionOf(b);
    return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  }

  /// 1 when all go the same way, near 0 when they go anywhere.
  double Order(const std::vector<world::EntityHandle>& members) {
    double x = 0.0;
    double z = 0.0;
    for (const auto member : members) {
      const Vec3f velocity = VelocityOf(member);
      const double speed = std::max(1e-3, std::hypot(static_cast<double>(velocity.x), static_cast<double>(velocity.z)));
      x += static_cast<double>(velocity.x) / speed;
      z += static_cast<double>(velocity.z) / speed;
    }
    return std::hypot(x, z) / static_cast<double>(members.size());
  }

  /// Of every member from the middle of them all.
  double Spread(const std::vector<world::EntityHandle>& members) {
    Vec3d middle{};
    for (const auto member : members) {
      middle = middle + PositionOf(member) * (1.0 / static_cast<double>(members.size()));
    }
    double farthest = 0.0;
    for (const auto member : members) {
      const Vec3d d = PositionOf(member) - middle;
      farthest = std::max(farthest, std::hypot(d.x, d.z));
    }
    return farthest;
  }

  std::vector<world::EntityHandle> Dispersed(std::string_view type, std::string_view controller, int count,
                                             double extent, double altitude, float speed) {
    Random random{11};
    std::vector<world::EntityHandle> members;
    for (int i = 0; i < count; ++i) {
      const int column = i % 6;
      const int row = i / 6;
      members.push_back(
          Spawn(type, controller, {extent * column, altitude, extent * row}, random.NextBetween(-2.2F, 2.2F), speed));
    }
    return members;
  }

  void ExpectAlive(const std::vector<world::EntityHandle>& members) {
    for (const auto member : members) {
      EXPECT_TRUE(world.simulation.Store().IsAlive(member)) << "slot " << member.Slot();
    }
    EXPECT_EQ(world.controllers.FallbackThinks(), 0U);
  }

  test::SteppedWorld world;
};

TEST_F(SteeringTest, AFlockInTheAirComesToFlyOneWayAndStaysTogether) {
  const auto members = Dispersed("builtin:trainer", "flock", 24, 900.0, 2'000.0, 150.0F);
  const double before = Order(members);
  world.Run(100 * kTickHz);
  const double after = Order(members);
  std::printf("flock in the air: order %.3f -> %.3f, spread %.0f m\n", before, after, Spread(members));
  EXPECT_LT(before, 0.6);
  EXPECT_GT(after, 0.95);
  EXPECT_LT(Spread(members), 6'000.0);
  ExpectAlive(members);
}

TEST_F(SteeringTest, ThoseWhoDoNotFlockStayInDisorder) {
  const auto members = Dispersed("builtin:trainer", "avoid", 24, 900.0, 2'000.0, 150.0F);
  world.Run(100 * kTickHz);
  EXPECT_LT(Order(members), 0.8) << "the order of a flock is the flock's doing";
}

TEST_F(SteeringTest, AFlockOnTheGroundComesToDriveOneWay) {
  const auto members = Dispersed("builtin:rover", "flock", 18, 25.0, 0.0, 10.0F);
  const double before = Order(members);
  world.Run(90 * kTickHz);
  const double after = Order(members);
  std::printf("flock on the ground: order %.3f -> %.3f, spread %.0f m\n", before, after, Spread(members));
  EXPECT_LT(before, 0.6);
  EXPECT_GT(after, 0.9);
  EXPECT_LT(Spread(members), 400.0);
  ExpectAlive(members);
}

/// Least and greatest distance between one and the next, over some seconds.
struct Spacing {
  double least = 1e9;
  double greatest = 0.0;
};

class ConvoyTest : public SteeringTest {
 protected:
  Spacing Watch(const std::vector<world::EntityHandle>& column, int seconds) {
    Spacing spacing;
    for (int second = 0; second < seconds; ++second) {
      world.Run(kTickHz);
      for (std::size_t i = 1; i < column.size(); ++i) {
        const double distance = Distance(column[i - 1], column[i]);
        spacing.least = std::min(spacing.least, distance);
        spacing.greatest = std::max(spacing.greatest, distance);
      }
    }
    return spacing;
  }
};

TEST_F(ConvoyTest, VehiclesHoldTheirSpacingAroundTheBend) {
  std::vector<world::EntityHandle> column;
  for (int i = 0; i < 8; ++i) {
    column.push_back(Spawn("builtin:truck", "convoy", {300.0, 0.0, 40.0 * i}, 0.0F, i == 0 ? 12.0F : 0.0F));
  }
  world.Run(60 * kTickHz);
  const Spacing spacing = Watch(column, 60);
  const double speed = static_cast<double>(Length(VelocityOf(column.front())));
  std::printf("column of trucks at %.1f m/s: %.1f to %.1f m apart\n", speed, spacing.least, spacing.greatest);
  EXPECT_GT(speed, 6.0) << "it drives";
  EXPECT_GT(spacing.least, 18.0);
  EXPECT_LT(spacing.greatest, 32.0);
  ExpectAlive(column);
}

TEST_F(ConvoyTest, CraftHoldTheirSpacingInTheAir) {
  std::vector<world::EntityHandle> column;
  for (int i = 0; i < 6; ++i) {
    column.push_back(Spawn("builtin:trainer", "convoy", {0.0, 1'000.0, 900.0 * i}, 0.0F, 150.0F));
  }
  world.Run(170 * kTickHz);
  const Spacing spacing = Watch(column, 60);
  std::printf("column of craft: %.0f to %.0f m apart\n", spacing.least, spacing.greatest);
  EXPECT_GT(spacing.least, 250.0);
  EXPECT_LT(spacing.greatest, 450.0);
  ExpectAlive(column);
}

TEST_F(ConvoyTest, ClosesUpWhenOneOfTheColumnIsGone) {
  std::vector<world::EntityHandle> column;
  for (int i = 0; i < 5; ++i) {
    column.push_back(Spawn("builtin:truck", "convoy", {300.0, 0.0, 40.0 * i}, 0.0F, 10.0F));
  }
  world.Run(40 * kTickHz);
  world.simulation.RequestDespawn(column[2]);
  column.erase(column.begin() + 2);
  world.Run(60 * kTickHz);
  const Spacing spacing = Watch(column, 30);
  EXPECT_GT(spacing.least, 12.0);
  EXPECT_LT(spacing.greatest, 45.0);
  ExpectAlive(column);
}

class AvoidTest : public SteeringTest {
 protected:
  /// The least distance that two who go for each other come to.
  double Closest(world::EntityHandle a, world::EntityHandle b, int seconds) {
    double least = 1e9;
    for (int tick = 0; tick < seconds * kTickHz; ++tick) {
      world.Run(1);
      if (!world.simulation.Store().IsAlive(a) || !world.simulation.Store().IsAlive(b)) {
        return 0.0;
      }
      least = std::min(least, Distance(a, b));
    }
    return least;
  }
};

TEST_F(AvoidTest, CraftThatMeetHeadOnPassEachOtherWide) {
  const auto north = Spawn("builtin:trainer", "avoid", {0.0, 1'500.0, 6'000.0}, 0.0F, 150.0F);
  const auto south = Spawn("builtin:trainer", "avoid", {5.0, 1'500.0, -6'000.0}, 3.14159265F, 150.0F);
  const double closest = Closest(north, south, 70);
  std::printf("head-on in the air: %.0f m\n", closest);
  EXPECT_GT(closest, 200.0);
  EXPECT_LT(PositionOf(north).z, -3'000.0) << "it went on its way";
  EXPECT_GT(PositionOf(south).z, 3'000.0);
}

TEST_F(AvoidTest, CraftThatCrossPassEachOtherWide) {
  const auto north = Spawn("builtin:trainer", "avoid", {0.0, 1'500.0, 5'000.0}, 0.0F, 150.0F);
  const auto west = Spawn("builtin:trainer", "avoid", {5'000.0, 1'500.0, 0.0}, -1.57079633F, 150.0F);
  const double closest = Closest(north, west, 60);
  std::printf("crossing in the air: %.0f m\n", closest);
  EXPECT_GT(closest, 150.0);
}

TEST_F(AvoidTest, VehiclesThatMeetHeadOnPassEachOther) {
  const auto north = Spawn("builtin:rover", "avoid", {0.0, 0.0, 150.0}, 0.0F, 12.0F);
  const auto south = Spawn("builtin:rover", "avoid", {0.5, 0.0, -150.0}, 3.14159265F, 12.0F);
  const double closest = Closest(north, south, 30);
  std::printf("head-on on the ground: %.1f m\n", closest);
  EXPECT_GT(closest, 6.0) << "their spheres are 4.4 m together";
  EXPECT_LT(PositionOf(north).z, 0.0);
  EXPECT_GT(PositionOf(south).z, 0.0);
  EXPECT_EQ(world.collision->Contacts(), 0U);
}

TEST_F(AvoidTest, ManyWhoGoForOnePointAllGetThrough) {
  std::vector<world::EntityHandle> members;
  for (int i = 0; i < 12; ++i) {
    const double angle = 6.283185307 * i / 12.0;
    members.push_back(Spawn("builtin:trainer", "avoid",
                            {6'000.0 * std::sin(angle), 1'500.0, -6'000.0 * std::cos(angle)},
                            static_cast<float>(angle + 3.14159265), 150.0F));
  }
  world.Run(90 * kTickHz);
  ExpectAlive(members);
  EXPECT_EQ(world.collision->Contacts(), 0U);
}

TEST_F(AvoidTest, TurnsBackAtTheEndOfItsLeash) {
  const auto agent = Spawn("builtin:rover", "avoid", {0.0, 0.0, 0.0}, 0.0F, 20.0F);
  double farthest = 0.0;
  for (int second = 0; second < 260; ++second) {
    world.Run(kTickHz);
    farthest = std::max(farthest, -PositionOf(agent).z);
  }
  EXPECT_GT(farthest, 1'900.0);
  EXPECT_LT(farthest, 2'200.0);
  EXPECT_GT(PositionOf(agent).z, -farthest + 500.0) << "it is on its way back";
}

}  // namespace
}  // namespace muster::simulation
