// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/LinkStats.h"

#include "LinkCounters.h"

#include <numeric>

namespace muster::link {

std::string_view ToString(DropReason reason) noexcept {
  static constexpr std::array<std::string_view, kDropReasonCount> kNames{"none",
                                                                         "gate_bad_source",
                                                                         "gate_oversize",
                                                                         "gate_empty",
                                                                         "gate_address_budget",
                                                                         "gate_endpoint_budget",
                                                                         "unknown_connection",
                                                                         "half_open_limit",
                                                                         "handshake_malformed",
                                                                         "handshake_unexpected",
                                                                         "handshake_refused",
                                                                         "handshake_timeout",
                                                                         "sealed_before_handshake",
                                                                         "peer_budget",
                                                                         "envelope_malformed",
                                                                         "forged",
                                                                         "replayed",
                                                                         "too_old",
                                                                         "packet_malformed",
                                                                         "packet_too_old",
                                                                         "ack_impossible",
                                                                         "message_empty",
                                                                         "message_flood",
                                                                         "message_malformed",
                                                                         "event_queue_full"};
  static_assert(static_cast<std::size_t>(DropReason::EventQueueFull) + 1 == kDropReasonCount);
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::string_view ToString(SendDropReason reason) noexcept {
  static constexpr std::array<std::string_view, kSendDropReasonCount> kNames{
      "none", "not_connected", "would_fragment", "backlog", "queue_full", "refused"};
  static_assert(static_cast<std::size_t>(SendDropReason::Refused) + 1 == kSendDropReasonCount);
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::uint64_t LinkStats::DroppedTotal() const noexcept {
  return std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

SendDropReason SendDropReasonOf(mu_status status) noexcept {
  switch (status) {
    case MU_E_WOULD_FRAGMENT:
      return SendDropReason::WouldFragment;
    case MU_E_BACKLOG:
      return SendDropReason::Backlog;
    case MU_E_NOT_CONNECTED:
      return SendDropReason::NotConnected;
    default:
      return SendDropReason::Refused;
  }
}

void LinkCounters::TakeTransport(const mu_transport_stats& stats) noexcept {
  m_datagramsIn.Set(stats.datagrams_in);
  m_datagramsOut.Set(stats.datagrams_out);
  m_bytesIn.Set(stats.bytes_in);
  m_bytesOut.Set(stats.bytes_out);
  m_receiveErrors.Set(stats.receive_errors);
  m_sendErrors.Set(stats.send_errors);
  m_reliableResent.Set(stats.reliable_resent);
  m_refusedConnections.Set(stats.refused_connections);
  m_gateDropped.Set(stats.gate_dropped);
}

LinkStats LinkCounters::Snapshot() const noexcept {
  LinkStats stats;
  stats.peers = static_cast<std::uint32_t>(peers.Get());
  stats.halfOpen = static_cast<std::uint32_t>(halfOpen.Get());
  stats.datagramsIn = m_datagramsIn.Get();
  stats.datagramsOut = m_datagramsOut.Get();
  stats.bytesIn = m_bytesIn.Get();
  stats.bytesOut = m_bytesOut.Get();
  stats.receiveErrors = m_receiveErrors.Get();
  stats.sendErrors = m_sendErrors.Get();
  stats.reliableResent = m_reliableResent.Get();
  stats.refusedConnections = m_refusedConnections.Get();
  stats.gateDropped = m_gateDropped.Get();
  stats.packetsIn = packetsIn.Get();
  stats.packetsOut = packetsOut.Get();
  stats.messagesIn = messagesIn.Get();
  stats.messagesOut = messagesOut.Get();
  stats.packetsAcked = packetsAcked.Get();
  stats.packetsLost = packetsLost.Get();
  stats.connected = connected.Get();
  stats.disconnected = disconnected.Get();
  stats.refused = refused.Get();
  stats.serviceErrors = serviceErrors.Get();
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    stats.dropped[i] = m_dropped[i].Get();
  }
  for (std::size_t i = 0; i < kSendDropReasonCount; ++i) {
    stats.sendDropped[i] = m_sendDropped[i].Get();
  }
  return stats;
}

}  // namespace muster::link
