// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetClient/SnapshotReceiver.h"

#include "Core/Assert.h"

#include <algorithm>

namespace muster::netclient {

using protocol::DecodeStatus;
using protocol::RecordHead;
using protocol::RecordKind;
using protocol::RecordTicks;
using protocol::SnapshotReader;

namespace {

/// Stands in for an anchor that is not here, to learn how long a body is.
constexpr mu_canonical_record kNoAnchor{};

}  // namespace

SnapshotReceiver::SnapshotReceiver(const mu_snapshot_codec_v0& codec, const SnapshotReceiverConfig& config)
    : m_codec{codec}, m_maxNetId{config.maxNetId} {
  MUSTER_ASSERT(config.maxNetId <= protocol::kMaxNetId, "no net id is that high");
  m_needs.reserve(kMaxNeeds);
}

DecodeStatus SnapshotReceiver::Receive(std::span<const std::byte> message) {
  m_message = message;
  ++m_stats.messages;
  m_stats.messageBytes += message.size();
  SnapshotReader reader{message};
  protocol::SnapshotHeader header;
  DecodeStatus status = reader.ReadHeader(header);
  if (status == DecodeStatus::Ok) {
    if (header.tick > m_newest.tick) {
      m_newest = header;
    }
    status = Read(reader, header.tick);
  }
  ExpireNeeds();
  ++m_stats.statuses[static_cast<std::size_t>(status)];
  return status;
}

DecodeStatus SnapshotReceiver::Read(SnapshotReader& reader, Tick tick) {
  RecordHead head;
  while (reader.ReadRecord(head)) {
    Slot* slot = SlotOf(head.netId);
    if (slot == nullptr) {
      return DecodeStatus::BadValue;
    }
    bool isTaken = true;
    switch (head.kind) {
      case RecordKind::Spawn:
        isTaken = TakeSpawn(reader, head, *slot, tick);
        break;
      case RecordKind::Update:
        isTaken = TakeUpdate(reader, head, *slot, tick);
        break;
      case RecordKind::Leave:
        TakeLeave(head, *slot, tick);
        break;
    }
    if (!isTaken) {
      return reader.Status() == DecodeStatus::Ok ? DecodeStatus::BadValue : reader.Status();
    }
  }
  return reader.Status();
}

SnapshotReceiver::Slot* SnapshotReceiver::SlotOf(NetId netId) {
  if (netId.Value() > m_maxNetId) {
    return nullptr;
  }
  if (netId.Value() >= m_slots.size()) {
    m_slots.resize(netId.Value() + 1);
  }
  return &m_slots[netId.Value()];
}

const ReplicatedEntity* SnapshotReceiver::Find(NetId netId) const {
  const bool isHere = netId.Value() < m_slots.size() && m_slots[netId.Value()].isPresent;
  return isHere ? &m_slots[netId.Value()].entity : nullptr;
}

SnapshotReceiver::Body SnapshotReceiver::Decode(const SnapshotReader& reader, const mu_canonical_record* anchor,
                                                std::uint32_t age) const {
  Body body{MU_OK, 0, {}};
  const mu_bytes bytes{reinterpret_cast<const std::uint8_t*>(m_message.data()), m_message.size()};
  body.status = m_codec.decode(bytes, reader.BodyBit(), anchor, age, &body.record, &body.bits);
  return body;
}

/// Moves behind the body; false when its end cannot be told, and with it that of the message.
bool SnapshotReceiver::TakeBody(SnapshotReader& reader, const Body& body) const {
  if (body.status != MU_OK && body.bits == 0) {
    // What a codec finds cut off, the message's own end cuts off as well; anything else is a bad value.
    reader.SkipBody(body.status == MU_E_TRUNCATED ? ~std::uint32_t{0} : 0);
    return false;
  }
  reader.SkipBody(body.bits);
  return reader.Status() == DecodeStatus::Ok;
}

bool SnapshotReceiver::TakeSpawn(SnapshotReader& reader, const RecordHead& head, Slot& slot, Tick tick) {
  const Body body = Decode(reader, nullptr, 0);
  if (!TakeBody(reader, body)) {
    return false;
  }
  if (body.status != MU_OK) {
    ++m_stats.impossible;
    return false;
  }
  if (tick < slot.structureTick) {
    ++m_stats.overtaken;
    return true;
  }
  ++m_stats.spawns;
  if (slot.isPresent && slot.entity.generation != head.generation) {
    Remove(slot, protocol::LeaveReason::Despawned, tick);
  }
  if (!slot.isPresent) {
    slot.isPresent = true;
    slot.entity = ReplicatedEntity{};
    slot.anchors.fill(Anchor{});
    ++m_entityCount;
    m_events.push_back({EntityEvent::Kind::Spawned, head.netId, {}, tick});
  }
  slot.structureTick = tick;
  slot.entity.netId = head.netId;
  slot.entity.archetype = head.archetype;
  slot.entity.generation = head.generation;
  slot.entity.isOwn = head.isOwn;
  StoreValue(slot, tick, body.record);
  ForgetNeed(slot, head.netId);
  return true;
}

bool SnapshotReceiver::TakeUpdate(SnapshotReader& reader, const RecordHead& head, Slot& slot, Tick tick) {
  const RecordTicks ticks = protocol::TicksOf(head.netId, head.form, tick);
  if (ticks.value.Value() == 0 || (ticks.isAnchored && ticks.anchor.Value() == 0)) {
    return false;
  }
  const bool isHere = slot.isPresent && tick >= slot.structureTick &&
                      head.generation == (slot.entity.generation & protocol::kUpdateGenerationMask);
  const mu_canonical_record* anchor = nullptr;
  if (ticks.isAnchored) {
    anchor = isHere ? FindAnchor(slot, ticks.anchor) : nullptr;
  }
  const bool isDecodable = isHere && (!ticks.isAnchored || anchor != nullptr);
  const Body body = Decode(reader, ticks.isAnchored && anchor == nullptr ? &kNoAnchor : anchor, ticks.AnchorAge());
  if (!TakeBody(reader, body)) {
    return false;
  }
  if (!isHere && tick <= slot.structureTick) {
    ++m_stats.overtaken;
    return true;
  }
  if (!isDecodable || body.status != MU_OK) {
    ++(!isHere ? m_stats.withoutEntity : !isDecodable ? m_stats.withoutAnchor : m_stats.impossible);
    // What a newer record has made up for already is not asked for.
    if (!isHere || ticks.value >= slot.entity.recordTick) {
      Need(slot, head.netId, tick);
    }
    return true;
  }
  ++m_stats.updates;
  StoreValue(slot, ticks.value, body.record);
  return true;
}

void SnapshotReceiver::TakeLeave(const RecordHead& head, Slot& slot, Tick tick) {
  const bool isOfAnother = slot.isPresent && slot.entity.generation != head.generation;
  if (tick < slot.structureTick || isOfAnother) {
    ++m_stats.overtaken;
    return;
  }
  ++m_stats.leaves;
  slot.structureTick = tick;
  ForgetNeed(slot, head.netId);
  if (slot.isPresent) {
    Remove(slot, head.reason, tick);
  }
}

void SnapshotReceiver::Remove(Slot& slot, protocol::LeaveReason reason, Tick tick) {
  slot.isPresent = false;
  --m_entityCount;
  m_events.push_back({EntityEvent::Kind::Left, slot.entity.netId, reason, tick});
}

void SnapshotReceiver::StoreValue(Slot& slot, Tick valueTick, const mu_canonical_record& record) {
  if (valueTick > slot.entity.recordTick) {
    slot.entity.recordTick = valueTick;
    slot.entity.record = record;
  }
  if (protocol::IsAnchorTick(slot.entity.netId, valueTick) && FindAnchor(slot, valueTick) == nullptr) {
    Anchor& oldest = *std::min_element(slot.anchors.begin(), slot.anchors.end(),
                                       [](const Anchor& left, const Anchor& right) { return left.tick < right.tick; });
    if (valueTick > oldest.tick) {
      oldest = {valueTick, record};
    }
  }
}

const mu_canonical_record* SnapshotReceiver::FindAnchor(const Slot& slot, Tick tick) {
  const auto found = std::find_if(slot.anchors.begin(), slot.anchors.end(),
                                  [tick](const Anchor& anchor) { return anchor.tick == tick; });
  return found == slot.anchors.end() ? nullptr : &found->record;
}

void SnapshotReceiver::Need(Slot& slot, NetId netId, Tick tick) {
  slot.neededTick = std::max(slot.neededTick, tick);
  if (!slot.isNeeded && m_needs.size() < kMaxNeeds) {
    slot.isNeeded = true;
    m_needs.push_back(netId);
  }
}

void SnapshotReceiver::ForgetNeed(Slot& slot, NetId netId) {
  if (slot.isNeeded) {
    slot.isNeeded = false;
    m_needs.erase(std::find(m_needs.begin(), m_needs.end(), netId));
  }
}

void SnapshotReceiver::ExpireNeeds() {
  const auto isExpired = [this](NetId netId) {
    Slot& slot = m_slots[netId.Value()];
    slot.isNeeded = m_newest.tick - slot.neededTick <= kNeedTicks;
    return !slot.isNeeded;
  };
  m_needs.erase(std::remove_if(m_needs.begin(), m_needs.end(), isExpired), m_needs.end());
}

}  // namespace muster::netclient
