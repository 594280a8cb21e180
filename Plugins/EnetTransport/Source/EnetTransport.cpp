// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Life of an instance, and what one pass of the network thread does. Receiving is in EnetReceive.cpp, sending in
// EnetSend.cpp, limits that time enforces in EnetHousekeeping.cpp.
#include "EnetTransport.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace muster::enet {

namespace {

constexpr std::uint32_t kMaxConnections = 4096;
constexpr std::uint32_t kMinDatagramBytes = 576;
constexpr std::uint32_t kMaxDatagramBytes = 1400;
constexpr std::size_t kWaitingDataFloor = std::size_t{1} << 20;
constexpr int kServerReceiveBufferBytes = 4 << 20;
/// ENet reads at most so many datagrams in one call; fewer means that the socket is empty.
constexpr std::uint64_t kDatagramsPerRound = 256;
/// Calls of ENet in one pass, so that a flood cannot keep the network thread. The socket stays readable meanwhile.
constexpr std::uint32_t kRoundsPerService = 32;
constexpr std::uint64_t kNanosPerMilli = 1'000'000;
/// What one pause between two passes counts for at most when silence is measured: a process that was stopped for a
/// while has not been listening, so its peers were not silent.
constexpr std::uint64_t kMaxPauseMs = 1'000;

void RequireRange(const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high) {
    throw plugin::Failure{MU_E_INVALID_ARGUMENT, fmt::format("{} is {}, it must be {} to {}.", name, value, low, high)};
  }
}

mu_transport_params Checked(const mu_transport_params& params) {
  if (params.struct_size < sizeof(mu_transport_params)) {
    throw plugin::Failure{MU_E_INVALID_ARGUMENT, "mu_transport_params is smaller than this plugin knows it."};
  }
  RequireRange("max_connections", params.max_connections, 1, kMaxConnections);
  RequireRange("max_datagram_bytes", params.max_datagram_bytes, kMinDatagramBytes, kMaxDatagramBytes);
  RequireRange("max_message_bytes", params.max_message_bytes, 1, std::uint64_t{16} << 20);
  RequireRange("reliable_backlog_bytes", params.reliable_backlog_bytes, params.max_message_bytes, UINT32_MAX);
  RequireRange("timeout_ms", params.timeout_ms, 100, 3'600'000);
  mu_transport_params checked = params;
  // ENet's peer ids have 12 bits of which the highest value means "none".
  checked.max_connections = std::min<std::uint32_t>(params.max_connections, ENET_PROTOCOL_MAXIMUM_PEER_ID);
  return checked;
}

std::uint64_t NextRandom(std::uint64_t& state) {
  // SplitMix64 (Steele, Lea, Flood 2014): the seed's secrecy is what makes identifiers hard to guess.
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

std::string ToString(const ENetAddress& address) {
  std::array<char, 64> text{};
  if (enet_address_get_host_ip(&address, text.data(), text.size()) != 0) {
    return fmt::format("?:{}", address.port);
  }
  return fmt::format("{}:{}", text.data(), address.port);
}

}  // namespace

EnetTransport::EnetTransport(const plugin::Host& host, const mu_transport_params& params)
    : m_services{host},
      m_params{Checked(params)},
      m_connections{m_params.max_connections},
      m_halfOpenSinceMs(m_params.max_connections, 0),
      m_seedState{params.seed} {
  AdvanceTime();
}

EnetTransport::~EnetTransport() {
  ReleaseMessages();
  // Messages still queued point at their connections.
  m_host.reset();
}

mu_status EnetTransport::OpenHost(const ENetAddress* bind) {
  AdvanceTime();
  errno = 0;
  m_host.reset(enet_host_create(bind, m_params.max_connections, 2, 0, 0));
  if (m_host == nullptr) {
    const int reason = errno;
    if (bind != nullptr && reason == EADDRINUSE) {
      return m_services.Fail(
          MU_E_ADDRESS_IN_USE,
          fmt::format("UDP port {} is already in use; another server may be running on it.", bind->port));
    }
    return m_services.Fail(MU_E_FAILED, fmt::format("No UDP socket could be opened{}: {}.",
                                                    bind == nullptr ? "" : " on " + ToString(*bind),
                                                    reason == 0 ? "out of memory" : std::strerror(reason)));
  }
  m_host->mtu = m_params.max_datagram_bytes;
  m_host->maximumPacketSize = std::max(m_params.max_message_bytes, m_params.max_datagram_bytes);
  m_host->maximumWaitingData = std::max(kWaitingDataFloor, 4 * m_host->maximumPacketSize);
  if (m_params.max_connections_per_ip != 0) {
    m_host->duplicatePeers = m_params.max_connections_per_ip;
  }
  m_host->randomSeed = static_cast<enet_uint32>(NextRandom(m_seedState));
  m_host->intercept = &Intercept;
  // ENet gives a host no field for its user; a peer has one.
  m_host->peers[0].data = this;
  for (std::size_t i = 0; i < m_host->peerCount; ++i) {
    m_host->peers[i].mtu = m_host->mtu;
  }
  return MU_OK;
}

mu_status EnetTransport::Listen(const mu_address& bind, mu_address& bound) {
  if (m_host != nullptr) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "This transport is active already.");
  }
  const std::optional<ENetAddress> address = ToEnet(bind);
  if (!address) {
    return m_services.Fail(MU_E_NOT_SUPPORTED, "The ENet transport speaks IPv4 only; bind it to an IPv4 address.");
  }
  const mu_status status = OpenHost(&*address);
  if (status != MU_OK) {
    return status;
  }
  // The kernel caps what it grants (net.core.rmem_max); whatever it grants is better than ENet's default.
  const int bytes = kServerReceiveBufferBytes;
  if (setsockopt(m_host->socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) != 0) {
    m_services.Log(MU_LOG_WARNING, "The receive buffer of the UDP socket could not be enlarged.");
  }
  m_isListening = true;
  bound = FromEnet(m_host->address);
  return MU_OK;
}

mu_status EnetTransport::Connect(const mu_address& remote, mu_connection& out) {
  const std::optional<ENetAddress> address = ToEnet(remote);
  if (!address || !IsUnicast(*address)) {
    return m_services.Fail(address ? MU_E_INVALID_ARGUMENT : MU_E_NOT_SUPPORTED,
                           "The ENet transport connects to an IPv4 unicast address with a port.");
  }
  if (m_host == nullptr) {
    const mu_status status = OpenHost(nullptr);
    if (status != MU_OK) {
      return status;
    }
  }
  AdvanceTime();
  m_host->randomSeed = static_cast<enet_uint32>(NextRandom(m_seedState));
  ENetPeer* peer = enet_host_connect(m_host.get(), &*address, 2, 0);
  if (peer == nullptr) {
    return m_services.Fail(MU_E_FAILED, fmt::format("All {} connections are taken.", m_params.max_connections));
  }
  // ENet's own limit is the backstop: KeepConnection measures silence exactly.
  enet_peer_timeout(peer, 0, 2 * m_params.timeout_ms, 2 * m_params.timeout_ms);
  Connection& connection = m_connections.Open(*peer, m_patienceMs);
  connection.address = remote;
  connection.deadlineMs = m_patienceMs + m_params.timeout_ms;
  out = connection.id;
  return MU_OK;
}

mu_status EnetTransport::Service(std::span<mu_transport_event> events, std::uint32_t& count) {
  count = 0;
  ReleaseMessages();
  if (m_host == nullptr) {
    return m_services.Fail(MU_E_INVALID_ARGUMENT, "This transport neither listens nor connects yet.");
  }
  AdvanceTime();
  EmitPending(events, count);
  // Every failing call has moved something: a bad datagram is off the queue, an unsendable one is given up.
  std::uint32_t rounds = 0;
  std::uint32_t failuresLeft = 64 + 2 * m_params.max_connections;
  while (count < events.size()) {
    ENetEvent event{};
    if (enet_host_check_events(m_host.get(), &event) > 0) {
      Handle(event, events, count);
      continue;
    }
    if (rounds++ == kRoundsPerService) {
      break;
    }
    const std::uint64_t datagramsBefore = m_stats.datagrams_in;
    DiscardUnreadable();
    errno = 0;
    const int result = enet_host_service(m_host.get(), &event, 0);
    if (result > 0) {
      Handle(event, events, count);
    } else if (result < 0) {
      // A receive fails without an error of the system when the datagram was too large; a send always has one.
      ++(errno == 0 ? m_stats.receive_errors : m_stats.send_errors);
      if (--failuresLeft == 0) {
        break;
      }
      --rounds;
    } else if (m_stats.datagrams_in - datagramsBefore < kDatagramsPerRound) {
      break;
    }
  }
  KeepHouse();
  EmitPending(events, count);
  CountSent();
  return MU_OK;
}

std::int32_t EnetTransport::WaitHandle() {
  return m_host == nullptr ? -1 : m_host->socket;
}

void EnetTransport::Stats(mu_transport_stats& out) {
  const std::uint32_t size = out.struct_size;
  out = m_stats;
  out.struct_size = size;
  out.connections = m_connections.Count();
}

void EnetTransport::AdvanceTime() {
  // One more than the clock, because ENet takes a time stamp of zero for "never".
  const std::uint64_t nowMs = m_services.NowNs() / kNanosPerMilli + 1;
  if (m_nowMs != 0 && nowMs > m_nowMs) {
    m_patienceMs += std::min(nowMs - m_nowMs, kMaxPauseMs);
  }
  m_nowMs = nowMs;
  enet_time_set(static_cast<enet_uint32>(nowMs));
}

void EnetTransport::ReleaseMessages() {
  for (ENetPacket* packet : m_handedOut) {
    enet_packet_destroy(packet);
  }
  m_handedOut.clear();
}

void EnetTransport::Emit(std::span<mu_transport_event> events, std::uint32_t& count, const mu_transport_event& event) {
  if (count < events.size()) {
    events[count++] = event;
  } else {
    m_pending.push_back(event);
  }
}

void EnetTransport::EmitPending(std::span<mu_transport_event> events, std::uint32_t& count) {
  const std::size_t fits = std::min(m_pending.size(), events.size() - count);
  std::copy_n(m_pending.begin(), fits, events.begin() + count);
  count += static_cast<std::uint32_t>(fits);
  m_pending.erase(m_pending.begin(), m_pending.begin() + static_cast<std::ptrdiff_t>(fits));
}

void EnetTransport::Handle(const ENetEvent& event, std::span<mu_transport_event> events, std::uint32_t& count) {
  if (event.type == ENET_EVENT_TYPE_CONNECT) {
    HandleConnected(*event.peer, events, count);
    return;
  }
  Connection* connection = m_connections.Of(*event.peer);
  if (event.type == ENET_EVENT_TYPE_RECEIVE) {
    m_handedOut.push_back(event.packet);
    if (connection == nullptr || !connection->isUp) {
      return;
    }
    mu_transport_event message{};
    message.kind = MU_TRANSPORT_EVENT_MESSAGE;
    // What the datagram was, not the channel number that the peer wrote into it.
    const bool isReliable = (event.packet->flags & ENET_PACKET_FLAG_RELIABLE) != 0;
    message.channel = isReliable ? MU_CHANNEL_RELIABLE : MU_CHANNEL_UNRELIABLE;
    message.connection = connection->id;
    message.address = connection->address;
    message.message = mu_bytes{event.packet->data, event.packet->dataLength};
    Emit(events, count, message);
  } else if (event.type == ENET_EVENT_TYPE_DISCONNECT && connection != nullptr) {
    HandleEnded(*connection, event.data, events, count);
  }
}

void EnetTransport::HandleConnected(ENetPeer& peer, std::span<mu_transport_event> events, std::uint32_t& count) {
  m_halfOpenSinceMs[peer.incomingPeerID] = 0;
  Connection* existing = m_connections.Of(peer);
  Connection& connection = existing != nullptr ? *existing : m_connections.Open(peer, m_patienceMs);
  connection.isUp = true;
  connection.address = FromEnet(peer.address);
  connection.heardAtMs = m_patienceMs;
  connection.heardAtRealMs = m_nowMs;
  connection.lastAcknowledged = peer.lastReceiveTime;
  enet_peer_timeout(&peer, 0, 2 * m_params.timeout_ms, 2 * m_params.timeout_ms);
  // No deceleration: ENet never drops unreliable messages of its own accord, congestion is the host's to handle.
  enet_peer_throttle_configure(&peer, ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
  mu_transport_event event{};
  event.kind = MU_TRANSPORT_EVENT_CONNECTED;
  event.connection = connection.id;
  event.address = connection.address;
  Emit(events, count, event);
}

void EnetTransport::HandleEnded(Connection& connection, std::uint32_t detail, std::span<mu_transport_event> events,
                                std::uint32_t& count) {
  mu_transport_event event{};
  event.kind = MU_TRANSPORT_EVENT_DISCONNECTED;
  event.connection = connection.id;
  event.address = connection.address;
  event.detail = detail;
  if (connection.isClosing) {
    event.code = MU_DISCONNECT_LOCAL;
  } else if (!connection.isUp) {
    event.code = MU_DISCONNECT_REFUSED;
  } else {
    // ENet reports its own timeout like a farewell.
    event.code =
        m_nowMs - connection.heardAtRealMs >= m_params.timeout_ms ? MU_DISCONNECT_TIMEOUT : MU_DISCONNECT_BY_PEER;
  }
  m_connections.Close(connection);
  Emit(events, count, event);
}

}  // namespace muster::enet
