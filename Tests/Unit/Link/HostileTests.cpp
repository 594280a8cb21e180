// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkFixture.h"

#include "Core/Random.h"
#include "PeerChannel.h"
#include "Protocol/HandshakeMessages.h"

namespace muster::link {
namespace {

using Wire = std::vector<std::uint8_t>;

class Hostile : public LinkFixture {
 protected:
  Wire RandomWire(std::size_t largest) {
    Wire bytes(random.NextBelow(largest));
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.Next());
    }
    return bytes;
  }

  /// The peer still has its connection, and a message of it still arrives.
  void ExpectPlays(const Joined& joined) {
    EXPECT_EQ(joined.client->Phase(), ClientLink::State::Open);
    PollAll(*server);
    joined.client->SendReliable(Bytes("still here"));
    Steps(2, *joined.client);
    const std::vector<KeptEvent> events = PollAll(*server);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].text, "still here");
    EXPECT_EQ(events[0].event.peer, joined.peer);
  }

  Random random{2026};
};

TEST_F(Hostile, GarbageInAPeersNameIsCountedAndNeverBlamedOnIt) {
  StartServer();
  const Joined joined = Join();
  const LinkStats before = server->Stats();
  constexpr std::uint64_t kPerTick = 4;  // below what is opened at all
  for (int tick = 0; tick < 500; ++tick) {
    for (std::uint64_t i = 0; i < kPerTick; ++i) {
      Wire bytes = RandomWire(600);
      if (!bytes.empty() && random.NextChance(0.8)) {
        bytes[0] = 2;  // looks sealed
      }
      network.InjectMessage(40'000, random.NextChance(0.3) ? MU_CHANNEL_RELIABLE : MU_CHANNEL_UNRELIABLE, bytes);
    }
    Step(*joined.client);
  }
  const LinkStats after = server->Stats();
  EXPECT_EQ(after.DroppedTotal() - before.DroppedTotal(), 500 * kPerTick);
  EXPECT_GT(after.Dropped(DropReason::Forged), 1000u);
  EXPECT_GT(after.Dropped(DropReason::EnvelopeMalformed), 10u);
  EXPECT_EQ(after.packetsIn, before.packetsIn);
  ExpectPlays(joined);
}

TEST_F(Hostile, GarbageInsteadOfAHelloEndsOnlyItsOwnConnection) {
  ServerLinkConfig config = DefaultServerConfig();
  config.maxHalfOpen = 8;
  StartServer(config);
  const Joined joined = Join();
  network.onMessage = [this](test::MemoryNetwork::Flight& flight) {
    if (flight.toServer && flight.fromPort != 40'000 && flight.bytes[0] == 1) {
      if (random.NextChance(0.5)) {
        flight.bytes = RandomWire(1200);
        flight.bytes.insert(flight.bytes.begin(), {1, 1, protocol::kProtocolVersion, 0});
      } else {
        flight.bytes[random.NextBelow(flight.bytes.size() - 4) + 4] ^=
            static_cast<std::uint8_t>(1 + random.NextBelow(255));
      }
    }
    return true;
  };
  std::uint64_t refusedOrOpen = 0;
  for (int i = 0; i < 300; ++i) {
    auto client = MakeClient();
    Steps(3, *client, *joined.client);
    refusedOrOpen += client->Phase() == ClientLink::State::Handshaking ? 0u : 1u;
    client->Disconnect();
    Steps(2, *client, *joined.client);
  }
  // A changed nonce or key is no error the server could see; its keys fit nobody and it got in for nothing.
  EXPECT_EQ(refusedOrOpen, 300u);
  EXPECT_GT(server->Stats().Dropped(DropReason::HandshakeMalformed), 100u);
  EXPECT_EQ(server->Stats().halfOpen, 0u);
  network.onMessage = nullptr;
  ExpectPlays(joined);
}

TEST_F(Hostile, EveryFlippedBitOfAPacketIsRejectedAndCounted) {
  StartServer();
  const Joined joined = Join();
  Wire captured;
  network.onMessage = [&captured](test::MemoryNetwork::Flight& flight) {
    captured = flight.bytes;
    return false;  // the original is held back
  };
  joined.client->SendPacket(1, Bytes("twelve bytes"));
  Step(*joined.client);
  network.onMessage = nullptr;
  ASSERT_EQ(captured.size(), 12 + kPacketOverheadBytes);
  std::uint64_t flips = 0;
  for (std::size_t bit = 0; bit < captured.size() * 8; ++bit) {
    Wire changed = captured;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    network.InjectMessage(40'000, MU_CHANNEL_UNRELIABLE, changed);
    ++flips;
    Step(*joined.client);
  }
  EXPECT_EQ(server->Stats().DroppedTotal(), flips);
  EXPECT_EQ(server->Stats().packetsIn, 0u);
  network.InjectMessage(40'000, MU_CHANNEL_UNRELIABLE, captured);
  Step(*joined.client);
  EXPECT_EQ(server->Stats().packetsIn, 1u);  // unharmed, the original still opens
  ExpectPlays(joined);
}

TEST_F(Hostile, ReplayedTrafficChangesNothing) {
  StartServer();
  const Joined joined = Join();
  std::vector<test::MemoryNetwork::Flight> session;
  network.onMessage = [&session](test::MemoryNetwork::Flight& flight) {
    if (flight.toServer) {
      session.push_back(flight);
    }
    return true;
  };
  for (std::uint32_t i = 1; i <= 200; ++i) {
    joined.client->SendPacket(i, Bytes("input"));
    if (i % 10 == 0) {
      joined.client->SendReliable(Bytes("!message"));
    }
    Step(*joined.client);
  }
  network.onMessage = nullptr;
  PollAll(*server);
  const LinkStats before = server->Stats();
  for (const test::MemoryNetwork::Flight& flight : session) {
    network.InjectMessage(40'000, flight.channel, flight.bytes);
    Step(*joined.client);
  }
  const LinkStats after = server->Stats();
  EXPECT_TRUE(PollAll(*server).empty());
  EXPECT_EQ(after.Dropped(DropReason::Replayed) + after.Dropped(DropReason::TooOld) -
                before.Dropped(DropReason::Replayed) - before.Dropped(DropReason::TooOld),
            session.size());
  ExpectPlays(joined);
}

TEST_F(Hostile, ASessionCapturedFromOneConnectionIsForgedOnAnother) {
  StartServer();
  const Joined first = Join();
  const Joined second = Join();
  Wire captured;
  network.onMessage = [&captured](test::MemoryNetwork::Flight& flight) {
    captured = flight.bytes;
    return true;
  };
  first.client->SendReliable(Bytes("secret"));
  Step(*first.client, *second.client);
  network.onMessage = nullptr;
  network.InjectMessage(40'001, MU_CHANNEL_RELIABLE, captured);
  Step(*first.client, *second.client);
  EXPECT_EQ(server->Stats().Dropped(DropReason::Forged), 1u);
  ExpectPlays(second);
}

TEST_F(Hostile, AMissingReliableMessageEndsTheConnection) {
  StartServer();
  const Joined joined = Join();
  network.onMessage = [](test::MemoryNetwork::Flight&) { return false; };
  joined.client->SendReliable(Bytes("swallowed"));
  network.onMessage = nullptr;
  joined.client->SendReliable(Bytes("next"));
  Steps(2, *joined.client);
  const std::vector<KeptEvent> events = PollAll(*server);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].event.kind, LinkEvent::Kind::Disconnected);
  EXPECT_EQ(events[0].event.reason, DisconnectReason::ReliableGap);
}

TEST_F(Hostile, AFloodOfGenuinePacketsIsCutOffAndThenClosed) {
  StartServer();
  const Joined joined = Join();
  const Joined honest = Join();
  std::uint32_t sequence = 0;
  std::uint32_t honestSequence = 0;
  std::size_t honestGot = 0;
  for (int tick = 0; tick < 240; ++tick) {
    for (int i = 0; i < 20; ++i) {
      joined.client->SendPacket(++sequence, Bytes("flood"));
    }
    honest.client->SendPacket(++honestSequence, Bytes("play"));
    Step(*joined.client, *honest.client);
    for (const KeptEvent& kept : PollAll(*server)) {
      honestGot += kept.event.peer == honest.peer && kept.event.kind == LinkEvent::Kind::Packet ? 1u : 0u;
    }
  }
  EXPECT_EQ(honestGot, 240u);
  EXPECT_EQ(joined.client->Phase(), ClientLink::State::Closed);
  ASSERT_TRUE(joined.client->Failure().has_value());
  EXPECT_EQ(joined.client->Failure()->code.number, 3034);
  EXPECT_GT(server->Stats().Dropped(DropReason::MessageFlood), 100u);
  EXPECT_EQ(server->Stats().peers, 1u);
}

TEST_F(Hostile, TwiceTheHonestRateIsNoFlood) {
  StartServer();
  const Joined joined = Join();
  std::uint32_t sequence = 0;
  for (int tick = 0; tick < 600; ++tick) {
    for (int i = 0; i < 2; ++i) {
      joined.client->SendPacket(++sequence, Bytes("fast"));
    }
    Step(*joined.client);
    PollAll(*server);
  }
  EXPECT_EQ(server->Stats().packetsIn, 1200u);
  EXPECT_EQ(server->Stats().DroppedTotal(), 0u);
}

TEST_F(Hostile, AServerThatStoodStillDoesNotBlameItsClientsForAFlood) {
  StartServer();
  const Joined joined = Join();
  std::uint32_t sequence = 0;
  for (int tick = 0; tick < 9 * 60; ++tick) {  // the server is not serviced, and the client's silence limit is 10 s
    clock.Advance(kTick);
    joined.client->SendPacket(++sequence, Bytes("play"));
    joined.client->Service();
  }
  Steps(2, *joined.client);
  EXPECT_EQ(joined.client->Phase(), ClientLink::State::Open);
  EXPECT_EQ(server->Stats().Dropped(DropReason::MessageFlood), 0u);
  EXPECT_EQ(server->Stats().packetsIn, 540u);
}

TEST_F(Hostile, MessagesThatDoNotDecodeCloseTheirSender) {
  StartServer();
  const Joined joined = Join();
  for (int i = 0; i < 10; ++i) {
    server->ReportMalformed(joined.peer);
  }
  Steps(2, *joined.client);
  EXPECT_EQ(joined.client->Phase(), ClientLink::State::Open);
  server->ReportMalformed(joined.peer);
  server->ReportMalformed(joined.peer);
  Steps(2, *joined.client);
  EXPECT_EQ(joined.client->Phase(), ClientLink::State::Closed);
  const std::vector<KeptEvent> events = PollAll(*server);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].event.reason, DisconnectReason::Malformed);
  EXPECT_EQ(server->Stats().Dropped(DropReason::MessageMalformed), 11u);
}

TEST_F(Hostile, AReaderThatVanishedIsClosedWhenItsBacklogIsFull) {
  ServerLinkConfig config = DefaultServerConfig();
  config.reliableBacklogBytes = 20'000;
  StartServer(config);
  Joined joined = Join();
  joined.client.reset();
  for (int i = 0; i < 60; ++i) {
    server->SendReliable(joined.peer, std::vector<std::byte>(1000, std::byte{7}));
    Step();
  }
  const std::vector<KeptEvent> events = PollAll(*server);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].event.reason, DisconnectReason::Backlog);
  EXPECT_EQ(server->Stats().SendDropped(SendDropReason::Backlog), 1u);
}

TEST_F(Hostile, LogsAtMostOneLineASecondAndReason) {
  StartServer();
  const Joined joined = Join();
  const std::size_t before = sink.Entries().size();
  for (int tick = 0; tick < 120; ++tick) {
    for (int i = 0; i < 3; ++i) {
      network.InjectMessage(40'000, MU_CHANNEL_UNRELIABLE, Wire{9, 9, 9});
    }
    Step(*joined.client);
  }
  EXPECT_EQ(server->Stats().Dropped(DropReason::EnvelopeMalformed), 360u);
  EXPECT_LE(sink.Entries().size() - before, 3u);
  EXPECT_TRUE(sink.Contains("envelope_malformed"));
}

TEST_F(Hostile, AServerThatAnswersGarbageIsNamed) {
  StartServer();
  network.onMessage = [](test::MemoryNetwork::Flight& flight) {
    if (!flight.toServer) {
      flight.bytes.resize(20);
    }
    return true;
  };
  auto client = MakeClient();
  Steps(4, *client);
  ASSERT_TRUE(client->Failure().has_value());
  EXPECT_EQ(client->Failure()->code, kServerUnintelligible);
}

}  // namespace
}  // namespace muster::link
