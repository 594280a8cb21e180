// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "VirtualWorld.h"

#include <atomic>
#include <filesystem>
#include <stdexcept>

namespace muster::tests {

namespace {

/// Each world listens on a port of its own, since the loopback transport's registry spans the process.
std::uint16_t NextPort() {
  static std::atomic<std::uint16_t> port{1};
  return port.fetch_add(1);
}

}  // namespace

VirtualWorld::VirtualWorld(server::ServerConfig config) {
  config.network.transport = "muster.transport.loopback";
  config.server.port = NextPort();
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
  auto bound = m_server->Listen();
  if (!bound) {
    throw std::runtime_error{bound.Failure().ToString()};
  }
  m_address = *bound;
}

VirtualWorld::~VirtualWorld() {
  m_clients.clear();
}

netclient::Client& VirtualWorld::AddClient(const std::string& name) {
  auto& catalog = m_server->Plugins().Catalog();
  const auto transport = catalog.Find<mu_transport_v0>("muster.transport.loopback");
  const auto codec = catalog.Find<mu_snapshot_codec_v0>(m_server->Identity().codecName);
  if (!transport || !codec) {
    throw std::runtime_error{"the server's plugins are gone"};
  }
  netclient::ClientConfig config;
  config.name = name;
  config.identity = m_server->Identity();
  m_clients.push_back(std::make_unique<netclient::Client>(config, transport->table, *codec->table, m_clock));
  if (auto begun = m_clients.back()->Connect(m_address); !begun) {
    throw std::runtime_error{begun.Failure().ToString()};
  }
  return *m_clients.back();
}

void VirtualWorld::Step() {
  m_clock.Advance(kTickDuration);
  for (std::size_t i = 0; i < m_clients.size(); ++i) {
    m_clients[i]->Update([i](Tick tick) { return ControlOf(i, tick); });
  }
  m_server->Link().Service();
  m_server->RunTick(++m_tick);
  m_server->Link().Service();
}

void VirtualWorld::Steps(int count) {
  for (int i = 0; i < count; ++i) {
    Step();
  }
}

mu_control VirtualWorld::ControlOf(std::size_t client, Tick tick) {
  // Whole numbers only, so that the script does not depend on a maths library.
  const auto beat = static_cast<float>((tick.Value() / 20 + client) % 9) / 8.0F;
  mu_control control{};
  control.throttle = 0.7F;
  control.aileron = 0.4F * (2.0F * beat - 1.0F);
  control.elevator = 0.2F * beat;
  return control;
}

}  // namespace muster::tests
