// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Replicated state equals authoritative state after any schedule of loss, duplication and reordering, of births, deaths
// and reused slots, of entities and clients that come and go.
#include "ReplicationHarness.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace muster::replication::testing {
namespace {

constexpr double kScheduleDraw = 10'000.0;
constexpr std::uint32_t kSchedules = 1'000;
/// A last packet may be known to be lost only after a whole ack window; then its records leave again, under the budget.
constexpr std::uint32_t kConvergenceTicks = 240;

class Schedule {
 public:
  Schedule(std::uint64_t seed, unsigned workers)
      : m_harness{{.capacity = 48, .workers = workers, .replication = {.drawDistanceMeters = kScheduleDraw}}, seed},
        m_random{m_harness.random.Fork(99)} {
    m_harness.downQuality = RandomQuality();
    m_harness.upQuality = RandomQuality();
    for (int i = 0; i < 16; ++i) {
      Birth();
    }
    for (int i = 0; i < 2; ++i) {
      Arrive();
    }
  }

  Harness& World() { return m_harness; }

  void Run(std::uint32_t ticks) {
    for (std::uint32_t i = 0; i < ticks; ++i) {
      Happen();
      m_harness.FlyAll();
      m_harness.Step();
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }

  /// The network is good from here on and the world stands still.
  void Calm() {
    m_harness.downQuality = {};
    m_harness.upQuality = {};
    for (const world::EntityHandle handle : m_harness.Living()) {
      m_harness.SetVelocity(handle, {});
    }
    for (const auto& client : m_harness.ClientList()) {
      EnsureOwn(*client);
    }
  }

 private:
  PipeQuality RandomQuality() {
    PipeQuality quality;
    quality.loss = m_random.NextChance(0.2) ? 0.0 : m_random.NextBetween(0.0, 0.3);
    quality.duplication = m_random.NextBetween(0.0, 0.2);
    quality.minDelay = static_cast<std::uint32_t>(1 + m_random.NextBelow(8));
    quality.maxDelay =
        quality.minDelay + static_cast<std::uint32_t>(m_random.NextBelow(m_random.NextChance(0.1) ? 90 : 12));
    return quality;
  }

  std::array<double, 3> Anywhere() {
    const double spread = kScheduleDraw * 1.5;
    return {m_random.NextBetween(-spread, spread), m_random.NextBetween(0.0, 3'000.0),
            m_random.NextBetween(-spread, spread)};
  }

  world::EntityHandle Birth() {
    const world::EntityHandle handle = m_harness.Spawn(Anywhere());
    if (!handle.IsNull() && m_random.NextChance(0.7)) {
      Steer(handle);
    }
    return handle;
  }

  void Steer(world::EntityHandle handle) {
    const float speed = m_random.NextChance(0.1) ? 1'500.0F : 200.0F;
    m_harness.SetVelocity(handle, {m_random.NextBetween(-speed, speed), m_random.NextBetween(-20.0F, 20.0F),
                                   m_random.NextBetween(-speed, speed)});
  }

  void EnsureOwn(TestClient& client) {
    if (!m_harness.Store().IsAlive(client.own)) {
      client.own = Birth();
      if (client.own.IsNull()) {
        // The store is full: take over one that nobody owns.
        client.own = m_harness.Living().front();
      }
    }
  }

  void Arrive() {
    TestClient& client = m_harness.Join(Birth());
    client.budgetBytes =
        m_random.NextChance(0.5) ? 0 : static_cast<std::uint32_t>(kMinBudgetBytes + m_random.NextBelow(400));
  }

  world::EntityHandle Anybody() {
    const std::vector<world::EntityHandle> living = m_harness.Living();
    return living.empty() ? world::EntityHandle{} : living[m_random.NextBelow(living.size())];
  }

  void Happen() {
    if (m_random.NextChance(0.06)) {
      Birth();
    }
    if (const world::EntityHandle victim = Anybody(); m_random.NextChance(0.06) && !victim.IsNull()) {
      m_harness.Kill(victim);
      if (m_random.NextChance(0.5)) {
        Birth();  // most likely in the slot that was just left
      }
    }
    if (const world::EntityHandle traveller = Anybody(); m_random.NextChance(0.1) && !traveller.IsNull()) {
      m_harness.Move(traveller, Anywhere());
    }
    if (const world::EntityHandle pilot = Anybody(); m_random.NextChance(0.3) && !pilot.IsNull()) {
      Steer(pilot);
    }
    auto& clients = m_harness.ClientList();
    if (m_random.NextChance(0.01) && clients.size() < 4) {
      Arrive();
    }
    if (m_random.NextChance(0.005) && clients.size() > 1) {
      m_harness.Disconnect(clients[m_random.NextBelow(clients.size())]->session);
    }
    for (const auto& client : clients) {
      if (m_random.NextChance(0.05)) {
        EnsureOwn(*client);
      }
    }
    if (m_random.NextChance(0.01)) {
      m_harness.downQuality = RandomQuality();
    }
  }

  Harness m_harness;
  Random m_random;
};

TEST(RandomSchedules, EndWithEveryClientShowingWhatIsThere) {
  std::uint32_t longest = 0;
  ReplicationStats stats;
  netclient::SnapshotReceiverStats received;
  for (std::uint64_t seed = 1; seed <= kSchedules; ++seed) {
    Schedule schedule{seed, 1};
    schedule.Run(150);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    schedule.Calm();
    const std::optional<std::uint32_t> steps = schedule.World().StepsUntilEqual(kConvergenceTicks);
    if (!steps.has_value()) {
      for (const auto& client : schedule.World().ClientList()) {
        ADD_FAILURE() << "seed " << seed << " session " << client->session.Value() << ": "
                      << schedule.World().Difference(*client);
      }
      return;
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    longest = std::max(longest, *steps);
    for (const auto& client : schedule.World().ClientList()) {
      received.overtaken += client->receiver.Stats().overtaken;
      received.withoutAnchor += client->receiver.Stats().withoutAnchor;
      received.withoutEntity += client->receiver.Stats().withoutEntity;
      EXPECT_EQ(client->receiver.Stats().impossible, 0U);
    }
    stats.Add(schedule.World().Stage().Stats());
  }
  std::printf(
      "%u schedules, longest convergence %u ticks; spawns %llu, leaves %llu, absolute %llu, anchored %llu, late %llu; "
      "overtaken %llu, without anchor %llu, without entity %llu\n",
      kSchedules, longest, static_cast<unsigned long long>(stats.spawns.records),
      static_cast<unsigned long long>(stats.leaves.records),
      static_cast<unsigned long long>(stats.absoluteUpdates.records),
      static_cast<unsigned long long>(stats.anchoredUpdates.records),
      static_cast<unsigned long long>(stats.lateUpdates), static_cast<unsigned long long>(received.overtaken),
      static_cast<unsigned long long>(received.withoutAnchor), static_cast<unsigned long long>(received.withoutEntity));
  // The schedules must have been bad enough to try every rule.
  EXPECT_GT(stats.leaves.records, 1'000U);
  EXPECT_GT(stats.lateUpdates, 1'000U);
  EXPECT_GT(stats.anchoredUpdates.records, 10'000U);
  EXPECT_GT(received.overtaken, 100U);
}

TEST(RandomSchedules, GiveBackEveryIdOnceNobodyHoldsIt) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Schedule schedule{seed, 1};
    schedule.Run(150);
    schedule.Calm();
    ASSERT_TRUE(schedule.World().StepsUntilEqual(kConvergenceTicks).has_value());
    schedule.World().Steps(kConvergenceTicks);
    std::vector<std::uint32_t> used;
    for (const world::EntityHandle handle : schedule.World().Living()) {
      used.push_back(schedule.World().Stage().NetIdOf(handle).Value());
    }
    std::sort(used.begin(), used.end());
    std::uint32_t lowest = 1;
    while (std::binary_search(used.begin(), used.end(), lowest)) {
      ++lowest;
    }
    const world::EntityHandle born = schedule.World().Spawn({0.0, 0.0, 0.0});
    if (born.IsNull()) {
      continue;
    }
    schedule.World().Step();
    EXPECT_EQ(schedule.World().Stage().NetIdOf(born).Value(), lowest) << "an id below it is held for nothing";
  }
}

TEST(RandomSchedules, MakeTheSameMessagesForAnyNumberOfWorkers) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    std::optional<std::uint64_t> expected;
    for (const unsigned workers : {1U, 2U, 3U, 4U, 7U, 8U}) {
      Schedule schedule{seed, workers};
      for (int i = 0; i < 8; ++i) {
        schedule.World().Join(schedule.World().Living().front());
      }
      schedule.Run(200);
      const std::uint64_t digest = schedule.World().MessageDigest();
      EXPECT_EQ(expected.value_or(digest), digest) << workers << " workers";
      expected = digest;
    }
  }
}

}  // namespace
}  // namespace muster::replication::testing
