// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SendBatch.h"

#include "Core/Assert.h"

#include <algorithm>
#include <cstring>

namespace muster::link {

SendBatch::SendBatch(std::size_t maxMessageBytes) : m_arena(std::max(kItems * kMaxDatagramBytes, maxMessageBytes)) {
  m_refused.reserve(kItems);
}

std::span<std::byte> SendBatch::Reserve(std::size_t bytes, MonotonicTime now, TransportHandle& transport,
                                        LinkCounters& counters) {
  MUSTER_ASSERT(bytes <= m_arena.size(), "a message within its limit");
  if (m_count == kItems || bytes > m_arena.size() - m_arenaUsed) {
    Submit(now, transport, counters);
  }
  return std::span(m_arena).subspan(m_arenaUsed, bytes);
}

void SendBatch::Append(ServerPeer& peer, std::uint32_t channel, std::uint32_t sequence,
                       std::span<const std::byte> envelope) {
  m_items[m_count] = {&peer, sequence};
  m_sends[m_count] = {
      peer.connection, channel, MU_OK, {reinterpret_cast<const std::uint8_t*>(envelope.data()), envelope.size()}};
  ++m_count;
  m_arenaUsed += envelope.size();
}

void SendBatch::AddPacket(ServerPeer& peer, std::uint32_t sequence, std::span<const std::byte> message,
                          MonotonicTime now, TransportHandle& transport, LinkCounters& counters) {
  if (message.size() + kPacketOverheadBytes > kMaxDatagramBytes) {
    counters.Drop(SendDropReason::WouldFragment);
    return;
  }
  const std::span<std::byte> room = Reserve(message.size() + kPacketOverheadBytes, now, transport, counters);
  const std::size_t size = peer.channel->SealPacket(sequence, message, now, room);
  MUSTER_ASSERT(size != 0, "packet sequences of a peer rise by the sender's count");
  if (size != 0) {
    Append(peer, MU_CHANNEL_UNRELIABLE, sequence, room.first(size));
  }
}

void SendBatch::AddReliable(ServerPeer& peer, std::span<const std::byte> message, MonotonicTime now,
                            TransportHandle& transport, LinkCounters& counters) {
  const std::span<std::byte> room = Reserve(message.size() + protocol::kSealOverheadBytes, now, transport, counters);
  Append(peer, MU_CHANNEL_RELIABLE, 0, room.first(peer.channel->SealReliable(message, room)));
}

void SendBatch::AddClear(ServerPeer& peer, std::span<const std::byte> envelope, MonotonicTime now,
                         TransportHandle& transport, LinkCounters& counters) {
  const std::span<std::byte> room = Reserve(envelope.size(), now, transport, counters);
  std::copy(envelope.begin(), envelope.end(), room.begin());
  Append(peer, MU_CHANNEL_RELIABLE, 0, room);
}

void SendBatch::Submit(MonotonicTime now, TransportHandle& transport, LinkCounters& counters) {
  if (m_count == 0) {
    return;
  }
  transport.Send(std::span(m_sends).first(m_count));
  for (std::size_t i = 0; i < m_count; ++i) {
    const mu_status status = m_sends[i].status;
    ServerPeer& peer = *m_items[i].peer;
    const bool isPacket = m_items[i].sequence != 0;
    if (status == MU_OK) {
      (isPacket ? counters.packetsOut : counters.messagesOut).Add();
      if (isPacket) {
        peer.channel->PacketLeft(m_items[i].sequence, now);
      }
      continue;
    }
    counters.Drop(SendDropReasonOf(status));
    // A reliable message that is not taken leaves a hole in the stream: the connection cannot go on.
    if (!isPacket && status != MU_E_NOT_CONNECTED) {
      m_refused.push_back(peer.id);
    }
  }
  m_count = 0;
  m_arenaUsed = 0;
}

}  // namespace muster::link
