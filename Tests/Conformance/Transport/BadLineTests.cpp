// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a bad line may do to messages and what it may not, on virtual time. A transport with a socket speaks through
// the UDP relay, so that its own acknowledgements and handshakes suffer too; one without gets LinkSim in front.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "LinkSim/LinkSim.h"
#include "LinkSim/UdpRelay.h"
#include "TransportBench.h"

namespace muster::conformance {
namespace {

using namespace std::chrono_literals;

/// A server, a client, and the line between them.
class Line {
 public:
  Line(const mu_transport_v0& table, std::uint64_t seed) : m_server{table}, m_port{m_server.Listen()} {
    if (table.wait_handle(m_server.Raw()) >= 0) {
      linksim::UdpRelayConfig config;
      config.server = LocalAddress(m_port);
      config.seed = seed;
      auto relay = linksim::UdpRelay::Open(config, BenchClock());
      EXPECT_TRUE(relay.HasValue());
      m_relay = std::move(*relay);
      m_client = std::make_unique<End>(table);
      return;
    }
    m_sim = std::make_unique<linksim::LinkSim>(link::TransportSource{&table}, linksim::LinkSimConfig{{}, {}, seed},
                                               BenchClock());
    m_client = std::make_unique<End>(m_sim->Source());
  }

  void Step() {
    m_client->Service();
    m_client->Flush();
    Carry();
    m_server.Service();
    m_server.Flush();
    Carry();
    AdvanceClock(5);
  }
  template <class Done>
  bool StepUntil(Done&& done, std::uint64_t limitMs) {
    for (std::uint64_t elapsed = 0; elapsed <= limitMs; elapsed += 5) {
      Step();
      if (done()) {
        return true;
      }
    }
    return false;
  }
  /// True when both sides have a connection. A client that finds nobody may try again, as a player would.
  bool Join(int tries = 1) {
    for (; tries > 0; --tries) {
      m_client->ForgetEvents();
      m_server.ForgetEvents();
      m_connection = m_relay != nullptr ? m_client->Connect(m_relay->Address()) : m_client->Connect(m_port);
      StepUntil([this] { return !m_client->Events().empty(); }, 2 * DefaultParams().timeout_ms);
      if (m_client->CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1) {
        return StepUntil([this] { return m_server.CountOf(MU_TRANSPORT_EVENT_CONNECTED) > 0; }, 2'000);
      }
    }
    return false;
  }
  void Become(const linksim::LinkConditions& conditions) {
    if (m_relay != nullptr) {
      m_relay->SetConditions(conditions, conditions);
    } else {
      m_sim->SetConditions(conditions, conditions);
    }
  }

  [[nodiscard]] End& Server() { return m_server; }
  [[nodiscard]] End& Client() { return *m_client; }
  [[nodiscard]] mu_connection ClientSide() const { return m_connection; }
  [[nodiscard]] mu_connection ServerSide() const { return m_server.First(MU_TRANSPORT_EVENT_CONNECTED).connection; }
  /// LinkSim repeats messages behind the transport's back; the relay repeats datagrams, which it must notice.
  [[nodiscard]] bool MustNoticeRepetitions() const { return m_relay != nullptr; }

 private:
  void Carry() {
    if (m_relay != nullptr) {
      m_relay->Pump();
    }
  }

  End m_server;
  std::uint16_t m_port;
  std::unique_ptr<linksim::UdpRelay> m_relay;
  std::unique_ptr<linksim::LinkSim> m_sim;
  std::unique_ptr<End> m_client;
  mu_connection m_connection = 0;
};

std::string ReliableMessage(std::size_t number) {
  // Now and then one that needs many datagrams.
  const std::size_t size = number % 16 == 7 ? 5'000 : 10 + number % 50;
  std::string message = fmt::format("{:06}", number);
  message.resize(size, static_cast<char>('a' + number % 26));
  return message;
}

std::vector<linksim::LinkConditions> Matrix() {
  std::vector<linksim::LinkConditions> matrix;
  for (const double loss : {0.0, 0.05, 0.2}) {
    for (const std::chrono::nanoseconds delay : {0ms, 60ms}) {
      for (const double duplicate : {0.0, 0.2}) {
        for (const double reorder : {0.0, 0.3}) {
          linksim::LinkConditions conditions;
          conditions.loss = loss;
          conditions.delay = delay;
          conditions.jitter = delay / 4;
          conditions.duplicate = duplicate;
          conditions.reorder = reorder;
          matrix.push_back(conditions);
        }
      }
    }
  }
  return matrix;
}

std::string ToString(const linksim::LinkConditions& conditions) {
  return fmt::format("loss {} duplicate {} reorder {} delay {} ms", conditions.loss, conditions.duplicate,
                     conditions.reorder,
                     std::chrono::duration_cast<std::chrono::milliseconds>(conditions.delay).count());
}

TEST_P(TransportTest, KeepsTheReliableChannelWholeAndInOrderOnAnyLine) {
  constexpr std::size_t kMessages = 120;
  std::vector<std::string> sent;
  for (std::size_t i = 0; i < kMessages; ++i) {
    sent.push_back(ReliableMessage(i));
  }
  std::uint64_t seed = 1;
  for (const linksim::LinkConditions& conditions : Matrix()) {
    SCOPED_TRACE(ToString(conditions));
    Line line{Table(), seed++};
    ASSERT_TRUE(line.Join());
    line.Become(conditions);
    for (std::size_t i = 0; i < kMessages; ++i) {
      ASSERT_EQ(line.Client().Send(line.ClientSide(), MU_CHANNEL_RELIABLE, sent[i]), MU_OK);
      ASSERT_EQ(line.Server().Send(line.ServerSide(), MU_CHANNEL_RELIABLE, sent[i]), MU_OK);
      line.Step();
    }
    line.StepUntil(
        [&] {
          return line.Server().MessagesOn(MU_CHANNEL_RELIABLE).size() >= kMessages &&
                 line.Client().MessagesOn(MU_CHANNEL_RELIABLE).size() >= kMessages;
        },
        20'000);
    ASSERT_EQ(line.Server().MessagesOn(MU_CHANNEL_RELIABLE), sent);
    ASSERT_EQ(line.Client().MessagesOn(MU_CHANNEL_RELIABLE), sent);
    ASSERT_EQ(line.Server().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
    ASSERT_EQ(line.Client().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
  }
}

TEST_P(TransportTest, NeverDeliversAnUnreliableMessageTwiceOrInPiecesOnAnyLine) {
  constexpr std::size_t kMessages = 200;
  const std::size_t largest = DefaultParams().max_datagram_bytes - Table().unreliable_overhead_bytes();
  std::uint64_t seed = 101;
  for (const linksim::LinkConditions& conditions : Matrix()) {
    SCOPED_TRACE(ToString(conditions));
    Line line{Table(), seed++};
    ASSERT_TRUE(line.Join());
    line.Become(conditions);
    std::set<std::string> sent;
    for (std::size_t i = 0; i < kMessages; ++i) {
      std::string message = fmt::format("{:06}", i);
      message.resize(i % 8 == 0 ? largest : 20 + i, 'x');
      sent.insert(message);
      ASSERT_EQ(line.Client().Send(line.ClientSide(), MU_CHANNEL_UNRELIABLE, message), MU_OK);
      line.Step();
    }
    line.StepUntil([] { return false; }, 500);
    const std::vector<std::string> received = line.Server().MessagesOn(MU_CHANNEL_UNRELIABLE);
    const std::set<std::string> distinct(received.begin(), received.end());
    EXPECT_TRUE(std::includes(sent.begin(), sent.end(), distinct.begin(), distinct.end())) << "a message nobody sent";
    if (line.MustNoticeRepetitions() || conditions.duplicate == 0) {
      EXPECT_EQ(received.size(), distinct.size()) << "a message twice";
    }
    // Four standard deviations below what the line lets through.
    const double kept = static_cast<double>(kMessages) * (1 - conditions.loss);
    EXPECT_GE(static_cast<double>(distinct.size()), kept - 4 * std::sqrt(kept * conditions.loss) - 0.5);
  }
}

TEST_P(TransportTest, ComesUpOnABadLine) {
  linksim::LinkConditions bad;
  bad.loss = 0.2;
  bad.duplicate = 0.2;
  bad.reorder = 0.3;
  bad.delay = 60ms;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Line line{Table(), seed};
    line.Become(bad);
    ASSERT_TRUE(line.Join(4));
    ASSERT_EQ(line.Client().Send(line.ClientSide(), MU_CHANNEL_RELIABLE, "hello"), MU_OK);
    EXPECT_TRUE(line.StepUntil([&] { return line.Server().MessagesOn(MU_CHANNEL_RELIABLE).size() == 1; }, 5'000));
  }
}

TEST_P(TransportTest, EndsAConnectionInOrderOnABadLine) {
  linksim::LinkConditions bad;
  bad.loss = 0.2;
  bad.duplicate = 0.2;
  bad.reorder = 0.3;
  bad.delay = 40ms;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Line line{Table(), seed};
    ASSERT_TRUE(line.Join());
    line.Become(bad);
    for (std::size_t i = 0; i < 20; ++i) {
      ASSERT_EQ(line.Client().Send(line.ClientSide(), MU_CHANNEL_RELIABLE, std::to_string(i)), MU_OK);
    }
    line.Client().Disconnect(line.ClientSide(), 77);
    EXPECT_TRUE(line.StepUntil(
        [&] {
          return line.Client().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) == 1 &&
                 line.Server().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) == 1;
        },
        4 * DefaultParams().timeout_ms));
    EXPECT_EQ(line.Server().MessagesOn(MU_CHANNEL_RELIABLE).size(), 20u);
    EXPECT_EQ(line.Client().First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_LOCAL);
    EXPECT_EQ(line.Server().Events().back().event.kind, MU_TRANSPORT_EVENT_DISCONNECTED);
  }
}

TEST_P(SocketTransportTest, OutlivesALineThatIsDeadForLessThanItsTimeout) {
  linksim::LinkConditions dead;
  dead.loss = 1;
  Line line{Table(), 5};
  ASSERT_TRUE(line.Join());
  EXPECT_EQ(line.Client().Send(line.ClientSide(), MU_CHANNEL_RELIABLE, "before"), MU_OK);
  line.StepUntil([] { return false; }, 500);
  line.Become(dead);
  EXPECT_EQ(line.Client().Send(line.ClientSide(), MU_CHANNEL_RELIABLE, "during"), MU_OK);
  line.StepUntil([] { return false; }, DefaultParams().timeout_ms - 1'500);
  line.Become({});
  EXPECT_TRUE(line.StepUntil([&] { return line.Server().MessagesOn(MU_CHANNEL_RELIABLE).size() == 2; }, 4'000));
  EXPECT_EQ(line.Server().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
  EXPECT_GT(line.Client().Stats().reliable_resent, 0u);
}

TEST_P(SocketTransportTest, EndsBothSidesOfALineThatStaysDead) {
  linksim::LinkConditions dead;
  dead.loss = 1;
  Line line{Table(), 6};
  ASSERT_TRUE(line.Join());
  line.Become(dead);
  EXPECT_TRUE(line.StepUntil(
      [&] {
        return line.Client().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) == 1 &&
               line.Server().CountOf(MU_TRANSPORT_EVENT_DISCONNECTED) == 1;
      },
      DefaultParams().timeout_ms + 1'000));
  EXPECT_EQ(line.Client().First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_TIMEOUT);
  EXPECT_EQ(line.Server().First(MU_TRANSPORT_EVENT_DISCONNECTED).code, MU_DISCONNECT_TIMEOUT);
  EXPECT_EQ(line.Server().Stats().connections, 0u);
}

}  // namespace
}  // namespace muster::conformance
