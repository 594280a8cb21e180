// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Limits that time enforces: silence, openings and closings without an answer, queues that do not drain.
#include <algorithm>

#include "UdpTransport.h"

namespace muster::udp {

namespace {

constexpr std::uint64_t kMilli = 1'000'000;
constexpr std::uint64_t kHousekeepingEveryNs = 5 * kMilli;
/// How long a cookie is tried before a new one is asked for; shorter than it lives.
constexpr std::uint64_t kCookieTriesNs = 2'000 * kMilli;
constexpr std::uint64_t kLongestQuietNs = 500 * kMilli;
/// How long a peer may stay over its reliable backlog before its connection ends.
constexpr std::uint64_t kBacklogGraceNs = 1'000 * kMilli;
/// How often a farewell is said without an answer. The peer may have ended the connection long ago.
constexpr std::uint32_t kMostFarewells = 6;

}  // namespace

void UdpTransport::KeepHouse() {
  if (m_nowNs < m_keptHouseAtNs + kHousekeepingEveryNs) {
    return;
  }
  m_keptHouseAtNs = m_nowNs;
  m_connections.ForEach([this](Connection& connection) {
    if (connection.IsOpening()) {
      KeepOpening(connection);
    } else {
      KeepTalking(connection);
    }
  });
}

void UdpTransport::KeepOpening(Connection& connection) {
  if (m_nowNs >= connection.deadlineNs) {
    End(connection, MU_DISCONNECT_REFUSED, 0);
    return;
  }
  if (m_nowNs < connection.repeatAtNs) {
    return;
  }
  if (connection.state == State::Responding && m_nowNs - connection.cookieTriedNs >= kCookieTriesNs) {
    connection.state = State::Requesting;
    connection.tries = 0;
  }
  SendHello(connection);
}

void UdpTransport::KeepTalking(Connection& connection) {
  connection.send.CheckTimers(m_nowNs);
  m_stats.reliable_resent += connection.send.TakeResent();
  const bool isClosing = connection.state == State::Closing;
  if (m_nowNs - connection.heardAtNs >= m_timeoutNs) {
    SendCode(connection, Kind::Close, 0);
    End(connection, isClosing ? MU_DISCONNECT_LOCAL : MU_DISCONNECT_TIMEOUT, 0);
    return;
  }
  if (connection.send.HasDue()) {
    MarkDirty(connection);
  }
  if (isClosing) {
    KeepClosing(connection);
    return;
  }
  if (connection.backlogRefusedAtNs != 0) {
    if (connection.send.BacklogBytes() <= m_params.reliable_backlog_bytes / 2) {
      connection.backlogRefusedAtNs = 0;
    } else if (m_nowNs - connection.backlogRefusedAtNs >= kBacklogGraceNs) {
      SendCode(connection, Kind::Close, 0);
      End(connection, MU_DISCONNECT_BACKLOG, 0);
      return;
    }
  }
  if (m_nowNs - connection.sentAtNs >= std::min(m_timeoutNs / 4, kLongestQuietNs)) {
    // A sign of life: an acknowledgement, owed or not.
    connection.owesAck = true;
    MarkDirty(connection);
  }
}

void UdpTransport::KeepClosing(Connection& connection) {
  if (m_nowNs >= connection.deadlineNs) {
    SendCode(connection, Kind::Close, connection.closeCode);
    End(connection, MU_DISCONNECT_LOCAL, connection.closeCode);
    return;
  }
  if (!connection.send.IsEmpty() || m_nowNs < connection.repeatAtNs) {
    return;
  }
  if (connection.tries == kMostFarewells) {
    End(connection, MU_DISCONNECT_LOCAL, connection.closeCode);
    return;
  }
  SendCode(connection, Kind::Close, connection.closeCode);
  connection.repeatAtNs = m_nowNs + (connection.send.ResendAfterNs() << std::min(connection.tries, 3U));
  ++connection.tries;
}

}  // namespace muster::udp
