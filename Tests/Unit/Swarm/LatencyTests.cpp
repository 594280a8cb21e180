// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What players experienced and who was to blame: swarm clients against a real server in one process, on virtual time.
#include "FlightPattern.h"
#include "GameServer.h"
#include "SeriesStats.h"
#include "SwarmClient.h"
#include "SwarmReport.h"

#include "Core/Clock.h"
#include "Core/Log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

namespace muster::swarm {
namespace {

class Play {
 public:
  Play() {
    server::ServerConfig config;
    config.network.transport = "muster.transport.loopback";
    config.server.port = 4'100;
    config.security.connectRateLimitCount = 0;
    config.security.preHandshakeRateLimitCount = 100'000;
    auto made = server::GameServer::Create(
        config, {.clock = m_clock,
                 .logSink = m_sink,
                 .pluginRoots = {{std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "Plugins"}},
                 .contentDirectory = std::filesystem::path{MUSTER_TEST_SOURCE_DIR} / "Content"});
    if (!made) {
      throw std::runtime_error{made.Failure().ToString()};
    }
    m_server = std::move(*made);
    const auto bound = m_server->Listen();
    if (!bound) {
      throw std::runtime_error{bound.Failure().ToString()};
    }
    auto& catalog = m_server->Plugins().Catalog();
    const auto transport = catalog.Find<mu_transport_v0>("muster.transport.loopback");
    const auto codec = catalog.Find<mu_snapshot_codec_v0>(m_server->Identity().codecName);
    for (std::uint32_t i = 0; i < kClients; ++i) {
      netclient::ClientConfig client;
      client.name = "bot-" + std::to_string(i);
      client.identity = m_server->Identity();
      auto pattern = MakePattern("weave", i, 1);
      m_clients.push_back(std::make_unique<SwarmClient>(std::move(client), *transport->table, *codec->table, m_clock,
                                                        std::move(*pattern), "weave"));
      m_clients.back()->Connect(*bound);
    }
  }

  /// `serverStandsStill` and `clientsStandStill` say it for each tick of the run.
  template <class ServerStill, class ClientsStill>
  void Run(int ticks, ServerStill&& serverStandsStill, ClientsStill&& clientsStandStill) {
    for (int tick = 0; tick < ticks; ++tick) {
      m_clock.Advance(kTickDuration);
      if (!clientsStandStill(tick)) {
        for (const auto& client : m_clients) {
          client->Update();
        }
      }
      if (!serverStandsStill(tick)) {
        m_server->Link().Service();
        m_server->RunTick(++m_tick);
        m_server->Link().Service();
      }
    }
  }

  [[nodiscard]] SwarmReport Report() const {
    SwarmOptions options;
    options.clients = kClients;
    std::vector<ClientResult> results;
    for (const auto& client : m_clients) {
      results.push_back(client->Result());
    }
    return MakeReport(options, std::move(results), {}, {}, {});
  }

 private:
  static constexpr std::uint32_t kClients = 2;

  ManualClock m_clock;
  MemorySink m_sink;
  std::unique_ptr<server::GameServer> m_server;
  std::vector<std::unique_ptr<SwarmClient>> m_clients;
  Tick m_tick{};
};

constexpr int kRun = 20 * kTickHz;
constexpr auto kNever = [](int) { return false; };

TEST(SwarmLatency, IsAFewTicksWhenNothingIsWrong) {
  Play play;
  play.Run(kRun, kNever, kNever);
  const SwarmReport report = play.Report();
  EXPECT_TRUE(report.IsPassed()) << ToText(report);
  EXPECT_GT(report.latencyMs.count, 2'000U);
  EXPECT_LT(report.latencyMs.p99, 100.0);
}

TEST(SwarmLatency, CountsFromWhenInputsWereDueWhileTheServerStandsStill) {
  Play play;
  play.Run(
      kRun, [](int tick) { return tick >= 600 && tick < 600 + 2 * kTickHz; }, kNever);
  const SwarmReport report = play.Report();
  // One in ten inputs fell due while the server stood; the last hundredth of them all waited close to all of it.
  EXPECT_GT(report.latencyMs.p99, 1'700.0) << ToText(report);
  EXPECT_LT(report.latencyMs.p99, 2'200.0);
  EXPECT_LT(report.latencyMs.p50, 100.0);
  EXPECT_FALSE(report.IsGeneratorBound()) << "the clients did their part in time";
  EXPECT_EQ(report.disconnected, 0U);
}

TEST(SwarmLatency, CountsInputsThatWereNeverAnswered) {
  Play play;
  play.Run(
      10 * kTickHz, [](int tick) { return tick >= 8 * kTickHz && tick < 10 * kTickHz - 30; }, kNever);
  EXPECT_GT(play.Report().latencyMs.max, 1'300.0);
}

TEST(SwarmLatency, BlamesTheGeneratorThatDoesNotKeepUp) {
  Play play;
  // Every tenth tick the clients get their turn: nine of ten inputs leave late.
  play.Run(kRun, kNever, [](int tick) { return tick >= 120 && tick % 10 != 0; });
  const SwarmReport report = play.Report();
  EXPECT_TRUE(report.IsGeneratorBound());
  EXPECT_FALSE(report.IsPassed()) << "which is what the exit status follows";
  EXPECT_NE(ToText(report).find("GENERATOR-BOUND"), std::string::npos);
  EXPECT_EQ(report.disconnected, 0U);
}

}  // namespace
}  // namespace muster::swarm
