// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <enet/enet.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ConnectionTable.h"
#include "EnetLibrary.h"
#include "PluginApi/Plugin.h"

namespace muster::enet {

/// muster.transport/0 over ENet 1.3.17 and UDP (IPv4). One instance is one ENet host and one socket.
///
/// ENet is a carrier and is not trusted: every datagram passes the host's gate and a check of its shape first, a
/// failing call never ends the receive loop, ENet's clock is the host's, and every queue has a bound. README.md lists
/// the faults that each measure answers.
///
/// Threads: all calls of one instance come from one thread at a time. Instances share ENet's process-wide time base,
/// which each sets from the host's clock before it is used.
class EnetTransport {
 public:
  /// Throws plugin::Failure for parameters outside the ranges of Transport.h.
  EnetTransport(const plugin::Host& host, const mu_transport_params& params);
  ~EnetTransport();
  EnetTransport(const EnetTransport&) = delete;
  EnetTransport& operator=(const EnetTransport&) = delete;

  /// Room that one unreliable message needs beside itself: 10 bytes of framing on the wire, and 2 that ENet keeps free
  /// for the time stamp which the datagram carries when a reliable command shares it.
  static std::uint32_t UnreliableOverheadBytes() { return kUnreliableRoomBytes; }

  mu_status Listen(const mu_address& bind, mu_address& bound);
  mu_status Connect(const mu_address& remote, mu_connection& out);
  mu_status Service(std::span<mu_transport_event> events, std::uint32_t& count);
  void Send(std::span<mu_transport_send> items);
  void Flush();
  void Disconnect(mu_connection connection, std::uint32_t detail);
  std::int32_t WaitHandle();
  void Stats(mu_transport_stats& out);

 private:
  struct HostCloser {
    void operator()(ENetHost* host) const { enet_host_destroy(host); }
  };

  static constexpr std::uint32_t kUnreliableRoomBytes =
      sizeof(ENetProtocolHeader) + sizeof(ENetProtocolSendUnsequenced);

  mu_status OpenHost(const ENetAddress* bind);
  void AdvanceTime();
  void ReleaseMessages();

  // Receiving.
  static int ENET_CALLBACK Intercept(ENetHost* host, ENetEvent* event);
  bool AdmitDatagram(std::span<std::uint8_t> datagram, const ENetAddress& from);
  bool PassesGate(std::span<const std::uint8_t> datagram, const ENetAddress& from);
  bool HasRoomFor(std::span<const std::uint8_t> connectDatagram, const ENetAddress& from) const;
  bool IsFromPeer(const ENetAddress& from) const;
  void DiscardUnreadable();

  // Events.
  void Emit(std::span<mu_transport_event> events, std::uint32_t& count, const mu_transport_event& event);
  void EmitPending(std::span<mu_transport_event> events, std::uint32_t& count);
  void Handle(const ENetEvent& event, std::span<mu_transport_event> events, std::uint32_t& count);
  void HandleConnected(ENetPeer& peer, std::span<mu_transport_event> events, std::uint32_t& count);
  void HandleEnded(Connection& connection, std::uint32_t detail, std::span<mu_transport_event> events,
                   std::uint32_t& count);

  // Sending.
  mu_status SendUnreliable(Connection& connection, const mu_bytes& message);
  mu_status SendReliable(Connection& connection, const mu_bytes& message);
  static void ENET_CALLBACK OnReliableFreed(ENetPacket* packet);
  void CountSent();

  // Limits that time enforces.
  void KeepHouse();
  void KeepConnection(Connection& connection);
  void KeepHalfOpen(ENetPeer& peer);
  void EndNow(Connection& connection, std::uint32_t code, std::uint32_t detail);

  plugin::Host m_services;
  mu_transport_params m_params;
  EnetLibrary m_library;
  std::unique_ptr<ENetHost, HostCloser> m_host;
  bool m_isListening = false;
  ConnectionTable m_connections;
  std::vector<std::uint64_t> m_halfOpenSinceMs;  ///< by slot; zero: not half open
  std::vector<ENetPacket*> m_handedOut;          ///< messages of the last service, freed by the next
  std::vector<mu_transport_event> m_pending;     ///< events that this side decided between services
  mu_transport_stats m_stats{};
  std::uint64_t m_nowMs = 0;
  std::uint64_t m_patienceMs = 1;  ///< like m_nowMs, but a pause of this process counts for at most a second
  std::uint64_t m_keptHouseAtMs = 0;
  std::uint64_t m_seedState = 0;
  std::array<std::uint8_t, ENET_PROTOCOL_MAXIMUM_MTU> m_scratch{};
  std::array<std::uint8_t, ENET_PROTOCOL_MAXIMUM_MTU> m_reply{};
};

}  // namespace muster::enet
