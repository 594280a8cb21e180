// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What Transport.h promises of connections, kept by every transport.
#include <set>

#include "TransportBench.h"

namespace muster::conformance {
namespace {

TEST_P(TransportTest, ReportsBothSidesOfAConnection) {
  End server{Table()};
  End client{Table()};
  const std::uint16_t port = server.Listen();
  const mu_connection connection = Join(server, client, port);
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_CONNECTED).connection, connection);
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_CONNECTED).address.port, port);
  EXPECT_NE(server.First(MU_TRANSPORT_EVENT_CONNECTED).connection, 0u);
  EXPECT_NE(server.First(MU_TRANSPORT_EVENT_CONNECTED).address.port, 0u);
  EXPECT_EQ(server.Stats().connections, 1u);
}

TEST_P(TransportTest, DeliversWhatWasQueuedReliablyBeforeTheFarewell) {
  End server{Table()};
  End client{Table()};
  mu_connection accepted = 0;
  const mu_connection connection = Join(server, client, server.Listen(), &accepted);
  EXPECT_EQ(server.Send(accepted, MU_CHANNEL_RELIABLE, "goodbye"), MU_OK);
  server.Disconnect(accepted, 3'007);
  EXPECT_EQ(server.Send(accepted, MU_CHANNEL_RELIABLE, "too late"), MU_E_NOT_CONNECTED);
  ASSERT_TRUE(PumpUntil({&server, &client}, [&] {
    return server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0 && client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0;
  }));
  EXPECT_EQ(client.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"goodbye"});
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_BY_PEER);
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).detail, 3'007u);
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).connection, connection);
  EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_LOCAL);
  EXPECT_EQ(client.Events().back().event.kind, MU_TRANSPORT_EVENT_DISCONNECTED);
  PumpFor({&server, &client}, 200);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 1u);
  EXPECT_EQ(client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 1u);
}

TEST_P(TransportTest, TimesOutByTheHostsClock) {
  End server{Table()};
  auto client = std::make_unique<End>(Table());
  Join(server, *client, server.Listen());
  client.reset();
  PumpFor({&server}, DefaultParams().timeout_ms - 600);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
  EXPECT_TRUE(PumpUntil(
      {&server}, [&] { return server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; }, 1'000));
  EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_TIMEOUT);
  EXPECT_EQ(server.Stats().connections, 0u);
}

TEST_P(TransportTest, KeepsAQuietConnectionAlive) {
  End server{Table()};
  End client{Table()};
  Join(server, client, server.Listen());
  PumpFor({&server, &client}, 4 * DefaultParams().timeout_ms, 16);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
  EXPECT_EQ(client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

TEST_P(TransportTest, ReportsAConnectionThatFindsNobodyAsRefused) {
  End client{Table()};
  std::uint16_t port = 0;
  {
    End gone{Table()};
    port = gone.Listen();
  }
  const mu_connection connection = client.Connect(port);
  PumpUntil(
      {&client}, [&] { return !client.Events().empty(); }, DefaultParams().timeout_ms + 500);
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_REFUSED);
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).connection, connection);
}

TEST_P(TransportTest, EndsAnOpeningConnectionOnRequest) {
  End client{Table()};
  const mu_connection connection = client.Connect(9);
  client.Disconnect(connection, 0);
  client.Service();
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_LOCAL);
}

TEST_P(TransportTest, NamesThePortThatIsInUse) {
  End server{Table()};
  const std::uint16_t port = server.Listen();
  End second{Table()};
  const mu_address bind = LocalAddress(port);
  mu_address bound{};
  EXPECT_EQ(Table().listen(second.Raw(), &bind, &bound), MU_E_ADDRESS_IN_USE);
  EXPECT_NE(TransportLibrary::LastError().find(std::to_string(port)), std::string::npos);
}

TEST_P(TransportTest, LimitsConnectionsPerAddress) {
  mu_transport_params params = DefaultParams();
  params.max_connections_per_ip = 2;
  End server{Table(), params};
  const std::uint16_t port = server.Listen();
  End first{Table()};
  End second{Table()};
  End third{Table()};
  Join(server, first, port);
  Join(server, second, port);
  third.Connect(port);
  PumpUntil(
      {&server, &first, &second, &third}, [&] { return !third.Events().empty(); }, DefaultParams().timeout_ms + 500);
  EXPECT_EQ(third.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_REFUSED);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 2u);
  EXPECT_GT(server.Stats().refused_connections, 0u);
}

TEST_P(TransportTest, GivesAPlaceFreeAgainToTheNextAndNeverTheSameName) {
  mu_transport_params params = DefaultParams();
  params.max_connections = 1;
  End server{Table(), params};
  const std::uint16_t port = server.Listen();
  std::set<mu_connection> names;
  for (int i = 0; i < 5; ++i) {
    End client{Table()};
    mu_connection accepted = 0;
    const mu_connection connection = Join(server, client, port, &accepted);
    names.insert(accepted);
    client.Disconnect(connection, 0);
    ASSERT_TRUE(PumpUntil({&client, &server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; }));
    PumpFor({&server}, 50);
  }
  EXPECT_EQ(names.size(), 5u);
  EXPECT_EQ(server.Stats().refused_messages, 0u);
}

TEST_P(TransportTest, IgnoresNamesThatEndedOrNeverWere) {
  End server{Table()};
  server.Listen();
  EXPECT_EQ(server.Send(0, MU_CHANNEL_RELIABLE, "x"), MU_E_NOT_CONNECTED);
  EXPECT_EQ(server.Send(77, MU_CHANNEL_UNRELIABLE, "x"), MU_E_NOT_CONNECTED);
  EXPECT_EQ(server.Send(UINT64_MAX, MU_CHANNEL_RELIABLE, "x"), MU_E_NOT_CONNECTED);
  server.Disconnect(77, 0);
  server.Service();
  EXPECT_TRUE(server.Events().empty());
}

TEST_P(TransportTest, RefusesParametersOutOfRange) {
  const auto statusWith = [this](auto change) {
    mu_transport_params params = DefaultParams();
    change(params);
    mu_transport* self = nullptr;
    const mu_status status = Table().create(&params, &self);
    EXPECT_EQ(self, nullptr);
    return status;
  };
  EXPECT_EQ(statusWith([](auto& params) { params.max_connections = 0; }), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(statusWith([](auto& params) { params.max_connections = 4'097; }), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(statusWith([](auto& params) { params.max_datagram_bytes = 575; }), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(statusWith([](auto& params) { params.max_datagram_bytes = 1'401; }), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(statusWith([](auto& params) { params.reliable_backlog_bytes = 1'000; }), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(statusWith([](auto& params) { params.struct_size = 8; }), MU_E_INVALID_ARGUMENT);
}

TEST_P(TransportTest, TellsThePeerTheReasonToTheBit) {
  End server{Table()};
  const std::uint16_t port = server.Listen();
  for (const std::uint32_t detail : {0u, 1u, 0x8000'0001u, UINT32_MAX}) {
    End client{Table()};
    server.ForgetEvents();
    const mu_connection connection = Join(server, client, port);
    client.Disconnect(connection, detail);
    ASSERT_TRUE(PumpUntil({&client, &server}, [&] { return server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; }));
    EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_BY_PEER);
    EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_DISCONNECTED).detail, detail);
    PumpFor({&client, &server}, 100);
  }
}

TEST_P(TransportTest, EndsOnceWhenBothSidesSayFarewellAtOnce) {
  End server{Table()};
  End client{Table()};
  mu_connection accepted = 0;
  const mu_connection connection = Join(server, client, server.Listen(), &accepted);
  client.Disconnect(connection, 1);
  server.Disconnect(accepted, 2);
  PumpUntil(
      {&client, &server}, [&] { return server.Stats().connections == 0 && client.Stats().connections == 0; }, 2'000);
  PumpFor({&client, &server}, 200);
  EXPECT_EQ(client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 1u);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 1u);
  EXPECT_EQ(server.Stats().connections, 0u);
}

TEST_P(TransportTest, SaysWhenTheOtherEndIsGone) {
  auto server = std::make_unique<End>(Table());
  End client{Table()};
  Join(*server, client, server->Listen());
  server.reset();
  EXPECT_TRUE(PumpUntil(
      {&client}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; },
      DefaultParams().timeout_ms + 1'000));
  EXPECT_EQ(client.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_TIMEOUT);
  EXPECT_EQ(client.Stats().connections, 0u);
}

TEST_P(TransportTest, TakesNothingOfAConnectionOfThePreviousOwnerOfItsPort) {
  auto before = std::make_unique<End>(Table());
  End old{Table()};
  const std::uint16_t port = before->Listen();
  const mu_connection oldConnection = Join(*before, old, port);
  before.reset();
  End server{Table()};
  ASSERT_EQ(server.Listen(port), port);
  End fresh{Table()};
  const mu_connection connection = Join(server, fresh, port);
  for (int i = 0; i < 40; ++i) {
    old.Send(oldConnection, MU_CHANNEL_UNRELIABLE, "old");
    old.Send(oldConnection, MU_CHANNEL_RELIABLE, "old");
    EXPECT_EQ(fresh.Send(connection, MU_CHANNEL_RELIABLE, "fresh"), MU_OK);
    PumpFor({&old, &fresh, &server}, 50);
  }
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>(40, "fresh"));
  EXPECT_TRUE(server.MessagesOn(MU_CHANNEL_UNRELIABLE).empty());
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 1u);
  EXPECT_TRUE(PumpUntil(
      {&old, &fresh, &server}, [&] { return old.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; },
      DefaultParams().timeout_ms + 1'000));
  EXPECT_EQ(fresh.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

TEST_P(TransportTest, LetsAClientComeBackAtOnce) {
  End server{Table()};
  const std::uint16_t port = server.Listen();
  End client{Table()};
  for (int round = 0; round < 5; ++round) {
    client.ForgetEvents();
    const mu_connection connection = Join(server, client, port);
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, std::to_string(round)), MU_OK);
    client.Disconnect(connection, 0);
    ASSERT_TRUE(PumpUntil({&client, &server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; }));
  }
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
}

TEST_P(TransportTest, HoldsAHundredPeersApart) {
  constexpr std::size_t kPeers = 100;
  mu_transport_params params = DefaultParams();
  params.max_connections = kPeers;
  End server{Table(), params};
  const std::uint16_t port = server.Listen();
  std::vector<std::unique_ptr<End>> clients;
  std::vector<mu_connection> accepted(kPeers);
  for (std::size_t i = 0; i < kPeers; ++i) {
    clients.push_back(std::make_unique<End>(Table()));
    const mu_connection connection = Join(server, *clients[i], port, &accepted[i]);
    EXPECT_EQ(clients[i]->Send(connection, MU_CHANNEL_RELIABLE, std::to_string(i)), MU_OK);
  }
  EXPECT_EQ(std::set<mu_connection>(accepted.begin(), accepted.end()).size(), kPeers);
  for (std::size_t i = 0; i < kPeers; ++i) {
    EXPECT_EQ(server.Send(accepted[i], MU_CHANNEL_UNRELIABLE, "u" + std::to_string(i)), MU_OK);
    EXPECT_EQ(server.Send(accepted[i], MU_CHANNEL_RELIABLE, "r" + std::to_string(i)), MU_OK);
  }
  server.Flush();
  for (int round = 0; round < 4; ++round) {
    server.Service();
    for (const std::unique_ptr<End>& client : clients) {
      client->Service();
    }
    AdvanceClock(5);
  }
  EXPECT_EQ(server.Stats().connections, kPeers);
  for (std::size_t i = 0; i < kPeers; ++i) {
    EXPECT_EQ(clients[i]->MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{"u" + std::to_string(i)});
    EXPECT_EQ(clients[i]->MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"r" + std::to_string(i)});
  }
  for (const SeenEvent& seen : server.Events()) {
    if (seen.event.kind == MU_TRANSPORT_EVENT_MESSAGE) {
      EXPECT_EQ(seen.event.connection, accepted[static_cast<std::size_t>(std::stoi(seen.message))]);
    }
  }
}

TEST_P(TransportTest, RefusesOneMoreThanItHasRoomForAndKeepsTheOthers) {
  mu_transport_params params = DefaultParams();
  params.max_connections = 2;
  End server{Table(), params};
  const std::uint16_t port = server.Listen();
  End first{Table()};
  End second{Table()};
  End third{Table()};
  Join(server, first, port);
  Join(server, second, port);
  third.Connect(port);
  PumpUntil(
      {&server, &first, &second, &third}, [&] { return !third.Events().empty(); }, DefaultParams().timeout_ms + 500);
  EXPECT_EQ(third.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_REFUSED);
  EXPECT_EQ(server.Stats().connections, 2u);
  EXPECT_EQ(first.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) + second.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

}  // namespace
}  // namespace muster::conformance
