// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkFixture.h"

#include "LinkSim/LinkSim.h"
#include "Protocol/RefusalCodes.h"

#include <fmt/format.h>

#include <set>

namespace muster::link {
namespace {

class Traffic : public LinkFixture {};

TEST_F(Traffic, CarriesPacketsWithTheirSequenceAndAcksThem) {
  StartServer();
  const Joined joined = Join();
  server->SendPacket(joined.peer, 1, Bytes("one"));
  server->SendPacket(joined.peer, 2, Bytes("two"));
  Step(*joined.client);
  const std::vector<KeptEvent> got = PollAll(*joined.client);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].event.sequence, 1u);
  EXPECT_EQ(got[0].text, "one");
  EXPECT_EQ(got[1].event.sequence, 2u);
  ASSERT_TRUE(joined.client->SendPacket(1, Bytes("input")));
  joined.client->Service();
  Step(*joined.client);
  const std::vector<KeptEvent> back = PollAll(*server);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].event.kind, LinkEvent::Kind::Acked);
  EXPECT_EQ(back[0].event.acks.newest, 2u);
  EXPECT_EQ(back[0].event.acks.newlyAcked, 0b11u);
  ASSERT_TRUE(back[0].event.acks.roundTrip.has_value());
  EXPECT_EQ(back[1].event.kind, LinkEvent::Kind::Packet);
  EXPECT_EQ(back[1].text, "input");
}

TEST_F(Traffic, SubtractsTheHoldFromTheRoundTrip) {
  StartServer();
  const Joined joined = Join();
  server->SendPacket(joined.peer, 1, Bytes("x"));
  Step(*joined.client);
  clock.Advance(500ms);  // the client is slow to answer
  joined.client->Service();
  ASSERT_TRUE(joined.client->SendPacket(1, Bytes("y")));
  clock.Advance(40ms);
  server->Service();
  for (const KeptEvent& kept : PollAll(*server)) {
    if (kept.event.kind == LinkEvent::Kind::Acked) {
      ASSERT_TRUE(kept.event.hold.has_value());
      EXPECT_NEAR(static_cast<double>(kept.event.hold->count()), 500'000.0, 64.0);
      EXPECT_NEAR(static_cast<double>(kept.event.acks.roundTrip->count()), 40'000.0, 64.0);
      return;
    }
  }
  FAIL() << "no ack";
}

TEST_F(Traffic, CarriesLargeReliableMessagesWhole) {
  StartServer();
  const Joined joined = Join();
  const std::string large(60'000, 'z');
  server->SendReliable(joined.peer, Bytes(large));
  server->SendReliable(joined.peer, Bytes("after"));
  Steps(2, *joined.client);
  const std::vector<KeptEvent> got = PollAll(*joined.client);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].text, large);
  EXPECT_EQ(got[1].text, "after");
}

TEST_F(Traffic, CountsPacketsThatFitNoDatagram) {
  StartServer();
  const Joined joined = Join();
  const std::size_t largest = server->MaxPacketMessageBytes();
  EXPECT_EQ(largest, 1200u - test::MemoryNetwork::kOverheadBytes - 21u - 14u);
  server->SendPacket(joined.peer, 1, std::vector<std::byte>(largest));
  server->SendPacket(joined.peer, 2, std::vector<std::byte>(largest + 1));
  server->SendPacket(joined.peer, 3, std::vector<std::byte>(5000));
  Step(*joined.client);
  EXPECT_EQ(PollAll(*joined.client).size(), 1u);
  EXPECT_EQ(server->Stats().SendDropped(SendDropReason::WouldFragment), 2u);
}

TEST_F(Traffic, DisconnectsAfterWhatWasSentReliably) {
  StartServer();
  const Joined joined = Join();
  server->SendReliable(joined.peer, Bytes("goodbye"));
  server->Disconnect(joined.peer, DisconnectReason::Kicked);
  Steps(2, *joined.client);
  const std::vector<KeptEvent> got = PollAll(*joined.client);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].text, "goodbye");
  EXPECT_EQ(got[1].event.kind, LinkEvent::Kind::Disconnected);
  EXPECT_EQ(got[1].event.reason, DisconnectReason::Kicked);
  ASSERT_TRUE(joined.client->Failure().has_value());
  EXPECT_EQ(joined.client->Failure()->code, protocol::kKicked);
  const std::vector<KeptEvent> told = PollAll(*server);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].event.reason, DisconnectReason::Kicked);
  server->SendPacket(joined.peer, 1, Bytes("late"));
  Step(*joined.client);
  EXPECT_EQ(server->Stats().SendDropped(SendDropReason::NotConnected), 1u);
}

TEST_F(Traffic, TellsOfClientsThatLeaveAndOfThoseThatVanish) {
  StartServer();
  Joined leaver = Join();
  Joined vanisher = Join();
  leaver.client->Disconnect();
  Steps(2, *leaver.client);
  std::vector<KeptEvent> told = PollAll(*server);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].event.peer, leaver.peer);
  EXPECT_EQ(told[0].event.reason, DisconnectReason::Left);
  EXPECT_FALSE(leaver.client->Failure().has_value());
  vanisher.client.reset();
  Steps(620);
  told = PollAll(*server);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].event.reason, DisconnectReason::Timeout);
  EXPECT_EQ(server->Stats().peers, 0u);
}

TEST_F(Traffic, NeverGivesAPeersIdToTheNextOne) {
  StartServer();
  std::set<PeerId> seen;
  for (int i = 0; i < 50; ++i) {
    Joined joined = Join();
    EXPECT_TRUE(seen.insert(joined.peer).second);
    joined.client->Disconnect();
    Steps(2, *joined.client);
    PollAll(*server);
  }
}

TEST_F(Traffic, AcknowledgesOnlyWhatTheSimulationGets) {
  ServerLinkConfig config = DefaultServerConfig();
  config.eventRingBytes = 1;      // raised to what the largest message needs
  config.maxMessageBytes = 2048;  // so that it is small
  StartServer(config);
  ClientLinkConfig clientConfig = DefaultClientConfig();
  clientConfig.maxMessageBytes = 2048;
  const Joined joined = Join(clientConfig);
  const std::vector<std::byte> payload(900);
  for (std::uint32_t sequence = 1; sequence <= 40; ++sequence) {
    joined.client->SendPacket(sequence, payload);
    Step(*joined.client);
  }
  EXPECT_GT(server->Stats().Dropped(DropReason::EventQueueFull), 0u);
  std::set<std::uint32_t> received;
  for (const KeptEvent& kept : PollAll(*server)) {
    received.insert(kept.event.sequence);
  }
  EXPECT_LT(received.size(), 40u);
  server->SendPacket(joined.peer, 1, Bytes("ack carrier"));
  Steps(2, *joined.client);
  std::set<std::uint32_t> acked;
  for (const KeptEvent& kept : PollAll(*joined.client)) {
    for (std::uint32_t i = 0; kept.event.kind == LinkEvent::Kind::Acked && i < 64; ++i) {
      if ((kept.event.acks.newlyAcked >> i & 1u) != 0) {
        acked.insert(kept.event.acks.newest - i);
      }
    }
  }
  EXPECT_EQ(acked, received);
}

/// Two clients and the server behind a bad network, everything checked against what really arrived.
class BadWeather : public Traffic {
 protected:
  struct Side {
    std::set<std::uint32_t> sent, received, acked;
    std::uint32_t lostBelow = 1;
    std::uint32_t nextReliable = 0, nextReliableWanted = 0;
    std::uint32_t sequence = 0;
  };

  /// Ends the server before what it stands on.
  struct ServerEnds {
    std::unique_ptr<ServerLink>& server;
    ~ServerEnds() { server.reset(); }
  };

  static void Take(const std::vector<KeptEvent>& events, Side& mine, Side& theirs) {
    for (const KeptEvent& kept : events) {
      const LinkEvent& event = kept.event;
      if (event.kind == LinkEvent::Kind::Packet) {
        EXPECT_TRUE(theirs.sent.contains(event.sequence));
        EXPECT_TRUE(theirs.received.insert(event.sequence).second) << "a packet came twice";
        EXPECT_EQ(kept.text, fmt::format("p{}", event.sequence));
      } else if (event.kind == LinkEvent::Kind::Message) {
        EXPECT_EQ(kept.text, fmt::format("r{}", theirs.nextReliableWanted));
        ++theirs.nextReliableWanted;
      } else if (event.kind == LinkEvent::Kind::Acked) {
        for (std::uint32_t i = 0; i < 64; ++i) {
          if ((event.acks.newlyAcked >> i & 1u) != 0) {
            const std::uint32_t sequence = event.acks.newest - i;
            EXPECT_TRUE(mine.received.contains(sequence)) << "acked what never arrived";
            EXPECT_TRUE(mine.acked.insert(sequence).second) << "acked twice";
            EXPECT_GE(sequence, mine.lostBelow) << "acked after it was called lost";
          }
        }
        EXPECT_GE(event.acks.lostBelow, mine.lostBelow);
        mine.lostBelow = event.acks.lostBelow;
      } else {
        ADD_FAILURE() << "no other event is due";
      }
    }
  }
};

TEST_F(BadWeather, DeliversReliableMessagesOnceInOrderAndAcksTruly) {
  linksim::LinkConditions bad;
  bad.loss = 0.2;
  bad.duplicate = 0.2;
  bad.reorder = 0.1;
  bad.delay = 60ms;
  bad.jitter = 40ms;
  linksim::LinkSim sim(network.Source(), {bad, bad, 7}, clock);
  const ServerEnds serverEnds{server};
  ServerLinkConfig config = DefaultServerConfig();
  config.maxPeers = 2;
  StartServer(sim.Source(), config);
  std::array<std::unique_ptr<ClientLink>, 2> clients{MakeClient(), MakeClient()};
  std::map<PeerId, std::size_t> index;
  for (int i = 0; i < 120 && index.size() < 2; ++i) {
    Step(*clients[0], *clients[1]);
    for (const KeptEvent& kept : PollAll(*server)) {
      ASSERT_EQ(kept.event.kind, LinkEvent::Kind::Connected);
      index.emplace(kept.event.peer, kept.event.address.port - 40'000u);
    }
  }
  ASSERT_EQ(index.size(), 2u);
  for (int i = 0; i < 60; ++i) {
    Step(*clients[0], *clients[1]);
  }
  PollAll(*clients[0]);
  PollAll(*clients[1]);
  std::array<Side, 2> down;
  std::array<Side, 2> up;
  constexpr int kTicks = 1500;
  for (int tick = 0; tick < kTicks + 120; ++tick) {
    for (const auto& [peer, i] : index) {
      if (tick < kTicks || tick > kTicks + 60) {  // a last few packets carry the last acks
        down[i].sent.insert(++down[i].sequence);
        server->SendPacket(peer, down[i].sequence, Bytes(fmt::format("p{}", down[i].sequence)));
        up[i].sent.insert(++up[i].sequence);
        clients[i]->SendPacket(up[i].sequence, Bytes(fmt::format("p{}", up[i].sequence)));
      }
      if (tick < kTicks && tick % 5 == 0) {
        server->SendReliable(peer, Bytes(fmt::format("r{}", down[i].nextReliable++)));
        clients[i]->SendReliable(Bytes(fmt::format("r{}", up[i].nextReliable++)));
      }
    }
    server->Wake();
    Step(*clients[0], *clients[1]);
    std::array<std::vector<KeptEvent>, 2> ofServer;
    for (KeptEvent& kept : PollAll(*server)) {
      ofServer[index.at(kept.event.peer)].push_back(std::move(kept));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      Take(ofServer[i], down[i], up[i]);
      Take(PollAll(*clients[i]), up[i], down[i]);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Side* side : {&down[i], &up[i]}) {
      EXPECT_EQ(side->nextReliableWanted, side->nextReliable);
      const double arrived = static_cast<double>(side->received.size()) / static_cast<double>(side->sent.size());
      EXPECT_GT(arrived, 0.70);
      EXPECT_LT(arrived, 0.90);
      // Nearly all that arrived is known to have arrived: an ack is repeated in 64 headers.
      EXPECT_GT(side->acked.size() + 80, side->received.size());
    }
  }
  EXPECT_GT(sim.Stats().lost, 1000u);
  EXPECT_GT(server->Stats().Dropped(DropReason::Replayed), 100u);
  EXPECT_EQ(server->Stats().Dropped(DropReason::Forged), 0u);
  EXPECT_GT(server->Stats().packetsLost, 100u);
}

}  // namespace
}  // namespace muster::link
