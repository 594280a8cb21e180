// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ClientView.h"

#include "Core/Assert.h"

namespace muster::replication {
namespace {

Tick ValueTick(const SentRecord& record, Tick packetTick) {
  return record.isLate ? protocol::AnchorBefore(NetId{record.netId}, packetTick, 1) : packetTick;
}

/// The state begins anew: nothing the client knew of earlier counts.
void Restart(ViewEntry& entry, Knowledge knowledge, std::uint32_t epoch) {
  entry.knowledge = knowledge;
  entry.epoch = epoch;
  entry.hasAnchor = false;
  entry.hasValue = false;
  entry.isDue = true;
  entry.isAnchorUnderWay = false;
}

}  // namespace

void ClientView::Resize(std::uint32_t idLimit) {
  if (m_entries.size() < idLimit) {
    m_entries.resize(idLimit);
  }
}

void ClientView::SetWanted(NetId netId, bool isWanted, Tick tick) {
  ViewEntry& entry = At(netId);
  if (entry.knowledge == Knowledge::Unknown && !entry.isWanted) {
    entry.sentTick = LowBits(tick);
  }
  entry.isWanted = isWanted;
  if (isWanted && entry.knowledge == Knowledge::Leaving) {
    Restart(entry, Knowledge::Pending, m_newestSent + 1);
  } else if (!isWanted && (entry.knowledge == Knowledge::Pending || entry.knowledge == Knowledge::Known)) {
    Restart(entry, Knowledge::Leaving, m_newestSent + 1);
  }
}

void ClientView::OnNeedAbsolute(NetId netId) {
  if (netId.Value() < m_entries.size() && At(netId).knowledge == Knowledge::Known) {
    Restart(At(netId), Knowledge::Pending, m_newestSent + 1);
  }
}

void ClientView::BeginPacket(std::uint32_t sequence, Tick tick) {
  MUSTER_ASSERT(sequence > m_newestSent, "sequences of a session rise");
  m_newestSent = sequence;
  m_current = sequence % kSentPackets;
  Lose(m_sent[m_current]);
  m_sent[m_current].sequence = sequence;
  m_sent[m_current].tick = tick;
}

void ClientView::OnSent(const SentRecord& record) {
  SentPacket& packet = m_sent[m_current];
  packet.records.push_back(record);
  const NetId netId{record.netId};
  ViewEntry& entry = At(netId);
  if (record.kind == protocol::RecordKind::Spawn && entry.knowledge == Knowledge::Unknown) {
    Restart(entry, Knowledge::Pending, packet.sequence);
  }
  entry.isDue = false;
  entry.sentTick = LowBits(packet.tick);
  if (record.kind != protocol::RecordKind::Leave) {
    const Tick value = ValueTick(record, packet.tick);
    entry.sentValueTick = LowBits(value);
    if (protocol::IsAnchorTick(netId, value)) {
      entry.anchorSentTick = LowBits(packet.tick);
      entry.isAnchorUnderWay = true;
    }
  }
}

void ClientView::OnAcks(const protocol::AckReport& report) {
  for (std::uint32_t i = 0; i < protocol::kAckWindow && i < report.newest; ++i) {
    const std::uint32_t sequence = report.newest - i;
    SentPacket& packet = m_sent[sequence % kSentPackets];
    if ((report.newlyAcked >> i & 1U) == 0 || packet.sequence != sequence) {
      continue;
    }
    for (const SentRecord& record : packet.records) {
      OnAcked(packet, record);
    }
    packet.sequence = 0;
    packet.records.clear();
  }
  for (SentPacket& packet : m_sent) {
    if (packet.sequence < report.lostBelow) {
      Lose(packet);
    }
  }
}

void ClientView::OnAcked(const SentPacket& packet, const SentRecord& record) {
  const NetId netId{record.netId};
  ViewEntry& entry = At(netId);
  if (entry.knowledge == Knowledge::Unknown || IsAfter(entry.epoch, packet.sequence)) {
    return;
  }
  if (record.kind == protocol::RecordKind::Leave) {
    if (entry.knowledge == Knowledge::Leaving) {
      entry = ViewEntry{};
    }
    return;
  }
  if (entry.knowledge == Knowledge::Leaving) {
    return;
  }
  if (record.kind == protocol::RecordKind::Spawn) {
    entry.knowledge = Knowledge::Known;
  }
  const Tick value = ValueTick(record, packet.tick);
  if (!entry.hasValue || IsAfter(LowBits(value), entry.valueTick)) {
    entry.hasValue = true;
    entry.valueTick = LowBits(value);
  }
  if (protocol::IsAnchorTick(netId, value)) {
    if (entry.anchorSentTick == LowBits(packet.tick)) {
      entry.isAnchorUnderWay = false;
    }
    if (!entry.hasAnchor || IsAfter(LowBits(value), entry.anchorTick)) {
      entry.hasAnchor = true;
      entry.anchorTick = LowBits(value);
    }
  }
}

void ClientView::OnLost(const SentPacket& packet, const SentRecord& record) {
  ViewEntry& entry = At(NetId{record.netId});
  if (entry.knowledge == Knowledge::Unknown || IsAfter(entry.epoch, packet.sequence)) {
    return;
  }
  if (entry.anchorSentTick == LowBits(packet.tick)) {
    entry.isAnchorUnderWay = false;
  }
  if (record.kind != protocol::RecordKind::Update && entry.knowledge != Knowledge::Known &&
      entry.sentTick == LowBits(packet.tick)) {
    entry.isDue = true;
  }
}

void ClientView::Lose(SentPacket& packet) {
  if (packet.sequence != 0) {
    for (const SentRecord& record : packet.records) {
      OnLost(packet, record);
    }
  }
  packet.sequence = 0;
  packet.records.clear();
}

}  // namespace muster::replication
