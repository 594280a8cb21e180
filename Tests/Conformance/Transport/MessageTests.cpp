// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What Transport.h promises of messages, kept by every transport.
#include <cstring>

#include "TransportBench.h"

namespace muster::conformance {
namespace {

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
  while (queued < 1'000 && server.Send(accepted, MU_CHANNEL_RELIABLE, message) == MU_OK) {
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

TEST_P(TransportTest, KeepsTheLimitOfAnUnreliableMessageToTheByte) {
  for (const std::uint32_t limit : {576u, 577u, 1'000u, 1'399u, 1'400u}) {
    mu_transport_params params = DefaultParams();
    params.max_datagram_bytes = limit;
    End server{Table(), params};
    End client{Table(), params};
    const mu_connection connection = Join(server, client, server.Listen());
    PumpFor({&client, &server}, 20);
    const std::string largest(limit - Table().unreliable_overhead_bytes(), 'x');
    const mu_transport_stats before = client.Stats();
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, largest + "x"), MU_E_WOULD_FRAGMENT);
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, largest), MU_OK);
    client.Flush();
    EXPECT_EQ(client.Stats().datagrams_out - before.datagrams_out, 1u) << "never in pieces";
    EXPECT_LE(client.Stats().bytes_out - before.bytes_out, limit);
    server.Service();
    EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{largest}) << limit;
  }
}

TEST_P(TransportTest, KeepsTheChannelsApart) {
  End server{Table()};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  std::vector<std::string> expected;
  for (int i = 0; i < 64; ++i) {
    expected.push_back(std::to_string(i));
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, expected.back()), MU_OK);
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, expected.back()), MU_OK);
  }
  mu_transport_send item{connection, 2, MU_OK, {nullptr, 0}};
  Table().send(client.Raw(), &item, 1);
  EXPECT_EQ(item.status, MU_E_INVALID_ARGUMENT) << "there are two channels";
  PumpFor({&client, &server}, 200);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), expected);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), expected.size());
}

}  // namespace
}  // namespace muster::conformance
