// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A whole server and its clients in one process on virtual time: the real composition root, plugins, link, sessions and
// replication over the loopback transport. A minute of play takes a few seconds and repeats to the byte.
#pragma once

#include "GameServer.h"

#include "Core/Clock.h"
#include "Core/Log.h"
#include "NetClient/Client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace muster::tests {

class VirtualWorld {
 public:
  /// `config` gets the loopback transport. Throws std::runtime_error with the named error when the server cannot be
  /// made.
  explicit VirtualWorld(server::ServerConfig config);
  ~VirtualWorld();
  VirtualWorld(const VirtualWorld&) = delete;
  VirtualWorld& operator=(const VirtualWorld&) = delete;

  /// A client that begins to connect now.
  netclient::Client& AddClient(const std::string& name);
  void RemoveClient(std::size_t index) { m_clients.erase(m_clients.begin() + static_cast<std::ptrdiff_t>(index)); }

  /// One tick: input in, a tick, packets out.
  void Step();
  void Steps(int count);

  [[nodiscard]] server::GameServer& Server() { return *m_server; }
  [[nodiscard]] const std::vector<std::unique_ptr<netclient::Client>>& Clients() const { return m_clients; }
  [[nodiscard]] ManualClock& Clock() { return m_clock; }
  [[nodiscard]] MemorySink& Log() { return m_sink; }
  /// Where the server listens.
  [[nodiscard]] const mu_address& Address() const { return m_address; }
  [[nodiscard]] Tick Now() const { return m_tick; }

  /// What a client does in a tick; the same for every run.
  static mu_control ControlOf(std::size_t client, Tick tick);

 private:
  ManualClock m_clock;
  MemorySink m_sink;
  std::unique_ptr<server::GameServer> m_server;
  mu_address m_address{};
  std::vector<std::unique_ptr<netclient::Client>> m_clients;
  Tick m_tick{};
};

}  // namespace muster::tests
