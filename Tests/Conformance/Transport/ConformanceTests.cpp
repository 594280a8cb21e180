// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The promises of Transport.h, kept by every transport. A new one is added to the list at the end.
#include <cstring>
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

TEST_P(TransportTest, CarriesBothChannelsBothWays) {
  End server{Table()};
  End client{Table()};
  mu_connection accepted = 0;
  const mu_connection connection = Join(server, client, server.Listen(), &accepted);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "input"), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, "join"), MU_OK);
  EXPECT_EQ(server.Send(accepted, MU_CHANNEL_UNRELIABLE, "snapshot"), MU_OK);
  EXPECT_EQ(server.Send(accepted, MU_CHANNEL_RELIABLE, "welcome"), MU_OK);
  client.Flush();
  server.Flush();
  PumpFor({&client, &server}, 50);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{"input"});
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"join"});
  EXPECT_EQ(client.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{"snapshot"});
  EXPECT_EQ(client.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"welcome"});
}

TEST_P(TransportTest, SendsNothingBeforeFlushAndAllOfItAtFlush) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  PumpFor({&client, &server}, 100);
  const std::uint64_t sentBefore = client.Stats().datagrams_out;
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "now"), MU_OK);
  EXPECT_EQ(client.Stats().datagrams_out, sentBefore);
  client.Flush();
  EXPECT_EQ(client.Stats().datagrams_out, sentBefore + 1);
  server.Service();
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{"now"});
}

TEST_P(TransportTest, RefusesAnUnreliableMessageThatDoesNotFitOneDatagram) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  const std::size_t largest = DefaultParams().max_datagram_bytes - Table().unreliable_overhead_bytes();
  const std::string fits(largest, 'x');
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, fits), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, fits + "x"), MU_E_WOULD_FRAGMENT);
  client.Flush();
  server.Service();
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{fits});
  EXPECT_EQ(client.Stats().refused_messages, 1u);
}

TEST_P(TransportTest, KeepsEveryDatagramWithinTheLimit) {
  const mu_transport_params params = DefaultParams();
  End server{Table(), params};
  End client{Table(), params};
  mu_connection accepted = 0;
  const mu_connection connection = Join(server, client, server.Listen(), &accepted);
  const std::size_t largest = params.max_datagram_bytes - Table().unreliable_overhead_bytes();
  for (int round = 0; round < 20; ++round) {
    const mu_transport_stats before = client.Stats();
    // With something reliable and an acknowledgement to share the datagram, if the transport is so inclined.
    EXPECT_EQ(server.Send(accepted, MU_CHANNEL_RELIABLE, "ping"), MU_OK);
    server.Flush();
    client.Service();
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, "small"), MU_OK);
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, std::string(largest, 'x')), MU_OK);
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, std::string(600, 'x')), MU_OK);
    client.Flush();
    const mu_transport_stats after = client.Stats();
    EXPECT_LE(after.bytes_out - before.bytes_out,
              (after.datagrams_out - before.datagrams_out) * params.max_datagram_bytes);
    PumpFor({&server, &client}, 5);
  }
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 40u);
  EXPECT_EQ(server.Stats().receive_errors, 0u);
}

TEST_P(TransportTest, DeliversReliableMessagesInOrderAndWhole) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  std::vector<std::string> sent;
  for (std::size_t i = 0; i < 200; ++i) {
    std::string message(1 + (i * 977) % 4'000, static_cast<char>('a' + i % 26));
    message.replace(0, 1, std::string(1, static_cast<char>(i)));
    sent.push_back(message);
  }
  std::size_t next = 0;
  PumpUntil({&client, &server}, [&] {
    while (next < sent.size() && client.Send(connection, MU_CHANNEL_RELIABLE, sent[next]) == MU_OK) {
      ++next;
    }
    return server.MessagesOn(MU_CHANNEL_RELIABLE).size() == sent.size();
  });
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), sent);
}

TEST_P(TransportTest, CarriesTheLargestReliableMessageAndRefusesALargerOne) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  const std::string largest(DefaultParams().max_message_bytes, 'm');
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, largest), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, largest + "m"), MU_E_INVALID_ARGUMENT);
  PumpFor({&client, &server}, 500);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{largest});
}

TEST_P(TransportTest, CarriesEmptyMessages) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, ""), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, ""), MU_OK);
  PumpFor({&client, &server}, 50);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{""});
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{""});
}

TEST_P(TransportTest, RefusesReliableMessagesBeyondTheBacklogAndThenEndsTheConnection) {
  End server{Table()};
  End client{Table()};
  mu_connection accepted = 0;
  Join(server, client, server.Listen(), &accepted);
  const std::string message(1'024, 'b');
  std::uint32_t queued = 0;
  mu_status status = MU_OK;
  while ((status = server.Send(accepted, MU_CHANNEL_RELIABLE, message)) == MU_OK && queued < 1'000) {
    ++queued;
  }
  EXPECT_EQ(status, MU_E_BACKLOG);
  EXPECT_NEAR(queued, DefaultParams().reliable_backlog_bytes / 1'024, 1);
  // The client does not read.
  PumpUntil(
      {&server}, [&] { return server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) > 0; }, 3'000);
  EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_BACKLOG);
  EXPECT_EQ(server.Send(accepted, MU_CHANNEL_RELIABLE, message), MU_E_NOT_CONNECTED);
}

TEST_P(TransportTest, AcceptsReliableMessagesAgainOnceTheBacklogDrained) {
  End server{Table()};
  End client{Table()};
  mu_connection accepted = 0;
  Join(server, client, server.Listen(), &accepted);
  const std::string message(1'024, 'b');
  std::size_t queued = 0;
  while (server.Send(accepted, MU_CHANNEL_RELIABLE, message) == MU_OK) {
    ++queued;
  }
  PumpFor({&server, &client}, 3'000);
  EXPECT_EQ(server.Send(accepted, MU_CHANNEL_RELIABLE, message), MU_OK);
  PumpFor({&server, &client}, 100);
  EXPECT_EQ(client.MessagesOn(MU_CHANNEL_RELIABLE).size(), queued + 1);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

TEST_P(TransportTest, BoundsTheBacklogOfEmptyMessagesToo) {
  End server{Table()};
  End client{Table()};
  mu_connection accepted = 0;
  Join(server, client, server.Listen(), &accepted);
  std::uint32_t queued = 0;
  while (queued < 100'000 && server.Send(accepted, MU_CHANNEL_RELIABLE, "") == MU_OK) {
    ++queued;
    if (queued % 64 == 0) {
      server.Flush();
    }
  }
  EXPECT_LT(queued, DefaultParams().reliable_backlog_bytes);
}

TEST_P(TransportTest, HandsMessagesOverIntactUntilTheNextService) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  PumpFor({&server, &client}, 50);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, std::string(500, static_cast<char>('a' + i))), MU_OK);
  }
  client.Flush();
  std::vector<mu_transport_event> events(16);
  std::uint32_t count = 0;
  ASSERT_EQ(Table().service(server.Raw(), events.data(), 16, &count), MU_OK);
  ASSERT_EQ(count, 8u);
  // Sending and flushing in between must not touch them.
  server.Flush();
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(events[i].message.size, 500u);
    const std::string expected(500, static_cast<char>('a' + i));
    EXPECT_EQ(std::memcmp(events[i].message.data, expected.data(), 500), 0);
  }
}

TEST_P(TransportTest, SaysThatMoreIsWaitingWhenTheEventsAreFull) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, std::to_string(i)), MU_OK);
  }
  client.Flush();
  server.Service(3);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 10u);
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

struct GateRecord {
  std::uint32_t verdict = MU_GATE_PASS;
  std::uint32_t replySize = 0;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint16_t lastPort = 0;

  static std::uint32_t Ask(void* context, const mu_address* from, mu_bytes datagram, std::uint8_t* reply,
                           std::uint32_t replyCapacity, std::uint32_t* replySize) {
    auto& self = *static_cast<GateRecord*>(context);
    ++self.calls;
    self.bytes += datagram.size;
    self.lastPort = from->port;
    *replySize = std::min(self.replySize, replyCapacity);
    std::memset(reply, 'r', *replySize);
    return self.verdict;
  }
};

mu_transport_params GatedParams(GateRecord& record) {
  mu_transport_params params = DefaultParams();
  params.gate = mu_raw_gate{&record, &GateRecord::Ask};
  return params;
}

TEST_P(TransportTest, OffersEveryDatagramToTheGateFirst) {
  GateRecord gate;
  End server{Table(), GatedParams(gate)};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "x"), MU_OK);
    client.Flush();
    server.Service();
  }
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 10u);
  EXPECT_EQ(gate.calls, server.Stats().datagrams_in);
  EXPECT_EQ(gate.bytes, server.Stats().bytes_in);
  EXPECT_EQ(gate.lastPort, server.First(MU_TRANSPORT_EVENT_CONNECTED).address.port);
}

TEST_P(TransportTest, LosesWhatTheGateDropsAndResendsWhatIsReliable) {
  GateRecord gate;
  End server{Table(), GatedParams(gate)};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  PumpFor({&client, &server}, 100);
  gate.verdict = MU_GATE_DROP;
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "lost"), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, "kept"), MU_OK);
  client.Flush();
  PumpFor({&server, &client}, 50);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_MESSAGE), 0u);
  EXPECT_GT(server.Stats().gate_dropped, 0u);
  gate.verdict = MU_GATE_PASS;
  PumpFor({&server, &client}, 1'500);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"kept"});
  EXPECT_TRUE(server.MessagesOn(MU_CHANNEL_UNRELIABLE).empty());
}

TEST_P(TransportTest, SendsTheGatesReplyAndKeepsNothing) {
  GateRecord gate;
  gate.verdict = MU_GATE_REPLY;
  gate.replySize = 1;
  End server{Table(), GatedParams(gate)};
  GateRecord clientGate;
  End client{Table(), GatedParams(clientGate)};
  client.Connect(server.Listen());
  PumpFor({&client, &server}, 200);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 0u);
  EXPECT_EQ(server.Stats().connections, 0u);
  EXPECT_GT(server.Stats().gate_replied, 0u);
  EXPECT_EQ(clientGate.calls, server.Stats().gate_replied);
}

TEST_P(TransportTest, NeverSendsAReplyLargerThanTheRequest) {
  GateRecord gate;
  gate.verdict = MU_GATE_REPLY;
  gate.replySize = 1'000;
  End server{Table(), GatedParams(gate)};
  End client{Table()};
  client.Connect(server.Listen());
  PumpFor({&client, &server}, 200);
  EXPECT_GT(gate.calls, 0u);
  EXPECT_EQ(server.Stats().gate_replied, 0u);
  EXPECT_EQ(server.Stats().bytes_out, 0u);
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

TEST_P(TransportTest, CarriesATickOfManyClients) {
  constexpr std::size_t kClients = 32;
  End server{Table()};
  const std::uint16_t port = server.Listen();
  std::vector<std::unique_ptr<End>> clients;
  std::vector<mu_connection> accepted(kClients);
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<End>(Table()));
    Join(server, *clients.back(), port, &accepted[i]);
  }
  const std::string snapshot(1'100, 's');
  for (int tick = 0; tick < 30; ++tick) {
    std::vector<mu_transport_send> items(kClients);
    for (std::size_t i = 0; i < kClients; ++i) {
      items[i].connection = accepted[i];
      items[i].channel = MU_CHANNEL_UNRELIABLE;
      items[i].message = mu_bytes{reinterpret_cast<const std::uint8_t*>(snapshot.data()), snapshot.size()};
    }
    Table().send(server.Raw(), items.data(), kClients);
    server.Flush();
    for (std::unique_ptr<End>& client : clients) {
      client->Service();
    }
    server.Service();
    AdvanceClock(16);
  }
  for (const std::unique_ptr<End>& client : clients) {
    EXPECT_EQ(client->MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 30u);
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, TransportTest, testing::Values("EnetTransport", "LoopbackTransport"),
                         [](const auto& plugin) { return std::string{plugin.param}; });

}  // namespace
}  // namespace muster::conformance
