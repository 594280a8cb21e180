// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What strangers send to a transport with a socket changes nothing for the honest.
#include <algorithm>
#include <random>

#include "RawSocket.h"
#include "TransportBench.h"

namespace muster::conformance {
namespace {

/// Keeps what the honest client sent, so that it can be sent again by somebody else.
struct Recorder {
  std::vector<Datagram> datagrams;
  std::uint16_t honestPort = 0;
  bool isRecording = true;

  static std::uint32_t Hear(void* context, const mu_address* from, mu_bytes bytes, std::uint8_t*, std::uint32_t,
                            std::uint32_t*) {
    auto& self = *static_cast<Recorder*>(context);
    self.honestPort = self.honestPort == 0 ? from->port : self.honestPort;
    if (self.isRecording && from->port == self.honestPort && bytes.size > 0) {
      self.datagrams.emplace_back(bytes.data, bytes.data + bytes.size);
    }
    return MU_GATE_PASS;
  }
};

class Siege {
 public:
  explicit Siege(const mu_transport_v0& table)
      : m_server{table, WithGate(m_recorder)}, m_client{table}, m_attacker{66}, m_port{m_server.Listen()} {
    m_connection = m_client.Connect(m_port);
    EXPECT_TRUE(PumpUntil({&m_client, &m_server}, [this] {
      return m_client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1 && m_server.CountOf(MU_TRANSPORT_EVENT_CONNECTED) == 1;
    }));
    Play(60, [](int) {});
    m_recorder.isRecording = false;
  }

  /// Ticks of play at 60 Hz with `attack` before each; every honest message must arrive, and nothing else.
  template <class Attack>
  void Play(int ticks, Attack&& attack) {
    for (int tick = 0; tick < ticks; ++tick) {
      attack(tick);
      const std::string message = std::to_string(m_sent++);
      EXPECT_EQ(m_client.Send(m_connection, MU_CHANNEL_UNRELIABLE, message), MU_OK);
      EXPECT_EQ(m_client.Send(m_connection, MU_CHANNEL_RELIABLE, message), MU_OK);
      m_client.Flush();
      m_server.Service(256);
      m_client.Service();
      AdvanceClock(16);
    }
    PumpFor({&m_client, &m_server}, 500);
    std::vector<std::string> expected(static_cast<std::size_t>(m_sent));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = std::to_string(i);
    }
    EXPECT_EQ(m_server.MessagesOn(MU_CHANNEL_RELIABLE), expected);
    EXPECT_EQ(m_server.MessagesOn(MU_CHANNEL_UNRELIABLE), expected);
    EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 1u);
    EXPECT_EQ(m_server.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
    EXPECT_EQ(m_client.CountOf(MU_TRANSPORT_EVENT_DISCONNECTED), 0u);
    EXPECT_EQ(m_server.Stats().connections, 1u);
  }

  void Shoot(const Datagram& datagram) {
    m_attacker.SendTo(m_port, datagram);
    ++m_shots;
  }
  [[nodiscard]] const std::vector<Datagram>& Recorded() const { return m_recorder.datagrams; }
  [[nodiscard]] End& Server() { return m_server; }
  [[nodiscard]] End& Client() { return m_client; }
  [[nodiscard]] std::uint64_t Shots() const { return m_shots; }
  RawSocket& Attacker() { return m_attacker; }

 private:
  static mu_transport_params WithGate(Recorder& recorder) {
    mu_transport_params params = DefaultParams();
    params.gate = mu_raw_gate{&recorder, &Recorder::Hear};
    return params;
  }

  Recorder m_recorder;
  End m_server;
  End m_client;
  RawSocket m_attacker;
  std::uint16_t m_port;
  mu_connection m_connection = 0;
  int m_sent = 0;
  std::uint64_t m_shots = 0;
};

TEST_P(SocketTransportTest, LosesNothingToRandomDatagrams) {
  Siege siege{Table()};
  std::mt19937 random{20'260'102};
  const std::uint64_t before = siege.Server().Stats().receive_errors;
  siege.Play(300, [&](int) {
    for (int i = 0; i < 16; ++i) {
      Datagram datagram(1 + random() % 300);
      std::generate(datagram.begin(), datagram.end(), [&] { return static_cast<std::uint8_t>(random()); });
      siege.Shoot(datagram);
    }
  });
  EXPECT_GT(siege.Server().Stats().receive_errors, before);
}

TEST_P(SocketTransportTest, LosesNothingToOversizeAndEmptyDatagrams) {
  Siege siege{Table()};
  const std::uint64_t before = siege.Server().Stats().receive_errors;
  siege.Play(120, [&](int) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1'201}, std::size_t{4'097}, std::size_t{65'507}}) {
      siege.Shoot(Datagram(size, 7));
    }
  });
  EXPECT_EQ(siege.Server().Stats().receive_errors - before, siege.Shots());
}

TEST_P(SocketTransportTest, LosesNothingToWhatItHeardBeforeFromAnotherAddress) {
  Siege siege{Table()};
  const std::vector<Datagram> recorded = siege.Recorded();
  ASSERT_GE(recorded.size(), 60u);
  siege.Play(120, [&](int tick) {
    for (int i = 0; i < 8; ++i) {
      siege.Shoot(recorded[static_cast<std::size_t>(tick * 8 + i) % recorded.size()]);
    }
  });
}

TEST_P(SocketTransportTest, LosesNothingToEveryTruncationOfWhatItHeard) {
  Siege siege{Table()};
  std::vector<Datagram> cut;
  const std::vector<Datagram>& recorded = siege.Recorded();
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}, std::size_t{2}, recorded.size() / 2}) {
    for (std::size_t size = 1; size < recorded[index].size(); ++size) {
      cut.emplace_back(recorded[index].begin(), recorded[index].begin() + static_cast<std::ptrdiff_t>(size));
    }
  }
  std::size_t next = 0;
  siege.Play(60, [&](int) {
    for (int i = 0; i < 8 && next < cut.size(); ++i) {
      siege.Shoot(cut[next++]);
    }
  });
}

TEST_P(SocketTransportTest, LosesNothingToFlippedBitsOfWhatItHeard) {
  Siege siege{Table()};
  std::mt19937 random{20'260'103};
  const std::vector<Datagram> recorded = siege.Recorded();
  siege.Play(200, [&](int) {
    for (int i = 0; i < 8; ++i) {
      Datagram datagram = recorded[random() % recorded.size()];
      for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips) {
        datagram[random() % datagram.size()] ^= static_cast<std::uint8_t>(1U << (random() % 8));
      }
      siege.Shoot(datagram);
    }
  });
}

TEST_P(SocketTransportTest, LosesNothingToWhatIsShotAtAClient) {
  Siege siege{Table()};
  const std::uint16_t clientPort = siege.Server().First(MU_TRANSPORT_EVENT_CONNECTED).address.port;
  std::mt19937 random{20'260'104};
  const std::vector<Datagram> recorded = siege.Recorded();
  siege.Play(120, [&](int) {
    for (int i = 0; i < 8; ++i) {
      Datagram datagram = recorded[random() % recorded.size()];
      if (random() % 2 == 0) {
        std::generate(datagram.begin(), datagram.end(), [&] { return static_cast<std::uint8_t>(random()); });
      }
      siege.Attacker().SendTo(clientPort, datagram);
    }
  });
  Datagram answer;
  std::uint16_t from = 0;
  EXPECT_FALSE(siege.Attacker().Receive(answer, from)) << "a client answers nobody but its server";
}

}  // namespace
}  // namespace muster::conformance
