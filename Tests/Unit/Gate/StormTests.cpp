// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a storm is made of and how it is sent.
#include "CaptureRelay.h"
#include "DatagramMaker.h"
#include "StormSender.h"
#include "UdpSocket.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace muster::gate::test {
namespace {

std::vector<Datagram> Captures() {
  std::vector<Datagram> captures;
  for (std::size_t i = 0; i < 20; ++i) {
    captures.emplace_back(40 + 10 * i, static_cast<std::byte>(i + 1));
  }
  return captures;
}

TEST(DatagramMaker, MakesTheSameStormFromTheSameSeed) {
  DatagramMaker first{7, Captures()};
  DatagramMaker second{7, Captures()};
  DatagramMaker other{8, Captures()};
  bool differs = false;
  for (int i = 0; i < 2'000; ++i) {
    const auto datagram = first.Next();
    EXPECT_TRUE(std::ranges::equal(datagram, second.Next()));
    differs = differs || !std::ranges::equal(datagram, other.Next());
  }
  EXPECT_TRUE(differs);
}

TEST(DatagramMaker, MakesAllFamiliesAlikeOftenAndWithinADatagram) {
  DatagramMaker maker{1, Captures()};
  std::size_t largest = 0;
  for (std::size_t i = 0; i < 100 * kDatagramFamilyCount; ++i) {
    largest = std::max(largest, maker.Next().size());
  }
  for (std::size_t family = 0; family < kDatagramFamilyCount; ++family) {
    EXPECT_EQ(maker.Counts()[family], 100u) << ToString(static_cast<DatagramFamily>(family));
  }
  EXPECT_LE(largest, 1'400u);
}

TEST(DatagramMaker, KeepsToWhatItsFamiliesPromise) {
  const std::vector<Datagram> captures = Captures();
  DatagramMaker maker{3, captures};
  const auto isCapture = [&](std::span<const std::byte> datagram) {
    return std::any_of(captures.begin(), captures.end(),
                       [&](const Datagram& capture) { return std::ranges::equal(capture, datagram); });
  };
  for (int i = 0; i < 5'000; ++i) {
    const auto datagram = maker.Next();
    switch (maker.Family()) {
      case DatagramFamily::Empty:
        EXPECT_TRUE(datagram.empty());
        break;
      case DatagramFamily::Replayed:
        EXPECT_TRUE(isCapture(datagram));
        break;
      case DatagramFamily::Cut:
        EXPECT_FALSE(isCapture(datagram));
        EXPECT_TRUE(std::ranges::all_of(datagram, [&](std::byte byte) { return byte == datagram.front(); }));
        break;
      case DatagramFamily::Opening:
        EXPECT_LE(datagram.size(), captures[7].size());
        break;
      default:
        break;
    }
  }
}

TEST(DatagramMaker, MakesNoiseWhereNothingWasCaptured) {
  DatagramMaker maker{1, {}};
  for (std::size_t i = 0; i < 10 * kDatagramFamilyCount; ++i) {
    maker.Next();
  }
  EXPECT_EQ(maker.Counts()[static_cast<std::size_t>(DatagramFamily::Noise)], 70u);
  EXPECT_EQ(maker.Counts()[static_cast<std::size_t>(DatagramFamily::Command)], 10u);
}

TEST(DatagramMaker, MakesOversizeOnesInTurn) {
  DatagramMaker maker{1, Captures()};
  for (const std::size_t size : {4'097u, 9'000u, 65'507u, 4'097u}) {
    EXPECT_EQ(maker.NextOversize().size(), size);
  }
}

/// A socket that hears what comes.
class Ear {
 public:
  Ear() : m_socket(OpenLoopbackSocket().Value()) {
    constexpr int kBytes = 4 << 20;
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &kBytes, sizeof kBytes);
  }
  ~Ear() { ::close(m_socket); }
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;

  [[nodiscard]] std::uint16_t Port() const { return PortOfSocket(m_socket); }
  [[nodiscard]] int Socket() const { return m_socket; }

  struct Heard {
    Datagram datagram;
    sockaddr_in from{};
  };
  /// Waits ten seconds at most, which only a broken sender takes.
  std::optional<Heard> Next() {
    pollfd wait{m_socket, POLLIN, 0};
    if (::poll(&wait, 1, 10'000) != 1) {
      return std::nullopt;
    }
    Heard heard;
    heard.datagram.resize(70'000);
    socklen_t size = sizeof heard.from;
    const ssize_t received = ::recvfrom(m_socket, heard.datagram.data(), heard.datagram.size(), 0,
                                        reinterpret_cast<sockaddr*>(&heard.from), &size);
    heard.datagram.resize(received < 0 ? 0 : static_cast<std::size_t>(received));
    return heard;
  }

 private:
  int m_socket;
};

TEST(StormSender, SendsAsManyAsPlannedFromEveryAddress) {
  Ear ear;
  const StormPlan plan{.datagrams = 600,
                       .perSecond = 20'000,
                       .oversizePerSecond = 300,
                       .oversizeSeconds = 0.04,
                       .sources = 3,
                       .seed = 1};
  auto sender = StormSender::Start(plan, Captures(), ear.Port());
  ASSERT_TRUE(sender) << sender.Failure().ToString();
  std::set<std::uint32_t> hosts;
  std::size_t oversize = 0;
  for (int i = 0; i < 612; ++i) {
    const auto heard = ear.Next();
    ASSERT_TRUE(heard) << i;
    hosts.insert(ntohl(heard->from.sin_addr.s_addr));
    oversize += heard->datagram.size() > 4'096 ? 1U : 0U;
  }
  while (!(*sender)->IsOver()) {
    std::this_thread::yield();
  }
  EXPECT_EQ((*sender)->Tally().sent, 600u);
  EXPECT_EQ((*sender)->Tally().oversizeSent, 12u);
  EXPECT_EQ((*sender)->Tally().notSent, 0u);
  EXPECT_EQ(oversize, 12u);
  EXPECT_EQ(hosts, (std::set<std::uint32_t>{0x7f000002, 0x7f000003, 0x7f000004}));
}

TEST(CaptureRelay, PassesBothWaysKeepsWhatTheClientSaidAndRepeatsIt) {
  Ear server;
  Ear client;
  auto relay = CaptureRelay::Start(server.Port());
  ASSERT_TRUE(relay) << relay.Failure().ToString();
  ASSERT_TRUE(ConnectSocket(client.Socket(), (*relay)->Port()));
  for (const char* word : {"one", "two", "three"}) {
    ASSERT_GE(::send(client.Socket(), word, std::char_traits<char>::length(word), 0), 0);
    const auto heard = server.Next();
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->datagram.size(), std::char_traits<char>::length(word));
    // Back to whoever spoke.
    ASSERT_GE(
        ::sendto(server.Socket(), "re", 2, 0, reinterpret_cast<const sockaddr*>(&heard->from), sizeof heard->from), 0);
    ASSERT_TRUE(client.Next());
  }
  EXPECT_EQ((*relay)->Forwarded(), 3u);
  const auto captured = (*relay)->Captured();
  ASSERT_EQ(captured.size(), 3u);
  EXPECT_EQ(captured[2].size(), 5u);

  (*relay)->ReplayInItsName(1'000);
  std::set<std::size_t> sizes;
  for (int i = 0; i < 6; ++i) {
    const auto heard = server.Next();
    ASSERT_TRUE(heard);
    sizes.insert(heard->datagram.size());
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{3, 5}));
  EXPECT_GE((*relay)->Replayed(), 6u);
  EXPECT_EQ((*relay)->Forwarded(), 3u) << "what is repeated is not the client's";
}

}  // namespace
}  // namespace muster::gate::test
