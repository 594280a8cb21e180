// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkFixture.h"

#include "Link/Address.h"
#include "Protocol/RefusalCodes.h"

namespace muster::link {
namespace {

class Handshake : public LinkFixture {
 protected:
  Error FailureOf(const ClientLinkConfig& config) {
    auto client = MakeClient(config);
    Steps(4, *client);
    EXPECT_EQ(client->Phase(), ClientLink::State::Closed);
    EXPECT_TRUE(client->Failure().has_value());
    EXPECT_EQ(CountKind(PollAll(*client), LinkEvent::Kind::Connected), 0u);
    EXPECT_EQ(CountKind(PollAll(*server), LinkEvent::Kind::Connected), 0u);
    return client->Failure().value_or(Error{});
  }
};

TEST_F(Handshake, ConnectsBothEndsAndTellsTheCodec) {
  StartServer();
  auto client = MakeClient();
  Steps(4, *client);
  const std::vector<KeptEvent> events = PollAll(*server);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].event.kind, LinkEvent::Kind::Connected);
  EXPECT_EQ(events[0].text, "muster.codec.raw");
  EXPECT_EQ(FormatAddress(events[0].event.address), "127.0.0.1:40000");
  EXPECT_EQ(client->Phase(), ClientLink::State::Open);
  EXPECT_EQ(server->Stats().peers, 1u);
  EXPECT_EQ(server->Stats().halfOpen, 0u);
}

TEST_F(Handshake, RefusesAnotherVersionNamingBothAndTheOlderSide) {
  StartServer();
  ClientLinkConfig config = DefaultClientConfig();
  config.protocolVersion = protocol::kProtocolVersion + 1;
  const Error newer = FailureOf(config);
  EXPECT_EQ(newer.code, protocol::kProtocolVersionMismatch);
  EXPECT_NE(newer.sentence.find("server speaks version 1, the client version 2; the server is the older"),
            std::string::npos)
      << newer.sentence;
  config.protocolVersion = 0;
  EXPECT_NE(FailureOf(config).sentence.find("the client is the older"), std::string::npos);
  EXPECT_EQ(server->Stats().Dropped(DropReason::HandshakeRefused), 2u);
}

TEST_F(Handshake, RefusesAnotherPluginSetNamingTheDifference) {
  StartServer();
  ClientLinkConfig config = DefaultClientConfig();
  config.identity.lockDigest[0] = std::byte{0xCD};
  config.identity.plugins = {{"muster.codec.raw", "1.1.0"}, {"mod.extra", "0.1.0"}};
  const Error failure = FailureOf(config);
  EXPECT_EQ(failure.code, protocol::kPluginSetDiffers);
  EXPECT_NE(failure.sentence.find("muster.codec.raw is 1.0.0 on the server and 1.1.0 on the client"),
            std::string::npos);
  EXPECT_NE(failure.sentence.find("mod.extra 0.1.0 is missing on the server"), std::string::npos);
  EXPECT_FALSE(failure.action.empty());
}

TEST_F(Handshake, RefusesAnotherCodec) {
  StartServer();
  ClientLinkConfig config = DefaultClientConfig();
  config.identity.codecWireVersion = 9;
  EXPECT_EQ(FailureOf(config).code, protocol::kCodecMissing);
}

TEST_F(Handshake, RefusesWhenFull) {
  ServerLinkConfig config = DefaultServerConfig();
  config.maxPeers = 1;
  StartServer(config);
  const Joined first = Join();
  const Error failure = FailureOf(DefaultClientConfig());
  EXPECT_EQ(failure.code, protocol::kServerFull);
  EXPECT_EQ(first.client->Phase(), ClientLink::State::Open);
}

TEST_F(Handshake, AnswersWithLessThanItReceived) {
  StartServer();
  std::size_t fromClient = 0;
  std::size_t fromServer = 0;
  network.onMessage = [&](test::MemoryNetwork::Flight& flight) {
    (flight.toServer ? fromClient : fromServer) += flight.bytes.size();
    return true;
  };
  ClientLinkConfig config = DefaultClientConfig();
  config.identity.lockDigest[5] = std::byte{1};
  for (int i = 0; i < 7; ++i) {
    config.identity.plugins.push_back({std::string(64, static_cast<char>('a' + i)), std::string(24, '9')});
  }
  FailureOf(config);
  EXPECT_GT(fromServer, 0u);
  EXPECT_LE(fromServer, fromClient);
}

TEST_F(Handshake, EndsWhenAHelloWasChangedOnTheWay) {
  StartServer();
  network.onMessage = [](test::MemoryNetwork::Flight& flight) {
    if (!flight.toServer && flight.bytes.size() > 30 && flight.bytes[0] == 1) {
      flight.bytes[30] ^= 1;  // within the server's public key
    }
    return true;
  };
  auto client = MakeClient();
  Steps(4, *client);
  PollAll(*server);
  network.onMessage = nullptr;
  // Both believe to be connected, but nothing either seals opens at the other.
  if (client->Phase() == ClientLink::State::Open) {
    const std::vector<std::byte> hello = Bytes("?hello");
    client->SendReliable(hello);
    Steps(2, *client);
  }
  EXPECT_EQ(CountKind(PollAll(*server), LinkEvent::Kind::Message), 0u);
  EXPECT_EQ(server->Stats().messagesIn, 0u);
}

TEST_F(Handshake, ClosesConnectionsThatSayNothing) {
  StartServer();
  network.onMessage = [](test::MemoryNetwork::Flight& flight) { return !flight.toServer; };  // the hello is swallowed
  ClientLinkConfig patient = DefaultClientConfig();
  patient.connectTimeout = 20s;
  auto client = MakeClient(patient);
  Steps(4, *client);
  EXPECT_EQ(server->Stats().halfOpen, 1u);
  Steps(300, *client);  // five seconds
  EXPECT_EQ(server->Stats().halfOpen, 0u);
  EXPECT_EQ(server->Stats().Dropped(DropReason::HandshakeTimeout), 1u);
  EXPECT_EQ(network.ConnectionsOf(kPort), 0u);
  ASSERT_EQ(client->Phase(), ClientLink::State::Closed);
  EXPECT_EQ(client->Failure()->code, protocol::kHandshakeTimeout);
}

TEST_F(Handshake, BoundsHalfOpenConnections) {
  ServerLinkConfig config = DefaultServerConfig();
  config.maxHalfOpen = 3;
  StartServer(config);
  network.onMessage = [](test::MemoryNetwork::Flight& flight) { return !flight.toServer; };
  std::vector<std::unique_ptr<ClientLink>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(MakeClient());
    Step(*clients.back());
  }
  EXPECT_EQ(server->Stats().halfOpen, 3u);
  EXPECT_EQ(server->Stats().Dropped(DropReason::HalfOpenLimit), 5u);
  network.onMessage = nullptr;
  Steps(320);
  Join();  // the places are free again
}

TEST_F(Handshake, SpreadsKeyExchangesOverPasses) {
  ServerLinkConfig config = DefaultServerConfig();
  config.keyExchangesPerPass = 2;
  StartServer(config);
  std::vector<std::unique_ptr<ClientLink>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(MakeClient());
    clients.back()->Service();
  }
  Step();
  EXPECT_EQ(server->Stats().peers, 2u);
  EXPECT_TRUE(server->HasWork());
  Steps(2);
  EXPECT_EQ(server->Stats().peers, 5u);
  EXPECT_FALSE(server->HasWork());
}

TEST_F(Handshake, NamesTheSilenceOfAServerThatIsNotThere) {
  StartServer();
  network.onMessage = [](test::MemoryNetwork::Flight&) { return false; };
  auto client = MakeClient();
  for (int i = 0; i < 301; ++i) {
    clock.Advance(kTick);
    client->Service();
  }
  ASSERT_TRUE(client->Failure().has_value());
  EXPECT_EQ(client->Failure()->code, kNoAnswer);
  EXPECT_NE(client->Failure()->sentence.find("127.0.0.1:4778"), std::string::npos);
}

TEST_F(Handshake, NamesARefusedConnection) {
  ClientLink client(network.Source(), DefaultClientConfig(), clock);
  ASSERT_TRUE(client.Connect(test::MemoryNetwork::Address(1)).HasValue());
  client.Service();
  ASSERT_TRUE(client.Failure().has_value());
  EXPECT_EQ(client.Failure()->code, kConnectionRefused);
}

TEST_F(Handshake, NamesAPortInUse) {
  StartServer();
  ServerLink second(network.Source(), DefaultServerConfig(), clock, Logger(sink, "Link"));
  const Result<mu_address> bound = second.Listen(test::MemoryNetwork::Address(kPort));
  ASSERT_FALSE(bound.HasValue());
  EXPECT_EQ(bound.Failure().code, kAddressInUse);
}

TEST_F(Handshake, SaysAtStartThatIdentitiesAreNotProven) {
  StartServer();
  EXPECT_TRUE(sink.Contains("identities are not proven"));
}

TEST_F(Handshake, WarnsWhenOtherMachinesCanReachIt) {
  ServerLink open(network.Source(), DefaultServerConfig(), clock, Logger(sink, "Link"));
  mu_address any = test::MemoryNetwork::Address(99);
  any.ip[12] = any.ip[15] = 0;
  ASSERT_TRUE(open.Listen(any).HasValue());
  EXPECT_TRUE(sink.Contains("identities are NOT proven"));
}

}  // namespace
}  // namespace muster::link
