// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"
#include "Link/TransportHandle.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace muster::test {

/// The smallest transport that keeps the contract of PluginApi/Transport.h, and one through which a test can do what an
/// attacker on the wire can: look at everything, change it, inject what it likes.
///
///     MemoryNetwork network(clock);
///     link::ServerLink server(network.Source(), ...);
///     network.onMessage = [](MemoryNetwork::Flight& flight) { ...; return true; };
///
/// Instances may live on different threads; one lock guards everything, and hooks are called under it.
class MemoryNetwork {
 public:
  static constexpr std::uint32_t kOverheadBytes = 4;

  /// A message on its way, before the receiver gets it.
  struct Flight {
    std::uint32_t channel = 0;
    std::uint16_t fromPort = 0;
    std::uint16_t toPort = 0;
    bool toServer = false;
    std::vector<std::uint8_t> bytes{};
  };

  explicit MemoryNetwork(const IClock& clock) : m_clock(clock) {
    m_table = {sizeof(mu_transport_v0),
               0,
               &Overhead,
               &CreateNone,
               &Destroy,
               &Listen,
               &Connect,
               &Service,
               &Send,
               &Flush,
               &Disconnect,
               &WaitHandle,
               &Stats};
  }
  MemoryNetwork(const MemoryNetwork&) = delete;
  MemoryNetwork& operator=(const MemoryNetwork&) = delete;

  /// Instances at 127.0.0.`host`; outlived by the network.
  [[nodiscard]] link::TransportSource Source(std::uint8_t host = 1) {
    return {&m_table, [this, host](const mu_transport_params& params, mu_transport** out) {
              const std::lock_guard lock(m_mutex);
              m_ends.push_back(std::make_unique<End>());
              End& end = *m_ends.back();
              end.network = this;
              end.params = params;
              end.address = Address(0, host);
              *out = reinterpret_cast<mu_transport*>(&end);
              return MU_OK;
            }};
  }

  [[nodiscard]] static mu_address Address(std::uint16_t port, std::uint8_t host = 1) {
    mu_address address{};
    address.ip[10] = address.ip[11] = 0xFF;
    address.ip[12] = 127;
    address.ip[15] = host;
    address.port = port;
    return address;
  }

  /// Sees every message; may change it. False: the network loses it (unreliable ones only, please).
  std::function<bool(Flight&)> onMessage{};

  /// A raw datagram at a listening port, from anywhere. What the gate says; MU_GATE_DROP where nobody listens.
  std::uint32_t InjectRaw(std::uint16_t port, const mu_address& from, std::span<const std::uint8_t> bytes) {
    const std::lock_guard lock(m_mutex);
    End* listener = FindListener(port);
    return listener == nullptr ? MU_GATE_DROP : AskGate(*listener, from, bytes);
  }

  /// A message in the name of whoever is connected from `fromPort`, on one of its connections.
  bool InjectMessage(std::uint16_t fromPort, std::uint32_t channel, std::vector<std::uint8_t> bytes) {
    const std::lock_guard lock(m_mutex);
    for (auto& end : m_ends) {
      for (auto& [id, pipe] : end->pipes) {
        if (end->listening && pipe.remote.port == fromPort && !pipe.closed) {
          Queue(*end, id, pipe, MU_TRANSPORT_EVENT_MESSAGE, channel, std::move(bytes));
          return true;
        }
      }
    }
    return false;
  }

  /// Connections that a listening port has, whatever their state.
  std::size_t ConnectionsOf(std::uint16_t port) {
    const std::lock_guard lock(m_mutex);
    End* listener = FindListener(port);
    return listener == nullptr ? 0 : listener->pipes.size();
  }

 private:
  struct End;
  struct Pipe {
    End* other = nullptr;  ///< null: vanished
    mu_connection otherId = 0;
    mu_address remote{};
    bool closed = false;  ///< its last event is queued
    MonotonicTime dieAt = MonotonicTime::max();
  };
  struct Incoming {
    mu_transport_event event{};
    std::vector<std::uint8_t> bytes{};
  };
  struct End {
    MemoryNetwork* network = nullptr;
    mu_transport_params params{};
    mu_address address{};
    bool listening = false;
    std::map<mu_connection, Pipe> pipes{};
    std::deque<Incoming> inbox{};
    std::deque<std::vector<std::uint8_t>> handedOut{};
    mu_transport_stats stats{};
  };

  static MemoryNetwork& NetworkOf(mu_transport* self) { return *reinterpret_cast<End*>(self)->network; }
  static End& EndOf(mu_transport* self) { return *reinterpret_cast<End*>(self); }

  End* FindListener(std::uint16_t port) {
    for (auto& end : m_ends) {
      if (end->listening && end->address.port == port) {
        return end.get();
      }
    }
    return nullptr;
  }

  static std::uint32_t AskGate(End& end, const mu_address& from, std::span<const std::uint8_t> bytes) {
    end.stats.datagrams_in += 1;
    end.stats.bytes_in += bytes.size();
    if (end.params.gate.on_raw_datagram == nullptr) {
      return MU_GATE_PASS;
    }
    std::array<std::uint8_t, 64> reply{};
    std::uint32_t replySize = 0;
    const std::uint32_t verdict =
        end.params.gate.on_raw_datagram(end.params.gate.context, &from, {bytes.data(), bytes.size()}, reply.data(),
                                        static_cast<std::uint32_t>(reply.size()), &replySize);
    end.stats.gate_dropped += verdict == MU_GATE_DROP ? 1 : 0;
    return verdict;
  }

  static void Queue(End& end, mu_connection id, const Pipe& pipe, std::uint32_t kind, std::uint32_t channel,
                    std::vector<std::uint8_t> bytes, std::uint32_t code = 0, std::uint32_t detail = 0) {
    Incoming incoming;
    incoming.event.kind = kind;
    incoming.event.channel = channel;
    incoming.event.connection = id;
    incoming.event.address = pipe.remote;
    incoming.event.code = code;
    incoming.event.detail = detail;
    incoming.bytes = std::move(bytes);
    end.inbox.push_back(std::move(incoming));
  }

  static void Close(End& end, mu_connection id, std::uint32_t code, std::uint32_t detail) {
    const auto found = end.pipes.find(id);
    if (found == end.pipes.end() || found->second.closed) {
      return;
    }
    found->second.closed = true;
    Queue(end, id, found->second, MU_TRANSPORT_EVENT_DISCONNECTED, 0, {}, code, detail);
  }

  static std::uint32_t Overhead() { return kOverheadBytes; }
  static mu_status CreateNone(const mu_transport_params* /*params*/, mu_transport** /*out*/) {
    return MU_E_NOT_SUPPORTED;
  }

  static void Destroy(mu_transport* self) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    End& gone = EndOf(self);
    // Whoever still holds a pipe to it, also where this side has closed its own half already.
    for (const auto& end : network.m_ends) {
      for (auto& [id, pipe] : end->pipes) {
        if (pipe.other == &gone) {
          pipe.other = nullptr;
          pipe.dieAt = network.m_clock.Now() + std::chrono::milliseconds{end->params.timeout_ms};
        }
      }
    }
    std::erase_if(network.m_ends, [&gone](const auto& end) { return end.get() == &gone; });
  }

  static mu_status Listen(mu_transport* self, const mu_address* bind, mu_address* bound) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    if (network.FindListener(bind->port) != nullptr) {
      return MU_E_ADDRESS_IN_USE;
    }
    EndOf(self).address = *bind;
    EndOf(self).listening = true;
    *bound = *bind;
    return MU_OK;
  }

  static mu_status Connect(mu_transport* self, const mu_address* remote, mu_connection* out) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    End& client = EndOf(self);
    if (client.address.port == 0) {
      client.address.port = network.m_nextPort++;
    }
    const mu_connection clientId = network.m_nextId++;
    Pipe& near = client.pipes[clientId];
    near.remote = *remote;
    *out = clientId;
    End* server = network.FindListener(remote->port);
    const std::array<std::uint8_t, 8> knock{};
    const bool passed = server != nullptr && AskGate(*server, client.address, knock) == MU_GATE_PASS;
    if (!passed || server->pipes.size() >= server->params.max_connections) {
      Close(client, clientId, MU_DISCONNECT_REFUSED, 0);
      return MU_OK;
    }
    const mu_connection serverId = network.m_nextId++;
    near.other = server;
    near.otherId = serverId;
    Pipe& far = server->pipes[serverId];
    far.other = &client;
    far.otherId = clientId;
    far.remote = client.address;
    Queue(*server, serverId, far, MU_TRANSPORT_EVENT_CONNECTED, 0, {});
    Queue(client, clientId, near, MU_TRANSPORT_EVENT_CONNECTED, 0, {});
    return MU_OK;
  }

  static mu_status Service(mu_transport* self, mu_transport_event* events, std::uint32_t capacity,
                           std::uint32_t* count) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    End& end = EndOf(self);
    end.handedOut.clear();
    const MonotonicTime now = network.m_clock.Now();
    for (auto& [id, pipe] : end.pipes) {
      if (now >= pipe.dieAt) {
        Close(end, id, MU_DISCONNECT_TIMEOUT, 0);
      }
    }
    *count = 0;
    while (*count < capacity && !end.inbox.empty()) {
      Incoming incoming = std::move(end.inbox.front());
      end.inbox.pop_front();
      end.handedOut.push_back(std::move(incoming.bytes));
      incoming.event.message = {end.handedOut.back().data(), end.handedOut.back().size()};
      if (incoming.event.kind == MU_TRANSPORT_EVENT_DISCONNECTED) {
        end.pipes.erase(incoming.event.connection);
      }
      events[(*count)++] = incoming.event;
    }
    return MU_OK;
  }

  static void Send(mu_transport* self, mu_transport_send* items, std::uint32_t count) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    for (std::uint32_t i = 0; i < count; ++i) {
      items[i].status = network.SendOne(EndOf(self), items[i]);
    }
  }

  mu_status SendOne(End& end, const mu_transport_send& item) {
    const auto found = end.pipes.find(item.connection);
    if (found == end.pipes.end() || found->second.closed) {
      return MU_E_NOT_CONNECTED;
    }
    Pipe& pipe = found->second;
    const bool isUnreliable = item.channel == MU_CHANNEL_UNRELIABLE;
    if (isUnreliable && item.message.size + kOverheadBytes > end.params.max_datagram_bytes) {
      return MU_E_WOULD_FRAGMENT;
    }
    end.stats.datagrams_out += 1;
    end.stats.bytes_out += item.message.size + kOverheadBytes;
    if (pipe.other == nullptr) {
      m_unheard += item.message.size;
      return !isUnreliable && m_unheard > end.params.reliable_backlog_bytes ? MU_E_BACKLOG : MU_OK;
    }
    Flight flight{item.channel,
                  end.address.port,
                  pipe.remote.port,
                  pipe.other->listening,
                  {item.message.data, item.message.data + item.message.size}};
    if (onMessage && !onMessage(flight)) {
      return MU_OK;
    }
    // Reliable messages would be resent until the gate lets them pass: only the others are asked for.
    if (isUnreliable && AskGate(*pipe.other, end.address, flight.bytes) != MU_GATE_PASS) {
      return MU_OK;
    }
    if (const auto far = pipe.other->pipes.find(pipe.otherId); far != pipe.other->pipes.end() && !far->second.closed) {
      Queue(*pipe.other, pipe.otherId, far->second, MU_TRANSPORT_EVENT_MESSAGE, flight.channel,
            std::move(flight.bytes));
    }
    return MU_OK;
  }

  static void Flush(mu_transport* /*self*/) {}

  static void Disconnect(mu_transport* self, mu_connection connection, std::uint32_t detail) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    End& end = EndOf(self);
    const auto found = end.pipes.find(connection);
    if (found == end.pipes.end()) {
      return;
    }
    if (found->second.other != nullptr) {
      Close(*found->second.other, found->second.otherId, MU_DISCONNECT_BY_PEER, detail);
    }
    Close(end, connection, MU_DISCONNECT_LOCAL, detail);
  }

  static std::int32_t WaitHandle(mu_transport* /*self*/) { return -1; }

  static void Stats(mu_transport* self, mu_transport_stats* out) {
    MemoryNetwork& network = NetworkOf(self);
    const std::lock_guard lock(network.m_mutex);
    const std::uint32_t size = out->struct_size;
    *out = EndOf(self).stats;
    out->struct_size = size;
    out->connections = static_cast<std::uint32_t>(EndOf(self).pipes.size());
  }

  const IClock& m_clock;
  mu_transport_v0 m_table{};
  std::mutex m_mutex;
  std::vector<std::unique_ptr<End>> m_ends;
  std::uint16_t m_nextPort = 40'000;
  mu_connection m_nextId = 1;
  std::uint64_t m_unheard = 0;  ///< bytes to whoever vanished
};

}  // namespace muster::test
