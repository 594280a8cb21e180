// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reports of what hurt other servers, tried on a whole server of ours.
#include "Console.h"
#include "VirtualWorld.h"

#include "Core/Utf8.h"
#include "Link/ClientLink.h"
#include "Link/PluginIdentity.h"
#include "Protocol/JoinMessages.h"
#include "Protocol/RefusalCodes.h"
#include "Telemetry/ServerTickReport.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace muster::tests {
namespace {

using State = netclient::Client::State;
using namespace std::chrono_literals;

/// A UDP socket that sends what it likes to a port of this machine.
class Attacker {
 public:
  explicit Attacker(std::uint16_t port) : m_socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    m_to.sin_family = AF_INET;
    m_to.sin_port = htons(port);
    m_to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  ~Attacker() { ::close(m_socket); }

  bool Send(const std::vector<std::uint8_t>& bytes) const {
    return ::sendto(m_socket, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&m_to), sizeof m_to) ==
           static_cast<ssize_t>(bytes.size());
  }

 private:
  int m_socket;
  sockaddr_in m_to{};
};

/// A server on a real socket with bots that play, all on this thread, in the machine's time.
class EnetWorld {
 public:
  explicit EnetWorld(std::size_t bots) {
    server::ServerConfig config;
    config.network.transport = "muster.transport.enet";
    config.server.port = 0;
    config.world.simWorkerThreads = 1;
    config.world.testSpawnAiCount = 20;
    config.security.connectRateLimitCount = 0;
    config.security.preHandshakeRateLimitCount = 1'000;
    auto made = server::GameServer::Create(
        config, {.clock = m_clock,
                 .logSink = m_sink,
                 .pluginRoots = {{std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "Plugins"}},
                 .contentDirectory = std::filesystem::path{MUSTER_TEST_SOURCE_DIR} / "Content"});
    if (!made) {
      throw std::runtime_error{made.Failure().ToString()};
    }
    m_server = std::move(*made);
    m_address = m_server->Listen().Value();
    auto& catalog = m_server->Plugins().Catalog();
    m_transport = *catalog.Find<mu_transport_v0>("muster.transport.enet");
    m_codec = *catalog.Find<mu_snapshot_codec_v0>(m_server->Identity().codecName);
    for (std::size_t i = 0; i < bots; ++i) {
      netclient::ClientConfig client;
      client.name = "bot-" + std::to_string(i);
      client.identity = m_server->Identity();
      m_bots.push_back(std::make_unique<netclient::Client>(client, m_transport.table, *m_codec.table, m_clock));
      if (auto begun = m_bots.back()->Connect(m_address); !begun) {
        throw std::runtime_error{begun.Failure().ToString()};
      }
    }
    m_next = m_clock.Now();
  }

  void Step() {
    m_next += kTickDuration;
    m_clock.SleepUntil(m_next);
    for (auto& bot : m_bots) {
      bot->Update([](Tick) { return mu_control{}; });
    }
    m_server->Link().Service();
    m_server->RunTick(++m_tick);
    m_server->Link().Service();
  }

  [[nodiscard]] std::uint64_t InputsSent() const {
    std::uint64_t sent = 0;
    for (const auto& bot : m_bots) {
      sent += bot->Stats().inputsSent;
    }
    return sent;
  }
  [[nodiscard]] bool AllPlay() const {
    return std::all_of(m_bots.begin(), m_bots.end(), [](const auto& bot) { return bot->Phase() == State::Playing; });
  }
  [[nodiscard]] server::GameServer& Server() { return *m_server; }
  [[nodiscard]] std::uint16_t Port() const { return m_address.port; }
  [[nodiscard]] const mu_address& Address() const { return m_address; }
  [[nodiscard]] SteadyClock& Clock() { return m_clock; }

 private:
  SteadyClock m_clock;
  MemorySink m_sink;
  std::unique_ptr<server::GameServer> m_server;
  plugins::Provider<mu_transport_v0> m_transport;
  plugins::Provider<mu_snapshot_codec_v0> m_codec;
  mu_address m_address{};
  std::vector<std::unique_ptr<netclient::Client>> m_bots;
  MonotonicTime m_next{};
  Tick m_tick{};
};

TEST(HostileInput, H02OversizeDatagramsAreCountedAndHoldNobodyUp) {
  EnetWorld world{8};
  for (int tick = 0; tick < 300 && !world.AllPlay(); ++tick) {
    world.Step();
  }
  ASSERT_TRUE(world.AllPlay());
  const Attacker attacker{world.Port()};
  const std::vector<std::uint8_t> datagrams[] = {
      std::vector<std::uint8_t>(4'097, 1), std::vector<std::uint8_t>(9'000, 2), std::vector<std::uint8_t>(65'507, 3)};
  const link::LinkStats before = world.Server().Link().Stats();
  const std::uint64_t inputsBefore = world.InputsSent();
  std::uint64_t sent = 0;
  for (int tick = 0; tick < 90; ++tick) {
    for (const auto& datagram : datagrams) {
      // Each is taken before the next comes, so that the kernel has room for all and every one can be counted.
      sent += attacker.Send(datagram) ? 1U : 0U;
      world.Server().Link().Service();
    }
    world.Step();
  }
  const link::LinkStats after = world.Server().Link().Stats();
  ASSERT_EQ(sent, 270U);
  EXPECT_EQ(after.Dropped(link::DropReason::GateOversize) - before.Dropped(link::DropReason::GateOversize), sent);
  EXPECT_GE(after.gateDropped - before.gateDropped, sent);
  EXPECT_TRUE(world.AllPlay());
  EXPECT_EQ(after.peers, 8U);
  const auto inputs = static_cast<double>(world.InputsSent() - inputsBefore);
  EXPECT_GT(inputs, 8.0 * 60);
  EXPECT_GE(static_cast<double>(after.packetsIn - before.packetsIn), 0.99 * inputs - 8.0);
}

/// What H-16 joins as. The longest is what fits one datagram; a longer one has a test of its own.
std::vector<std::string> NamesThatForge() {
  return {"a\n[INFO] admin logged in", "\x1b[2J\x1b]0;owned\x07", "\xC3\x28", "\xED\xA0\x80",
          std::string(1'000, 'n'),     std::string{"a\0b", 3},    "a\u2028b"};
}

/// A join with any bytes for a name, as no client of ours would send it.
std::vector<std::byte> JoinAs(const std::string& name) {
  std::vector<std::byte> message(3 + name.size());
  message[0] = std::byte{static_cast<std::uint8_t>(protocol::MessageType::JoinRequest)};
  message[1] = std::byte{static_cast<std::uint8_t>(name.size() & 0xFFU)};
  message[2] = std::byte{static_cast<std::uint8_t>(name.size() >> 8U)};
  std::memcpy(message.data() + 3, name.data(), name.size());
  return message;
}

/// The code of the refusal that a join under this name gets; 0 for none.
template <class World>
std::uint16_t RefusalOf(World& world, std::string_view transportId, const std::string& name) {
  plugins::ProviderCatalog& catalog = world.Server().Plugins().Catalog();
  const auto transport = catalog.Find<mu_transport_v0>(transportId);
  link::ClientLinkConfig config;
  config.identity = world.Server().Identity();
  link::ClientLink link{transport->table, config, world.Clock()};
  EXPECT_TRUE(link.Connect(world.Address()).HasValue());
  std::uint16_t code = 0;
  bool isSent = false;
  for (int tick = 0; tick < 40; ++tick) {
    link.Service();
    link::LinkEvent event;
    while (link.PollEvent(event)) {
      protocol::Refusal refusal;
      if (event.kind == link::LinkEvent::Kind::Message &&
          protocol::DecodeSealedRefusal(event.message, refusal) == protocol::DecodeStatus::Ok) {
        code = refusal.code;
        EXPECT_EQ(EscapeControl(refusal.text), refusal.text);
      }
    }
    if (!isSent && link.Phase() == link::ClientLink::State::Open) {
      isSent = link.SendReliable(JoinAs(name));
    }
    world.Step();
  }
  EXPECT_TRUE(isSent);
  link.Disconnect();
  link.Service();
  world.Step();
  return code;
}

TEST(HostileInput, H16NamesThatForgeAreRefusedAndLeaveOneEscapedLineEach) {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  config.world.testSpawnAiCount = 5;
  VirtualWorld world{config};
  world.AddClient("Ada");
  world.Steps(60);
  for (const std::string& name : NamesThatForge()) {
    const std::size_t linesBefore = world.Log().Entries().size();
    EXPECT_EQ(RefusalOf(world, "muster.transport.loopback", name), protocol::kBadName.number)
        << EscapeControl(name.substr(0, 40));
    world.Steps(60);  // a second, so that the log's throttle lets the next one through
    const auto entries = world.Log().Entries();
    std::size_t refusals = 0;
    for (std::size_t i = linesBefore; i < entries.size(); ++i) {
      EXPECT_EQ(EscapeControl(entries[i].text), entries[i].text);
      EXPECT_LT(entries[i].text.size(), 1'000U);
      refusals += entries[i].text.starts_with("refused") ? 1U : 0U;
    }
    EXPECT_EQ(refusals, 1U) << EscapeControl(name.substr(0, 40));
  }
  EXPECT_EQ(world.Server().Sessions().Stats().joined, 1U);
  EXPECT_EQ(world.Server().Sessions().Stats().refused, NamesThatForge().size());
  EXPECT_EQ(world.Server().Sessions().Stats().malformed, 0U);

  telemetry::ServerTickReport report;
  report.summary = world.Server().Timings().Summarise();
  report.peers = world.Server().Sessions().ActiveCount();
  const auto read = telemetry::ServerTickReportFromJson(telemetry::ToJson(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->peers, 1U);
  EXPECT_EQ(world.Clients()[0]->Phase(), State::Playing);
}

TEST(HostileInput, H16AJoinWithTenKibibytesOfNameIsABadName) {
  EnetWorld world{1};
  for (int tick = 0; tick < 300 && !world.AllPlay(); ++tick) {
    world.Step();
  }
  ASSERT_TRUE(world.AllPlay());
  EXPECT_EQ(RefusalOf(world, "muster.transport.enet", std::string(10'240, 'n')), protocol::kBadName.number);
  EXPECT_TRUE(world.AllPlay());
  EXPECT_EQ(world.Server().Sessions().Stats().malformed, 0U);
  EXPECT_EQ(world.Server().Sessions().Stats().refused, 1U);
}

TEST(HostileInput, H16TheConsoleAnswersTheSameBytesWithText) {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  VirtualWorld world{config};
  world.AddClient("Ada");
  world.Steps(60);
  server::Console console{world.Server(),
                          {.figures = [] { return server::TickFigures{}; },
                           .shutdown = [](std::string) {},
                           .reloadConfig = [] { return std::string{}; }}};
  const std::string peers = console.Execute("peers");
  EXPECT_EQ(std::count(peers.begin(), peers.end(), '\n'), 2);
  for (const std::string& name : NamesThatForge()) {
    for (const std::string& line :
         {name, "help " + name, "kick " + name, "spawn " + name, "plugin swap spatial " + name}) {
      const std::string answer = console.Execute(line);
      ASSERT_FALSE(answer.empty());
      EXPECT_EQ(answer.back(), '\n');
      std::string text = answer;
      text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
      EXPECT_EQ(EscapeControl(text), text);
    }
  }
  world.Steps(5);
  EXPECT_EQ(world.Clients()[0]->Phase(), State::Playing);
}

}  // namespace
}  // namespace muster::tests
