// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the ENet transport withstands and what only it does: raw datagrams against its socket, and a wire that reorders.
#include <poll.h>

#include <algorithm>
#include <random>

#include "RawSocket.h"
#include "TransportBench.h"

namespace muster::conformance {
namespace {

const mu_transport_v0& Enet() {
  return TransportLibrary::Of("EnetTransport").Table();
}

/// A server, an honest client that is connected, and an attacker of another address.
class EnetUnderAttack : public testing::Test {
 protected:
  explicit EnetUnderAttack(mu_transport_params params = DefaultParams())
      : m_server{Enet(), params}, m_client{Enet()}, m_attacker{66} {
    m_port = m_server.Listen();
    m_connection = m_client.Connect(m_port);
    EXPECT_TRUE(PumpUntil({&m_client, &m_server}, [this] { return m_client.Stats().connections == 1 && IsJoined(); }));
  }
  [[nodiscard]] bool IsJoined() const {
    return m_client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1 && m_server.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1;
  }

  /// Ten seconds of play at 60 Hz, with `attack` before each tick. Returns the share of honest messages received.
  template <class Attack>
  double ShareReceived(Attack&& attack) {
    constexpr int kTicks = 600;
    const std::size_t before = m_server.MessagesOn(MU_CHANNEL_UNRELIABLE).size();
    for (int tick = 0; tick < kTicks; ++tick) {
      attack(tick);
      EXPECT_EQ(m_client.Send(m_connection, MU_CHANNEL_UNRELIABLE, std::string(60, 'i')), MU_OK);
      m_client.Flush();
      // One pass a tick, as the network thread's worst case.
      OnePass(m_server);
      m_client.Service();
      AdvanceClock(16);
    }
    m_server.Service();
    EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
    EXPECT_EQ(m_client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
    return static_cast<double>(m_server.MessagesOn(MU_CHANNEL_UNRELIABLE).size() - before) / kTicks;
  }

  static void OnePass(End& end) { end.Service(256); }

  std::uint64_t ErrorsAfter(const Datagram& datagram) {
    const std::uint64_t before = m_server.Stats().receive_errors;
    m_attacker.SendTo(m_port, datagram);
    m_server.Service();
    return m_server.Stats().receive_errors - before;
  }

  End m_server;
  End m_client;
  RawSocket m_attacker;
  std::uint16_t m_port = 0;
  mu_connection m_connection = 0;
};

TEST_F(EnetUnderAttack, LosesNothingToOversizeAndEmptyDatagrams) {
  const Datagram large[] = {Datagram(4'097, 1), Datagram(9'000, 2), Datagram(65'507, 3), Datagram{}};
  std::uint64_t sent = 0;
  const std::uint64_t errorsBefore = m_server.Stats().receive_errors;
  EXPECT_GE(ShareReceived([&](int) {
              for (const Datagram& datagram : large) {
                m_attacker.SendTo(m_port, datagram);
                ++sent;
              }
            }),
            0.99);
  EXPECT_EQ(m_server.Stats().receive_errors - errorsBefore, sent);
}

TEST_F(EnetUnderAttack, LosesNothingToGarbage) {
  std::mt19937 random{20'260'101};
  EXPECT_GE(ShareReceived([&](int) {
              for (int i = 0; i < 16; ++i) {
                Datagram datagram(1 + random() % 300);
                std::generate(datagram.begin(), datagram.end(), [&] { return static_cast<std::uint8_t>(random()); });
                if (i % 2 == 0 && datagram.size() > 4) {
                  // A header that names the honest client's slot, so that the commands behind it are looked at.
                  datagram[0] = 0x80;
                  datagram[1] = 0;
                }
                m_attacker.SendTo(m_port, datagram);
              }
            }),
            0.99);
  EXPECT_GT(m_server.Stats().receive_errors, 0u);
}

TEST_F(EnetUnderAttack, CountsOversizeDatagramsAtTheGateToo) {
  struct Gate {
    std::uint64_t calls = 0;
    std::uint64_t largest = 0;
    static std::uint32_t Ask(void* context, const mu_address*, mu_bytes datagram, std::uint8_t*, std::uint32_t,
                             std::uint32_t*) {
      auto& self = *static_cast<Gate*>(context);
      ++self.calls;
      self.largest = std::max(self.largest, datagram.size);
      return MU_GATE_PASS;
    }
  } gate;
  mu_transport_params params = DefaultParams();
  params.gate = mu_raw_gate{&gate, &Gate::Ask};
  End server{Enet(), params};
  const std::uint16_t port = server.Listen();
  m_attacker.SendTo(port, Datagram(9'000, 1));
  m_attacker.SendTo(port, Datagram(10, 0));
  m_attacker.SendTo(port, Datagram(1'201, 1));
  server.Service();
  EXPECT_EQ(gate.calls, 3u);
  EXPECT_EQ(gate.largest, 4'096u);
  EXPECT_EQ(server.Stats().receive_errors, 3u);
  EXPECT_EQ(server.Stats().bytes_in, 10'211u);
}

TEST_F(EnetUnderAttack, RefusesTheShapesThatEnetMishandles) {
  const auto fragment = [](std::uint32_t command, std::uint32_t length, std::uint32_t count, std::uint32_t number,
                           std::uint32_t total, std::uint32_t offset) {
    return EnetBytes::FromPeer().Fragment(command, length, count, number, total, offset).Bytes();
  };
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 100, 2, 0, 600, 0)), 0u) << "an honest fragment";
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 0, 2, 0, 600, 0)), 1u) << "no length";
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 100, 2, 2, 600, 0)), 1u) << "number beyond count";
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 100, 2, 0, 600, 550)), 1u) << "end beyond total";
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 100, 2, 0, 600, 0xffffffff)), 1u) << "offset that overflows";
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 100, 200, 0, 70'000, 0)), 1u) << "larger than any message";
  EXPECT_EQ(ErrorsAfter(fragment(0x88, 1, 1'048'576, 0, 1, 0)), 1u) << "a million pieces of one byte";
  EXPECT_EQ(ErrorsAfter(fragment(0x0c, 100, 2, 0, 600, 0)), 1u) << "unreliable fragments are never sent";
  EXPECT_EQ(ErrorsAfter(EnetBytes::FromPeer().U8(0x07).U8(0).U16(0).U16(1).U16(0).Bytes()), 1u) << "unused command";
  EXPECT_EQ(ErrorsAfter(EnetBytes::FromPeer().U8(0x0f).Bytes()), 1u) << "no such command";
  EXPECT_EQ(ErrorsAfter(EnetBytes::FromPeer().U8(0x86).U8(1).U16(1).U16(9).Fill(8).Bytes()), 1u) << "cut short";
  EXPECT_EQ(ErrorsAfter(EnetBytes().U16(0xc000).U16(0).Fill(40).Bytes()), 1u) << "compressed";
  EXPECT_EQ(ErrorsAfter(Datagram{0x80}), 1u) << "half a header";
}

TEST_F(EnetUnderAttack, SurvivesEveryTruncationOfARequestToConnect) {
  const Datagram whole = EnetBytes::Connect(7).Bytes();
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_EQ(ErrorsAfter(Datagram(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))), 1u) << length;
  }
  EXPECT_EQ(ErrorsAfter(whole), 0u);
}

TEST_F(EnetUnderAttack, AnswersARequestForLargeDatagramsWithItsOwnLimit) {
  m_attacker.SendTo(m_port, EnetBytes::Connect(9, 4'096).Bytes());
  m_server.Service();
  Datagram reply;
  std::uint16_t from = 0;
  bool hasVerified = false;
  while (m_attacker.Receive(reply, from)) {
    // After the header of 4 bytes, perhaps an acknowledgement of 8, then VERIFY_CONNECT with the size at its byte 8.
    const std::size_t command = reply.size() > 12 && (reply[4] & 15) == 1 ? 12 : 4;
    if (reply.size() >= command + 12 && (reply[command] & 15) == 3) {
      hasVerified = true;
      EXPECT_EQ(
          (reply[command + 8] << 24) | (reply[command + 9] << 16) | (reply[command + 10] << 8) | reply[command + 11],
          1'200);
    }
  }
  EXPECT_TRUE(hasVerified);
}

class EnetWithIpLimit : public EnetUnderAttack {
 protected:
  static mu_transport_params Limited() {
    mu_transport_params params = DefaultParams();
    params.max_connections_per_ip = 4;
    return params;
  }
  EnetWithIpLimit() : EnetUnderAttack{Limited()} {}
};

TEST_F(EnetWithIpLimit, KeepsHalfOpenConnectionsOfOneAddressBelowItsLimit) {
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    m_attacker.SendTo(m_port, EnetBytes::Connect(i + 1).Bytes());
    if (i % 100 == 0) {
      m_server.Service();
    }
  }
  m_server.Service();
  EXPECT_GE(m_server.Stats().refused_connections, 900u);
  End late{Enet()};
  late.Connect(m_port);
  EXPECT_TRUE(PumpUntil(
      {&late, &m_server}, [&] { return late.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }, 2'000));
}

TEST_F(EnetUnderAttack, FreesHalfOpenConnectionsWithinSeconds) {
  for (std::uint32_t i = 0; i < 200; ++i) {
    m_attacker.SendTo(m_port, EnetBytes::Connect(i + 1).Bytes());
  }
  m_server.Service();
  End late{Enet()};
  late.Connect(m_port);
  // All slots are taken by then; ENet alone would keep them for half a minute.
  EXPECT_TRUE(PumpUntil(
      {&late, &m_server, &m_client}, [&] { return late.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1; }, 4'000));
  EXPECT_EQ(m_client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

TEST_F(EnetUnderAttack, AClientListensToNobodyButItsServer) {
  const std::uint16_t clientPort = m_server.First(MU_TRANSPORT_EVENT_CONNECTED).address.port;
  const std::uint64_t before = m_client.Stats().receive_errors;
  m_attacker.SendTo(clientPort, EnetBytes::Connect(3).Bytes());
  m_attacker.SendTo(clientPort, EnetBytes::FromPeer().U8(5).U8(0xff).U16(1).Bytes());
  m_client.Service();
  EXPECT_EQ(m_client.Stats().receive_errors - before, 2u);
  Datagram reply;
  std::uint16_t from = 0;
  EXPECT_FALSE(m_attacker.Receive(reply, from));
}

TEST_F(EnetUnderAttack, SpendsExactlyTenBytesBesideAMessageInItsOwnDatagram) {
  PumpFor({&m_client, &m_server}, 100);
  for (const std::size_t size : {std::size_t{1}, std::size_t{500}, std::size_t{1'188}}) {
    const mu_transport_stats before = m_client.Stats();
    EXPECT_EQ(m_client.Send(m_connection, MU_CHANNEL_UNRELIABLE, std::string(size, 'x')), MU_OK);
    m_client.Flush();
    const mu_transport_stats after = m_client.Stats();
    EXPECT_EQ(after.datagrams_out - before.datagrams_out, 1u);
    EXPECT_EQ(after.bytes_out - before.bytes_out, size + 10);
  }
  EXPECT_EQ(Enet().unreliable_overhead_bytes(), 12u);
}

TEST_F(EnetUnderAttack, SurvivesAPauseOfTheWholeProcess) {
  PumpFor({&m_client, &m_server}, 1'000);
  AdvanceClock(60'000);
  PumpFor({&m_client, &m_server}, 3'000);
  EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
  EXPECT_EQ(m_client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
}

TEST_F(EnetUnderAttack, WakesWhoeverWaitsForTheSocket) {
  pollfd wait{Enet().wait_handle(m_server.Raw()), POLLIN, 0};
  ASSERT_GE(wait.fd, 0);
  m_server.Service();
  EXPECT_EQ(poll(&wait, 1, 0), 0);
  m_attacker.SendTo(m_port, Datagram(10, 1));
  EXPECT_EQ(poll(&wait, 1, 1'000), 1);
  m_server.Service();
  EXPECT_EQ(poll(&wait, 1, 0), 0);
}

TEST_F(EnetUnderAttack, BoundsWhatOnePassTakesFromAFlood) {
  // A flood as fast as the loop: the pass ends, and the honest message behind it arrives with a later one.
  for (int i = 0; i < 20'000; ++i) {
    m_attacker.SendTo(m_port, Datagram(20, static_cast<std::uint8_t>(i)));
  }
  const std::uint64_t before = m_server.Stats().datagrams_in;
  std::vector<mu_transport_event> events(16);
  std::uint32_t count = 0;
  ASSERT_EQ(Enet().service(m_server.Raw(), events.data(), 16, &count), MU_OK);
  EXPECT_LE(m_server.Stats().datagrams_in - before, 32u * 512u);
}

TEST(EnetAddresses, SpeaksIpv4Only) {
  End end{Enet()};
  mu_address six{};
  six.ip[15] = 1;
  six.port = 5'000;
  six.ip[0] = 0x20;
  mu_address bound{};
  mu_connection connection = 0;
  EXPECT_EQ(Enet().listen(end.Raw(), &six, &bound), MU_E_NOT_SUPPORTED);
  EXPECT_EQ(Enet().connect(end.Raw(), &six, &connection), MU_E_NOT_SUPPORTED);
  six.ip[0] = 0;  // ::1
  EXPECT_EQ(Enet().listen(end.Raw(), &six, &bound), MU_E_NOT_SUPPORTED);
  EXPECT_NE(TransportLibrary::LastError().find("IPv4 only"), std::string::npos) << TransportLibrary::LastError();
  EXPECT_EQ(Enet().connect(end.Raw(), &six, &connection), MU_E_NOT_SUPPORTED);
  EXPECT_NE(TransportLibrary::LastError().find("IPv4"), std::string::npos) << TransportLibrary::LastError();
}

/// Carries datagrams between a client and a server and may hold, repeat and reorder those of the client.
class Wire {
 public:
  explicit Wire(std::uint16_t serverPort) : m_serverPort{serverPort} {}
  [[nodiscard]] std::uint16_t Port() const { return m_front.Port(); }

  void Carry() {
    Datagram datagram;
    std::uint16_t from = 0;
    while (m_front.Receive(datagram, m_clientPort)) {
      m_held.push_back(datagram);
    }
    if (!isHolding) {
      Release();
    }
    while (m_back.Receive(datagram, from)) {
      m_front.SendTo(m_clientPort, datagram);
    }
  }
  void Release() {
    for (const Datagram& datagram : m_held) {
      m_back.SendTo(m_serverPort, datagram);
    }
    m_held.clear();
  }
  void Reverse() { std::reverse(m_held.begin(), m_held.end()); }
  void Repeat() {
    const std::vector<Datagram> once = m_held;
    m_held.insert(m_held.end(), once.begin(), once.end());
  }
  bool isHolding = false;

 private:
  RawSocket m_front;
  RawSocket m_back;
  std::uint16_t m_serverPort;
  std::uint16_t m_clientPort = 0;
  std::vector<Datagram> m_held;
};

class EnetOverABadWire : public testing::Test {
 protected:
  EnetOverABadWire() : m_server{Enet()}, m_client{Enet()}, m_wire{m_server.Listen()} {
    m_connection = m_client.Connect(m_wire.Port());
    for (int i = 0; i < 100; ++i) {
      Step();
    }
    EXPECT_EQ(m_client.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 1u);
  }
  void Step() {
    m_client.Service();
    m_wire.Carry();
    m_server.Service();
    m_wire.Carry();
    AdvanceClock(5);
  }
  void SendNumbered(int first, int count) {
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(m_client.Send(m_connection, MU_CHANNEL_UNRELIABLE, std::to_string(first + i)), MU_OK);
      m_client.Flush();
    }
    m_wire.Carry();
  }
  std::size_t Received() const { return m_server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(); }

  End m_server;
  End m_client;
  Wire m_wire;
  mu_connection m_connection = 0;
};

TEST_F(EnetOverABadWire, DeliversLateMessagesOfTheSameWindow) {
  m_wire.isHolding = true;
  SendNumbered(0, 100);
  m_wire.Reverse();
  m_wire.Release();
  m_server.Service();
  ASSERT_EQ(Received(), 100u);
  EXPECT_EQ(m_server.MessagesOn(MU_CHANNEL_UNRELIABLE).front(), "99");
}

TEST_F(EnetOverABadWire, DeliversARepeatedMessageOnce) {
  m_wire.isHolding = true;
  SendNumbered(0, 100);
  m_wire.Repeat();
  m_wire.Release();
  m_server.Service();
  EXPECT_EQ(Received(), 100u);
}

TEST_F(EnetOverABadWire, LosesOnlyWhatComesLateAcrossAWindowOf1024) {
  for (int first = 1; first <= 1'000; first += 100) {
    SendNumbered(first, 100);
    m_server.Service();
  }
  ASSERT_EQ(Received(), 1'000u);
  m_wire.isHolding = true;
  SendNumbered(1'001, 100);
  m_wire.Reverse();
  m_wire.Release();
  m_server.Service();
  // Messages 1,024 and later opened the next window before 1,001 to 1,023 came.
  EXPECT_EQ(Received(), 1'000u + 77u);
}

TEST_F(EnetOverABadWire, NeverDropsUnreliableMessagesOfItsOwnAccordWhenTheDelayGrows) {
  // ENet's throttle would read a growing round trip as congestion and drop most of these.
  std::size_t sent = 0;
  for (int round = 0; round < 40; ++round) {
    m_wire.isHolding = true;
    EXPECT_EQ(m_client.Send(m_connection, MU_CHANNEL_RELIABLE, "probe"), MU_OK);
    SendNumbered(round * 20, 20);
    sent += 20;
    AdvanceClock(static_cast<std::uint64_t>(20 * round));
    m_wire.Carry();
    m_wire.isHolding = false;
    for (int i = 0; i < 4; ++i) {
      Step();
    }
  }
  EXPECT_EQ(Received(), sent);
}

}  // namespace
}  // namespace muster::conformance
