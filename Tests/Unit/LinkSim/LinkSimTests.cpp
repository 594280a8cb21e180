// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkSim/LinkSim.h"

#include "Core/Clock.h"
#include "Link/TransportHandle.h"
#include "Support/MemoryTransport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace muster::linksim {
namespace {

using namespace std::chrono_literals;

TEST(Decide, GivesTheSameAnswerForTheSameSeedAndIndexOnly) {
  LinkConditions bad;
  bad.loss = 0.5;
  bad.jitter = 1s;
  int differences = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Fate once = Decide(bad, 7, i);
    const Fate again = Decide(bad, 7, i);
    ASSERT_EQ(once.isLost, again.isLost);
    ASSERT_EQ(once.delay, again.delay);
    differences += once.isLost != Decide(bad, 8, i).isLost ? 1 : 0;
  }
  EXPECT_GT(differences, 400);
  EXPECT_LT(differences, 600);
}

TEST(Decide, KeepsToItsProbabilities) {
  LinkConditions bad;
  bad.loss = 0.2;
  bad.duplicate = 0.1;
  bad.reorder = 0.3;
  bad.delay = 100ms;
  bad.jitter = 50ms;
  int lost = 0;
  int duplicated = 0;
  int reordered = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const Fate fate = Decide(bad, 1, i);
    lost += fate.isLost ? 1 : 0;
    duplicated += fate.isDuplicated ? 1 : 0;
    reordered += fate.isReordered ? 1 : 0;
    ASSERT_GE(fate.delay, 100ms);
    ASSERT_LT(fate.delay, 150ms + (fate.isReordered ? 30ms : 0ms));
  }
  EXPECT_NEAR(lost, 4000, 250);
  EXPECT_NEAR(duplicated, 2000, 200);
  EXPECT_NEAR(reordered, 6000, 300);
}

TEST(Decide, LosesNothingByDefaultAndEverythingAtOne) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Fate good = Decide({}, 3, i);
    ASSERT_FALSE(good.isLost || good.isDuplicated || good.isReordered);
    ASSERT_EQ(good.delay, 0ns);
    ASSERT_TRUE(Decide({.loss = 1.0}, 3, i).isLost);
  }
}

TEST(Decide, TurnsALossIntoAResendOnTheReliableChannel) {
  LinkConditions bad;
  bad.loss = 1.0;
  bad.delay = 100ms;
  EXPECT_EQ(DecideReliableDelay(bad, 1, 0), 300ms);
  bad.loss = 0;
  EXPECT_EQ(DecideReliableDelay(bad, 1, 0), 100ms);
}

/// A client behind a LinkSim, a bare server, and what arrives at either.
class SimFixture : public ::testing::Test {
 protected:
  struct Arrived {
    std::uint32_t kind = 0;
    std::uint32_t channel = 0;
    std::uint32_t number = 0;
    MonotonicTime at{};
  };

  static mu_transport_params Params() {
    mu_transport_params params{};
    params.struct_size = sizeof params;
    params.max_connections = 4;
    params.max_datagram_bytes = 1200;
    params.reliable_backlog_bytes = 1 << 20;
    params.max_message_bytes = 65'536;
    params.timeout_ms = 10'000;
    return params;
  }

  void Start(const LinkSimConfig& config) {
    sim.emplace(network.Source(), config, clock);
    server = std::move(link::TransportHandle::Create(network.Source(), Params())).Value();
    ASSERT_TRUE(server.Listen(test::MemoryNetwork::Address(5)).HasValue());
    client = std::move(link::TransportHandle::Create(sim->Source(), Params())).Value();
    connection = *client.Connect(test::MemoryNetwork::Address(5));
    for (int i = 0; i < 200 && serverConnection == 0; ++i) {
      Step();
    }
    for (int i = 0; i < 100; ++i) {
      Step();
    }
    ASSERT_NE(serverConnection, 0u);
    atServer.clear();
    atClient.clear();
  }

  void Receive(link::TransportHandle& transport, std::vector<Arrived>& arrived) {
    std::array<mu_transport_event, 16> events{};
    std::uint32_t count = 16;
    while (count == 16) {
      ASSERT_EQ(transport.Service(events, count), MU_OK);
      for (std::uint32_t i = 0; i < count; ++i) {
        Arrived one{events[i].kind, events[i].channel, 0, clock.Now()};
        if (events[i].kind == MU_TRANSPORT_EVENT_MESSAGE) {
          ASSERT_EQ(events[i].message.size, 4u);
          std::memcpy(&one.number, events[i].message.data, 4);
        }
        if (events[i].kind == MU_TRANSPORT_EVENT_CONNECTED && &transport == &server) {
          serverConnection = events[i].connection;
        }
        arrived.push_back(one);
      }
    }
  }

  void Step() {
    clock.Advance(5ms);
    Receive(client, atClient);
    client.Flush();
    Receive(server, atServer);
    server.Flush();
  }

  static void SendNumber(link::TransportHandle& from, mu_connection to, std::uint32_t channel, std::uint32_t number) {
    mu_transport_send item{to, channel, MU_E_FAILED, {reinterpret_cast<const std::uint8_t*>(&number), 4}};
    from.Send(std::span(&item, 1));
    ASSERT_EQ(item.status, MU_OK);
  }

  static std::vector<std::uint32_t> Numbers(const std::vector<Arrived>& arrived, std::uint32_t channel) {
    std::vector<std::uint32_t> numbers;
    for (const Arrived& one : arrived) {
      if (one.kind == MU_TRANSPORT_EVENT_MESSAGE && one.channel == channel) {
        numbers.push_back(one.number);
      }
    }
    return numbers;
  }

  ManualClock clock{MonotonicTime{} + 1s};
  test::MemoryNetwork network{clock};
  std::optional<LinkSim> sim;
  link::TransportHandle server;
  link::TransportHandle client;
  mu_connection connection = 0;
  mu_connection serverConnection = 0;
  std::vector<Arrived> atServer;
  std::vector<Arrived> atClient;
};

LinkConditions Stormy() {
  LinkConditions bad;
  bad.loss = 0.25;
  bad.duplicate = 0.25;
  bad.reorder = 0.3;
  bad.delay = 50ms;
  bad.jitter = 30ms;
  return bad;
}

TEST_F(SimFixture, PassesEverythingInOrderWhenTheWeatherIsGood) {
  Start({});
  for (std::uint32_t i = 0; i < 100; ++i) {
    SendNumber(client, connection, i % 2 == 0 ? MU_CHANNEL_RELIABLE : MU_CHANNEL_UNRELIABLE, i);
    SendNumber(server, serverConnection, i % 2 == 0 ? MU_CHANNEL_RELIABLE : MU_CHANNEL_UNRELIABLE, i);
  }
  Step();
  Step();
  EXPECT_EQ(atServer.size(), 100u);
  EXPECT_EQ(atClient.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(Numbers(atServer, MU_CHANNEL_UNRELIABLE)));
}

TEST_F(SimFixture, KeepsTheReliableChannelWholeAndInOrder) {
  Start({Stormy(), Stormy(), 11});
  constexpr std::uint32_t kMessages = 500;
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    SendNumber(client, connection, MU_CHANNEL_RELIABLE, i);
    SendNumber(server, serverConnection, MU_CHANNEL_RELIABLE, i);
    Step();
  }
  for (int i = 0; i < 100; ++i) {
    Step();
  }
  std::vector<std::uint32_t> wanted(kMessages);
  std::iota(wanted.begin(), wanted.end(), 0u);
  EXPECT_EQ(Numbers(atServer, MU_CHANNEL_RELIABLE), wanted);
  EXPECT_EQ(Numbers(atClient, MU_CHANNEL_RELIABLE), wanted);
}

TEST_F(SimFixture, MakesTheUnreliableChannelSufferEverything) {
  Start({Stormy(), {}, 11});
  constexpr std::uint32_t kMessages = 4000;
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    SendNumber(client, connection, MU_CHANNEL_UNRELIABLE, i);
    Step();
  }
  for (int i = 0; i < 50; ++i) {
    Step();
  }
  const std::vector<std::uint32_t> numbers = Numbers(atServer, MU_CHANNEL_UNRELIABLE);
  const std::set<std::uint32_t> distinct(numbers.begin(), numbers.end());
  EXPECT_NEAR(static_cast<double>(distinct.size()), 3000.0, 120.0);
  EXPECT_NEAR(static_cast<double>(numbers.size() - distinct.size()), 750.0, 100.0);
  EXPECT_FALSE(std::ranges::is_sorted(numbers));
  const LinkSimStats stats = sim->Stats();
  EXPECT_EQ(stats.offered, kMessages);
  EXPECT_EQ(stats.lost, kMessages - distinct.size());
  EXPECT_EQ(stats.delivered, numbers.size());
  EXPECT_EQ(stats.delivered, stats.offered - stats.lost + stats.duplicated);
  EXPECT_GT(stats.reordered, 800u);
}

TEST_F(SimFixture, DelaysByVirtualTimeAlone) {
  LinkConditions slow;
  slow.delay = 200ms;
  Start({slow, {}, 1});
  SendNumber(client, connection, MU_CHANNEL_UNRELIABLE, 1);
  const MonotonicTime sent = clock.Now();
  client.Flush();
  for (int i = 0; i < 38; ++i) {
    Step();
  }
  EXPECT_TRUE(atServer.empty());
  for (int i = 0; i < 4; ++i) {
    Step();
  }
  ASSERT_EQ(atServer.size(), 1u);
  EXPECT_GE(atServer[0].at - sent, 200ms);
  EXPECT_LE(atServer[0].at - sent, 210ms);
}

TEST_F(SimFixture, EndsAConnectionAfterItsReliableMessages) {
  Start({Stormy(), Stormy(), 5});
  for (std::uint32_t i = 0; i < 20; ++i) {
    SendNumber(client, connection, MU_CHANNEL_RELIABLE, i);
  }
  client.Disconnect(connection, 1);
  for (int i = 0; i < 100; ++i) {
    Step();
  }
  ASSERT_EQ(atServer.size(), 21u);
  EXPECT_EQ(atServer.back().kind, MU_TRANSPORT_EVENT_DISCONNECTED);
  ASSERT_FALSE(atClient.empty());
  EXPECT_EQ(atClient.back().kind, MU_TRANSPORT_EVENT_DISCONNECTED);
}

TEST_F(SimFixture, RefusesWhatFitsNoDatagramAsTheWrappedTransportDoes) {
  Start({Stormy(), {}, 5});
  const std::vector<std::uint8_t> large(1200);
  mu_transport_send item{connection, MU_CHANNEL_UNRELIABLE, MU_OK, {large.data(), large.size()}};
  client.Send(std::span(&item, 1));
  EXPECT_EQ(item.status, MU_E_WOULD_FRAGMENT);
  EXPECT_EQ(sim->Stats().offered, 0u);
}

std::vector<std::uint32_t> RunOnce(std::uint64_t seed) {
  class Run : public SimFixture {
   public:
    void TestBody() override {}
    std::vector<std::uint32_t> Go(std::uint64_t theSeed) {
      Start({Stormy(), Stormy(), theSeed});
      for (std::uint32_t i = 0; i < 300; ++i) {
        SendNumber(client, connection, MU_CHANNEL_UNRELIABLE, i);
        // Traffic of the other channel must not move the decisions of this one.
        if (theSeed % 2 == 0 || i % 3 == 0) {
          SendNumber(client, connection, MU_CHANNEL_RELIABLE, i);
        }
        Step();
      }
      return Numbers(atServer, MU_CHANNEL_UNRELIABLE);
    }
  };
  return Run().Go(seed);
}

TEST(LinkSim, RepeatsItselfForTheSameSeed) {
  EXPECT_EQ(RunOnce(21), RunOnce(21));
  EXPECT_NE(RunOnce(21), RunOnce(22));
}

}  // namespace
}  // namespace muster::linksim
