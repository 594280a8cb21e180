// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Assert.h"
#include "Link/Address.h"
#include "Protocol/RefusalCodes.h"
#include "ServerLinkImpl.h"

#include <algorithm>
#include <string>

namespace muster::link {
namespace {

/// So long without a pass is a stop of the process; an idle network thread wakes for every packet of its peers.
constexpr std::chrono::milliseconds kStall{250};

}  // namespace

void ServerLink::Impl::Service() {
  MUSTER_ASSERT(static_cast<bool>(m_transport), "a link is serviced after it listens");
  const MonotonicTime now = m_clock.Now();
  m_wake.Take();
  PardonStall(now);
  m_events.Flush();
  DrainCommands(now);
  ReceiveAll(now);
  RunHandshakes(now);
  ExpireHandshakes(now);
  m_batch.Submit(now, m_transport, m_counters);
  CloseRefused();
  m_transport.Flush();
  m_events.Flush();
  m_counters.peers.Set(m_open);
  m_counters.halfOpen.Set(m_halfOpen);
  m_counters.TakeTransport(m_transport.Stats());
}

void ServerLink::Impl::PardonStall(MonotonicTime now) {
  const auto gap = std::min<std::chrono::nanoseconds>(now - m_lastService, m_config.silenceTimeout);
  const bool isFirst = m_lastService == MonotonicTime{};
  m_lastService = now;
  if (isFirst || gap < kStall) {
    return;
  }
  // Honest clients went on sending while this process stood still, and now it all arrives at once.
  for (ServerPeer& peer : m_peers.Slots()) {
    if (peer.state == ServerPeer::State::Open) {
      peer.openBudget.Credit(now, gap);
      peer.byteBudget.Credit(now, gap);
      peer.floodBudget.Credit(now, gap);
    }
  }
}

void ServerLink::Impl::DrainCommands(MonotonicTime now) {
  LinkCommand command;
  std::span<const std::byte> message;
  while (m_commands.Peek(command, message)) {
    Execute(command, message, now);
    m_commands.Pop();
  }
  m_batch.Submit(now, m_transport, m_counters);
  CloseRefused();
}

void ServerLink::Impl::Execute(const LinkCommand& command, std::span<const std::byte> message, MonotonicTime now) {
  ServerPeer* peer = m_peers.Find(command.peer);
  const bool isOpen = peer != nullptr && peer->state == ServerPeer::State::Open;
  switch (command.kind) {
    case LinkCommand::Kind::SendPacket:
      if (isOpen) {
        m_batch.AddPacket(*peer, command.sequence, message, now, m_transport, m_counters);
        return;
      }
      m_counters.Drop(SendDropReason::NotConnected);
      return;
    case LinkCommand::Kind::SendReliable:
      if (isOpen) {
        m_batch.AddReliable(*peer, message, now, m_transport, m_counters);
        return;
      }
      m_counters.Drop(SendDropReason::NotConnected);
      return;
    case LinkCommand::Kind::Disconnect:
      if (isOpen) {
        m_batch.Submit(now, m_transport, m_counters);
        Close(*peer, command.reason);
      }
      return;
    case LinkCommand::Kind::ReportMalformed:
      if (isOpen) {
        Drop(DropReason::MessageMalformed, peer->address);
        BlameMalformed(*peer, now);
      }
      return;
  }
}

void ServerLink::Impl::CloseRefused() {
  for (const PeerId id : m_batch.Refused()) {
    ServerPeer* peer = m_peers.Find(id);
    if (peer != nullptr && peer->state != ServerPeer::State::Closing) {
      m_throttle.Log(m_log, LogLevel::Warning, static_cast<std::uint64_t>(DisconnectReason::Backlog) << 32,
                     "{} does not take its reliable messages and is closed", FormatAddress(peer->address));
      Close(*peer, DisconnectReason::Backlog);
    }
  }
  m_batch.ClearRefused();
}

void ServerLink::Impl::Close(ServerPeer& peer, DisconnectReason reason) {
  if (peer.state == ServerPeer::State::Closing) {
    return;
  }
  LeaveHandshake(peer);
  if (peer.state == ServerPeer::State::Open) {
    --m_open;
    m_gate.Forget(peer.address);
  }
  peer.state = ServerPeer::State::Closing;
  peer.reason = reason;
  m_transport.Disconnect(peer.connection, static_cast<std::uint32_t>(reason));
}

void ServerLink::Impl::LeaveHandshake(ServerPeer& peer) noexcept {
  if (peer.state == ServerPeer::State::HelloWaits) {
    --m_hellosWaiting;
  }
  if (peer.state == ServerPeer::State::HelloWaits || peer.state == ServerPeer::State::AwaitsHello) {
    --m_halfOpen;
  }
}

void ServerLink::Impl::RunHandshakes(MonotonicTime now) {
  if (m_hellosWaiting == 0) {
    return;
  }
  std::uint32_t budget = m_config.keyExchangesPerPass;
  for (ServerPeer& peer : m_peers.Slots()) {
    if (peer.state != ServerPeer::State::HelloWaits) {
      continue;
    }
    if (budget == 0) {
      return;
    }
    --budget;
    const ServerHandshake::Answer answer = m_handshake.Take(peer.hello, m_open);
    if (!answer.reply.empty()) {
      m_batch.AddClear(peer, answer.reply, now, m_transport, m_counters);
      m_batch.Submit(now, m_transport, m_counters);
    }
    if (answer.keys) {
      FinishHandshake(peer, *answer.keys, now);
      continue;
    }
    m_counters.refused.Add();
    Drop(answer.drop, peer.address);
    m_throttle.Log(m_log, LogLevel::Info, std::uint64_t{answer.code} << 40, "{} refused: {}",
                   FormatAddress(peer.address), protocol::RefusalCode(answer.code).name);
    Close(peer,
          answer.drop == DropReason::HandshakeRefused ? DisconnectReason::Refused : DisconnectReason::HandshakeFailed);
  }
}

void ServerLink::Impl::FinishHandshake(ServerPeer& peer, const protocol::SessionKeys& keys, MonotonicTime now) {
  LeaveHandshake(peer);
  peer.state = ServerPeer::State::Open;
  peer.hello = {};
  ++m_open;
  m_gate.Admit(peer.address);
  peer.channel = std::make_unique<PeerChannel>(keys, protocol::Direction::ToClient);
  const double limit = static_cast<double>(m_config.packetsPerSecond) * m_config.floodMultiplier;
  const double bytes = std::max(m_config.bytesPerSecond, m_config.maxMessageBytes);
  peer.openBudget = TokenBucket(limit * 4, limit * 4, now);
  peer.byteBudget = TokenBucket(m_config.bytesPerSecond, bytes, now);
  peer.floodBudget = TokenBucket(limit, limit, now);
  peer.floodPardon = TokenBucket(limit / 10, limit, now);
  peer.malformedPardon = TokenBucket(1.0, m_config.malformedLimit, now);
  m_counters.connected.Add();
  LinkEvent event;
  event.kind = LinkEvent::Kind::Connected;
  event.peer = peer.id;
  event.address = peer.address;
  event.receivedAt = now;
  const std::string& codec = m_config.identity.codecName;
  peer.told = true;
  GiveMust(peer, event, std::as_bytes(std::span(codec.data(), codec.size())));
}

void ServerLink::Impl::ExpireHandshakes(MonotonicTime now) {
  if (m_halfOpen == 0) {
    return;
  }
  for (ServerPeer& peer : m_peers.Slots()) {
    if (peer.state == ServerPeer::State::AwaitsHello && now >= peer.deadline) {
      Drop(DropReason::HandshakeTimeout, peer.address);
      Close(peer, DisconnectReason::HandshakeTimeout);
    }
  }
}

void ServerLink::Impl::BlameMalformed(ServerPeer& peer, MonotonicTime now) {
  if (peer.malformedPardon.Take(now)) {
    return;
  }
  m_throttle.Log(m_log, LogLevel::Warning, static_cast<std::uint64_t>(DisconnectReason::Malformed) << 32,
                 "{} sends too many messages that do not decode and is closed", FormatAddress(peer.address));
  Close(peer, DisconnectReason::Malformed);
}

}  // namespace muster::link
