// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Real sockets, virtual time: the loopback interface delivers within the call, the relay decides when it sends on.
#include "LinkSim/UdpRelay.h"

#include "Core/Clock.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

namespace muster::linksim {
namespace {

using namespace std::chrono_literals;

/// A socket of 127.0.0.1 that counts in 4-byte datagrams.
class Peer {
 public:
  Peer() : m_socket(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (m_socket < 0 || ::bind(m_socket, generic, size) != 0 || ::getsockname(m_socket, generic, &size) != 0) {
      throw std::runtime_error{"no UDP socket"};
    }
    m_port = ntohs(address.sin_port);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() { ::close(m_socket); }

  [[nodiscard]] mu_address Address() const {
    mu_address address{};
    address.ip[10] = 0xff;
    address.ip[11] = 0xff;
    address.ip[12] = 127;
    address.ip[15] = 1;
    address.port = m_port;
    return address;
  }
  void Send(std::uint16_t port, std::uint32_t number, std::size_t bytes = 4) const {
    std::vector<std::uint8_t> datagram(bytes);
    std::memcpy(datagram.data(), &number, std::min<std::size_t>(bytes, 4));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    ASSERT_EQ(::sendto(m_socket, datagram.data(), bytes, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to),
              static_cast<ssize_t>(bytes));
  }
  struct Got {
    std::uint32_t number = 0;
    std::uint16_t from = 0;
    std::size_t size = 0;
  };
  std::optional<Got> Receive() const {
    std::array<std::uint8_t, 65'536> room;
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t received =
        ::recvfrom(m_socket, room.data(), room.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (received < 0) {
      return std::nullopt;
    }
    Got got{0, ntohs(from.sin_port), static_cast<std::size_t>(received)};
    std::memcpy(&got.number, room.data(), std::min<std::size_t>(got.size, 4));
    return got;
  }
  std::vector<std::uint32_t> ReceiveAll() const {
    std::vector<std::uint32_t> numbers;
    while (const std::optional<Got> got = Receive()) {
      numbers.push_back(got->number);
    }
    return numbers;
  }

 private:
  int m_socket;
  std::uint16_t m_port = 0;
};

class UdpRelayTest : public ::testing::Test {
 protected:
  void Open(UdpRelayConfig config) {
    config.server = m_server.Address();
    auto made = UdpRelay::Open(config, m_clock);
    ASSERT_TRUE(made.HasValue());
    m_relay = std::move(*made);
    m_port = m_relay->Address().port;
  }
  void PassTime(std::chrono::milliseconds duration) {
    for (auto passed = 0ms; passed < duration; passed += 1ms) {
      m_clock.Advance(1ms);
      m_relay->Pump();
    }
  }
  /// Everything that came is somewhere.
  void ExpectBalance() const {
    const UdpRelayStats stats = m_relay->Stats();
    EXPECT_EQ(stats.fromClients + stats.fromServer + stats.duplicated,
              stats.delivered + stats.lost + stats.overRate + stats.overflowed + stats.strangers + stats.unsendable);
  }

  ManualClock m_clock{MonotonicTime{} + 1s};
  Peer m_server;
  Peer m_client;
  std::unique_ptr<UdpRelay> m_relay;
  std::uint16_t m_port = 0;
};

TEST_F(UdpRelayTest, CarriesBothWaysAndKeepsClientsApart) {
  Open({});
  Peer other;
  m_client.Send(m_port, 1);
  other.Send(m_port, 2);
  m_relay->Pump();
  std::map<std::uint32_t, std::uint16_t> from;
  while (const auto got = m_server.Receive()) {
    from[got->number] = got->from;
  }
  ASSERT_EQ(from.size(), 2U);
  EXPECT_NE(from[1], from[2]) << "the server must tell them apart";
  m_server.Send(from[1], 11);
  m_server.Send(from[2], 12);
  m_relay->Pump();
  EXPECT_EQ(m_client.ReceiveAll(), std::vector<std::uint32_t>{11});
  EXPECT_EQ(other.ReceiveAll(), std::vector<std::uint32_t>{12});
  EXPECT_EQ(m_relay->Stats().clients, 2U);
  ExpectBalance();
}

TEST_F(UdpRelayTest, CarriesEverySizeOfDatagram) {
  Open({});
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1'200}, std::size_t{65'507}}) {
    m_client.Send(m_port, 7, size);
    m_relay->Pump();
    const auto got = m_server.Receive();
    ASSERT_TRUE(got) << size;
    EXPECT_EQ(got->size, size);
  }
}

TEST_F(UdpRelayTest, DelaysByVirtualTimeAlone) {
  UdpRelayConfig config;
  config.toServer.delay = 100ms;
  Open(config);
  m_client.Send(m_port, 1);
  const auto due = m_relay->Pump();
  ASSERT_TRUE(due);
  EXPECT_EQ(*due, m_clock.Now() + 100ms);
  PassTime(99ms);
  EXPECT_FALSE(m_server.Receive());
  PassTime(1ms);
  EXPECT_TRUE(m_server.Receive());
  EXPECT_FALSE(m_relay->Pump()) << "nothing waits";
}

std::vector<std::uint32_t> Storm(std::uint64_t seed, UdpRelayStats& stats) {
  ManualClock clock{MonotonicTime{} + 1s};
  Peer server;
  Peer client;
  UdpRelayConfig config;
  config.server = server.Address();
  config.toServer.loss = 0.25;
  config.toServer.duplicate = 0.2;
  config.toServer.reorder = 0.3;
  config.toServer.delay = 20ms;
  config.toServer.jitter = 10ms;
  config.seed = seed;
  auto relay = UdpRelay::Open(config, clock);
  EXPECT_TRUE(relay.HasValue());
  std::vector<std::uint32_t> received;
  for (std::uint32_t i = 0; i < 2'100; ++i) {
    if (i < 2'000) {
      client.Send((*relay)->Address().port, i);
    }
    clock.Advance(5ms);
    (*relay)->Pump();
    for (const std::uint32_t number : server.ReceiveAll()) {
      received.push_back(number);
    }
  }
  stats = (*relay)->Stats();
  return received;
}

TEST(UdpRelay, LosesRepeatsAndReordersByItsSeed) {
  UdpRelayStats stats;
  const std::vector<std::uint32_t> received = Storm(7, stats);
  const std::set<std::uint32_t> distinct(received.begin(), received.end());
  EXPECT_NEAR(static_cast<double>(distinct.size()), 1'500.0, 80.0);
  EXPECT_NEAR(static_cast<double>(received.size() - distinct.size()), 300.0, 70.0);
  EXPECT_FALSE(std::is_sorted(received.begin(), received.end()));
  EXPECT_EQ(stats.lost, 2'000U - distinct.size());
  EXPECT_EQ(stats.delivered, received.size());
  UdpRelayStats again;
  EXPECT_EQ(Storm(7, again), received);
  EXPECT_NE(Storm(8, again), received);
}

TEST_F(UdpRelayTest, IsBadInsideItsWindowOnly) {
  UdpRelayConfig config;
  config.toServer.loss = 1;
  config.toClient.loss = 1;
  config.window = {1s, 2s};
  Open(config);
  std::vector<std::uint32_t> received;
  for (std::uint32_t second = 0; second < 5; ++second) {
    m_client.Send(m_port, second);
    PassTime(1'000ms);
    for (const std::uint32_t number : m_server.ReceiveAll()) {
      received.push_back(number);
    }
  }
  EXPECT_EQ(received, (std::vector<std::uint32_t>{0, 3, 4}));
  ExpectBalance();
}

TEST_F(UdpRelayTest, CarriesNoMoreThanItsRate) {
  UdpRelayConfig config;
  config.toServer.bytesPerSecond = 10'000;
  config.toServer.queueTime = 500ms;
  Open(config);
  // Twice the rate for two seconds.
  for (std::uint32_t i = 0; i < 400; ++i) {
    m_client.Send(m_port, i, 100);
    PassTime(5ms);
  }
  PassTime(600ms);
  const std::size_t received = m_server.ReceiveAll().size();
  EXPECT_NEAR(static_cast<double>(received), 250.0, 5.0) << "2 s of the rate and what fits the queue";
  EXPECT_EQ(m_relay->Stats().overRate, 400U - received);
  ExpectBalance();
}

TEST_F(UdpRelayTest, BoundsItsClientsAndItsQueue) {
  UdpRelayConfig config;
  config.maxClients = 2;
  config.maxQueuedBytes = 250 * (sizeof(std::uint32_t) + UdpRelayConfig::kHeldOverheadBytes);
  config.toServer.delay = 1s;
  Open(config);
  Peer second;
  Peer third;
  second.Send(m_port, 1);
  m_client.Send(m_port, 2);
  m_relay->Pump();
  third.Send(m_port, 3);
  for (std::uint32_t i = 0; i < 300; ++i) {
    m_client.Send(m_port, i);
  }
  m_relay->Pump();
  PassTime(1'100ms);
  EXPECT_EQ(m_server.ReceiveAll().size(), 250U);
  const UdpRelayStats stats = m_relay->Stats();
  EXPECT_EQ(stats.clients, 2U);
  EXPECT_EQ(stats.strangers, 1U);
  EXPECT_EQ(stats.overflowed, 52U);
  ExpectBalance();
}

TEST_F(UdpRelayTest, GoesOnWhenNobodyListensBehindIt) {
  std::optional<Peer> gone;
  gone.emplace();
  UdpRelayConfig config;
  config.server = gone->Address();
  gone.reset();
  auto relay = UdpRelay::Open(config, m_clock);
  ASSERT_TRUE(relay.HasValue());
  for (std::uint32_t i = 0; i < 10; ++i) {
    m_client.Send((*relay)->Address().port, i);
    (*relay)->Pump();
  }
  EXPECT_EQ((*relay)->Stats().fromClients, 10U);
  EXPECT_EQ((*relay)->Stats().delivered + (*relay)->Stats().unsendable, 10U);
}

TEST(UdpRelayThread, CarriesByItself) {
  SteadyClock clock;
  Peer server;
  Peer client;
  UdpRelayConfig config;
  config.server = server.Address();
  config.toServer.delay = 5ms;
  auto relay = UdpRelay::Open(config, clock);
  ASSERT_TRUE(relay.HasValue());
  const UdpRelayThread thread(**relay, clock);
  std::set<std::uint32_t> received;
  for (std::uint32_t i = 0; i < 2'000 && received.size() < 20; ++i) {
    client.Send((*relay)->Address().port, i);
    clock.SleepUntil(clock.Now() + 2ms);
    for (const std::uint32_t number : server.ReceiveAll()) {
      received.insert(number);
    }
  }
  EXPECT_GE(received.size(), 20U);
}

}  // namespace
}  // namespace muster::linksim
