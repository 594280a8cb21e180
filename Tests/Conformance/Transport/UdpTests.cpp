// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What only the UDP transport does: a handshake that keeps nothing of strangers, IPv6, and what it makes of datagrams
// that look like its own.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "RawSocket.h"
#include "TransportBench.h"

namespace muster::conformance {
namespace {

const mu_transport_v0& Udp() {
  return TransportLibrary::Of("UdpTransport").Table();
}

constexpr std::uint64_t kRequest = 1;
constexpr std::uint64_t kChallenge = 2;
constexpr std::uint64_t kResponse = 3;
constexpr std::uint64_t kAccept = 4;
constexpr std::uint64_t kRefuse = 5;

/// The transport's numbers are little-endian.
void Put(Datagram& datagram, std::uint64_t value, std::size_t bytes) {
  for (; bytes > 0; --bytes, value >>= 8) {
    datagram.push_back(static_cast<std::uint8_t>(value));
  }
}
std::uint64_t Take(const Datagram& datagram, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i > 0; --i) {
    value = (value << 8) | datagram.at(at + i - 1);
  }
  return value;
}

Datagram Hello(std::uint64_t kind, std::uint64_t clientId, std::uint64_t cookie = 0, std::uint64_t version = 1) {
  Datagram datagram;
  Put(datagram, kind, 8);
  Put(datagram, 0x5044'554d, 4);
  Put(datagram, version, 2);
  Put(datagram, 1'200, 2);
  Put(datagram, clientId, 8);
  Put(datagram, cookie, 8);
  datagram.resize(64);
  return datagram;
}

class UdpServer : public testing::Test {
 protected:
  explicit UdpServer(mu_transport_params params = DefaultParams())
      : m_server{Udp(), params}, m_stranger{77}, m_port{m_server.Listen()} {}

  /// What the server answers to one datagram; empty for nothing.
  Datagram AnswerTo(const Datagram& datagram) { return AnswerTo(m_stranger, datagram); }
  Datagram AnswerTo(RawSocket& from, const Datagram& datagram) {
    from.SendTo(m_port, datagram);
    m_server.Service();
    Datagram answer;
    std::uint16_t port = 0;
    return from.Receive(answer, port) ? answer : Datagram{};
  }
  std::uint64_t CookieFor(std::uint64_t clientId) {
    const Datagram challenge = AnswerTo(Hello(kRequest, clientId));
    EXPECT_EQ(challenge.size(), 16u);
    EXPECT_EQ(Take(challenge, 0, 8), (clientId << 8) | kChallenge);
    return Take(challenge, 8, 8);
  }

  End m_server;
  RawSocket m_stranger;
  std::uint16_t m_port;
};

TEST_F(UdpServer, KeepsNothingOfStrangersAndSendsThemNoMoreThanTheySent) {
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    m_stranger.SendTo(m_port, Hello(kRequest, i + 1));
    if (i % 50 == 0) {
      m_server.Service();
    }
  }
  m_server.Service();
  const mu_transport_stats stats = m_server.Stats();
  EXPECT_EQ(stats.connections, 0u);
  EXPECT_TRUE(m_server.Events().empty());
  EXPECT_GT(stats.datagrams_out, 0u);
  EXPECT_LE(stats.bytes_out, stats.bytes_in);
  // All places are free for whoever comes now.
  End client{Udp()};
  client.Connect(m_port);
  EXPECT_TRUE(PumpUntil(
      {&client, &m_server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }, 100));
}

TEST_F(UdpServer, LetsInWhoeverBringsItsCookieBackOnce) {
  const std::uint64_t cookie = CookieFor(99);
  const Datagram accept = AnswerTo(Hello(kResponse, 99, cookie));
  ASSERT_EQ(Take(accept, 0, 8), (99u << 8) | kAccept);
  EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 1u);
  const Datagram again = AnswerTo(Hello(kResponse, 99, cookie));
  EXPECT_EQ(again, accept) << "the answer may have been lost";
  EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 1u);
  // A straggler after the end opens nothing.
  Datagram close;
  Put(close, (Take(accept, 8, 8) << 8) | 7, 8);
  Put(close, 5, 8);
  EXPECT_FALSE(AnswerTo(close).empty());
  EXPECT_EQ(m_server.First(MU_TRANSPORT_EVENT_DISCONNECTED).detail, 5u);
  EXPECT_TRUE(AnswerTo(Hello(kResponse, 99, cookie)).empty());
  EXPECT_EQ(m_server.Stats().connections, 0u);
}

TEST_F(UdpServer, RemembersAUsedCookieHoweverManyCameAfterIt) {
  std::uint64_t first = 0;
  for (std::uint64_t clientId = 1; clientId <= 400; ++clientId) {
    const std::uint64_t cookie = CookieFor(clientId);
    first = clientId == 1 ? cookie : first;
    const Datagram accept = AnswerTo(Hello(kResponse, clientId, cookie));
    ASSERT_EQ(Take(accept, 0, 8), (clientId << 8) | kAccept);
    Datagram close;
    Put(close, (Take(accept, 8, 8) << 8) | 7, 8);
    Put(close, 0, 8);
    EXPECT_FALSE(AnswerTo(close).empty());
  }
  EXPECT_TRUE(AnswerTo(Hello(kResponse, 1, first)).empty());
  EXPECT_EQ(m_server.Stats().connections, 0u);
}

TEST(UdpServerOfOnePlace, GivesItToANewcomerRatherThanToAFarewellThatNobodyAnswers) {
  mu_transport_params params = DefaultParams();
  params.max_connections = 1;
  End server{Udp(), params};
  const std::uint16_t port = server.Listen();
  RawSocket silent{77};
  const auto join = [&](std::uint64_t clientId) {
    Datagram answer;
    std::uint16_t from = 0;
    silent.SendTo(port, Hello(kRequest, clientId));
    server.Service();
    EXPECT_TRUE(silent.Receive(answer, from));
    silent.SendTo(port, Hello(kResponse, clientId, Take(answer, 8, 8)));
    server.Service();
    EXPECT_TRUE(silent.Receive(answer, from));
    return Take(answer, 0, 1);
  };
  ASSERT_EQ(join(1), kAccept);
  EXPECT_EQ(join(2), kRefuse) << "taken by one who plays";
  server.Disconnect(server.First(MU_TRANSPORT_EVENT_CONNECTED).connection, 9);
  Datagram farewell;
  std::uint16_t from = 0;
  ASSERT_TRUE(silent.Receive(farewell, from));
  EXPECT_EQ(join(3), kAccept);
  EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_DISCONNECTED).detail, 9u);
  EXPECT_EQ(server.Stats().connections, 1u);
}

TEST_F(UdpServer, TakesACookieFromItsOwnAddressAndInItsTimeOnly) {
  const std::uint64_t cookie = CookieFor(99);
  RawSocket thief{78};
  RawSocket otherPort{77};
  EXPECT_TRUE(AnswerTo(thief, Hello(kResponse, 99, cookie)).empty());
  EXPECT_TRUE(AnswerTo(otherPort, Hello(kResponse, 99, cookie)).empty());
  EXPECT_TRUE(AnswerTo(Hello(kResponse, 98, cookie)).empty());
  EXPECT_TRUE(AnswerTo(Hello(kResponse, 99, cookie ^ 1)).empty());
  for (int i = 0; i < 11; ++i) {
    AdvanceClock(1'000);
    m_server.Service();
  }
  EXPECT_TRUE(AnswerTo(Hello(kResponse, 99, cookie)).empty()) << "stale";
  EXPECT_EQ(m_server.Stats().connections, 0u);
  EXPECT_EQ(m_server.Stats().receive_errors, 5u);
}

TEST_F(UdpServer, SaysThatItSpeaksAnotherVersion) {
  const Datagram answer = AnswerTo(Hello(kRequest, 99, 0, 2));
  EXPECT_EQ(Take(answer, 0, 8), (99u << 8) | kRefuse);
  EXPECT_EQ(Take(answer, 8, 4), 3u);
  EXPECT_EQ(m_server.Stats().refused_connections, 1u);
}

TEST_F(UdpServer, IgnoresAnAddressThatChanges) {
  const Datagram accept = AnswerTo(Hello(kResponse, 99, CookieFor(99)));
  Datagram data;
  Put(data, (Take(accept, 8, 8) << 8) | 0x46, 8);
  Put(data, 0, 4);
  data.push_back('x');
  RawSocket thief{78};
  EXPECT_TRUE(AnswerTo(thief, data).empty());
  EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_MESSAGE), 0u);
  EXPECT_EQ(m_server.Stats().receive_errors, 1u);
  AnswerTo(data);
  EXPECT_EQ(m_server.MessagesOn(MU_CHANNEL_UNRELIABLE), std::vector<std::string>{"x"});
  AnswerTo(data);
  EXPECT_EQ(m_server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 1u) << "not twice";
}

TEST_F(UdpServer, EndsAConnectionWhoseReliableStreamCannotBe) {
  const Datagram accept = AnswerTo(Hello(kResponse, 99, CookieFor(99)));
  const std::uint64_t id = Take(accept, 8, 8);
  Datagram data;
  Put(data, (id << 8) | 0x26, 8);
  Put(data, 0, 4);
  Put(data, 1, 1);
  Put(data, 0, 4);
  Put(data, 0x4001, 2);  // the last piece of a message that never began
  data.push_back('x');
  EXPECT_FALSE(AnswerTo(data).empty()) << "it is told";
  EXPECT_EQ(m_server.First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_LOCAL);
  EXPECT_EQ(m_server.Stats().connections, 0u);
}

TEST_F(UdpServer, SpendsExactlyTwelveBytesBesideAMessage) {
  End client{Udp()};
  const mu_connection connection = client.Connect(m_port);
  ASSERT_TRUE(PumpUntil({&client, &m_server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }));
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1'188}}) {
    const mu_transport_stats before = client.Stats();
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, std::string(size, 'x')), MU_OK);
    client.Flush();
    EXPECT_EQ(client.Stats().datagrams_out - before.datagrams_out, 1u);
    EXPECT_EQ(client.Stats().bytes_out - before.bytes_out, size + 12);
  }
  EXPECT_EQ(Udp().unreliable_overhead_bytes(), 12u);
}

TEST_F(UdpServer, SurvivesAPauseOfTheWholeProcess) {
  End client{Udp()};
  client.Connect(m_port);
  PumpFor({&client, &m_server}, 1'000);
  AdvanceClock(60'000);
  PumpFor({&client, &m_server}, 3'000);
  EXPECT_EQ(client.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 1u);
  EXPECT_EQ(client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
  EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

TEST_F(UdpServer, AgreesOnTheSmallerDatagram) {
  mu_transport_params small = DefaultParams();
  small.max_datagram_bytes = 600;
  End client{Udp(), small};
  mu_connection connection = client.Connect(m_port);
  ASSERT_TRUE(PumpUntil({&client, &m_server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }));
  const mu_connection accepted = m_server.First(MU_TRANSPORT_EVENT_CONNECTED).connection;
  EXPECT_EQ(m_server.Send(accepted, MU_CHANNEL_UNRELIABLE, std::string(589, 'x')), MU_E_WOULD_FRAGMENT);
  EXPECT_EQ(m_server.Send(accepted, MU_CHANNEL_UNRELIABLE, std::string(588, 'x')), MU_OK);
  EXPECT_EQ(m_server.Send(accepted, MU_CHANNEL_RELIABLE, std::string(20'000, 'r')), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, std::string(20'000, 'r')), MU_OK);
  PumpFor({&client, &m_server}, 500);
  EXPECT_EQ(client.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 1u);
  EXPECT_EQ(client.MessagesOn(MU_CHANNEL_RELIABLE).size(), 1u);
  EXPECT_EQ(m_server.MessagesOn(MU_CHANNEL_RELIABLE).size(), 1u);
  EXPECT_EQ(client.Stats().receive_errors, 0u);
}

TEST_F(UdpServer, BoundsWhatWaitsBetweenTwoFlushes) {
  End client{Udp()};
  const mu_connection connection = client.Connect(m_port);
  ASSERT_TRUE(PumpUntil({&client, &m_server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }));
  std::uint32_t queued = 0;
  while (queued < 5'000 && client.Send(connection, MU_CHANNEL_UNRELIABLE, "x") == MU_OK) {
    ++queued;
  }
  EXPECT_EQ(queued, 1'024u);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "x"), MU_E_BACKLOG);
  client.Flush();
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "x"), MU_OK);
}

TEST_F(UdpServer, WakesWhoeverWaitsForTheSocket) {
  pollfd wait{Udp().wait_handle(m_server.Raw()), POLLIN, 0};
  ASSERT_GE(wait.fd, 0);
  m_server.Service();
  EXPECT_EQ(poll(&wait, 1, 0), 0);
  m_stranger.SendTo(m_port, Datagram(10, 1));
  EXPECT_EQ(poll(&wait, 1, 1'000), 1);
  m_server.Service();
  EXPECT_EQ(poll(&wait, 1, 0), 0);
}

bool HasIpv6() {
  const int handle = socket(AF_INET6, SOCK_DGRAM, 0);
  if (handle < 0) {
    return false;
  }
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  const bool isThere = bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  close(handle);
  return isThere;
}

mu_address Ipv6Loopback() {
  mu_address address{};
  address.ip[15] = 1;
  return address;
}

TEST(UdpAddresses, SpeaksIpv6OrSaysThatTheMachineDoesNot) {
  End server{Udp()};
  mu_address bind = Ipv6Loopback();
  mu_address bound{};
  const mu_status status = Udp().listen(server.Raw(), &bind, &bound);
  if (!HasIpv6()) {
    EXPECT_NE(status, MU_OK);
    EXPECT_NE(TransportLibrary::LastError().find("[::1]:0"), std::string::npos);
    return;
  }
  ASSERT_EQ(status, MU_OK) << TransportLibrary::LastError();
  End client{Udp()};
  const mu_connection connection = client.Connect(bound);
  ASSERT_TRUE(PumpUntil({&client, &server}, [&] { return client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }));
  EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_CONNECTED).address.ip[15], 1);
  EXPECT_EQ(server.First(MU_TRANSPORT_EVENT_CONNECTED).address.ip[10], 0);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, "six"), MU_OK);
  PumpFor({&client, &server}, 50);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"six"});
  const mu_address four = LocalAddress(bound.port);
  mu_connection none = 0;
  EXPECT_EQ(Udp().connect(client.Raw(), &four, &none), MU_E_NOT_SUPPORTED) << "one socket, one family";
}

TEST(UdpAddresses, TakesBothFamiliesWhenBoundToAnyAddress) {
  End server{Udp()};
  const mu_address any{};
  mu_address bound{};
  ASSERT_EQ(Udp().listen(server.Raw(), &any, &bound), MU_OK) << TransportLibrary::LastError();
  End four{Udp()};
  End six{Udp()};
  four.Connect(bound.port);
  std::size_t expected = 1;
  if (HasIpv6()) {
    mu_address remote = Ipv6Loopback();
    remote.port = bound.port;
    six.Connect(remote);
    expected = 2;
    EXPECT_TRUE(PumpUntil({&server, &four, &six}, [&] { return six.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }));
  }
  EXPECT_TRUE(PumpUntil({&server, &four}, [&] { return four.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }));
  EXPECT_EQ(server.Stats().connections, expected);
}

TEST(UdpAddresses, RefusesToConnectToNobody) {
  End client{Udp()};
  mu_connection none = 0;
  mu_address multicast = LocalAddress(5'000);
  multicast.ip[12] = 239;
  EXPECT_EQ(Udp().connect(client.Raw(), &multicast, &none), MU_E_INVALID_ARGUMENT);
  const mu_address noPort = LocalAddress(0);
  EXPECT_EQ(Udp().connect(client.Raw(), &noPort, &none), MU_E_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::conformance
