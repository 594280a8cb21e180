// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The client's end of replication: snapshot messages in, entities out.
//
//   SnapshotReceiver receiver{codec};
//   if (receiver.Receive(message) != protocol::DecodeStatus::Ok) { ... }       // counted; the rest of it is lost
//   for (const EntityEvent& event : receiver.Events()) { ... }
//   receiver.ClearEvents();
//   receiver.ForEachEntity([](const ReplicatedEntity& entity) { ... });
//   input.needAbsolute = receiver.NeedAbsolute();                              // at most the message's limit
//
// Packets may come late, twice or not at all: what is older never overwrites what is newer (the rule is
// SnapshotLayout.h's). Nothing is ever evicted by time; an entity leaves because the server says so. A record that
// cannot be decoded, because its anchor or its entity is missing, is passed over and asked for.
//
// Messages are hostile: every failure is a status and a counter. One thread.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "PluginApi/SnapshotCodec.h"
#include "Protocol/DecodeStatus.h"
#include "Protocol/SnapshotMessage.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::netclient {

/// An entity as the newest record has it.
struct ReplicatedEntity {
  NetId netId{};
  ArchetypeId archetype{};
  std::uint8_t generation = 0;
  bool isOwn = false;  ///< as of its Spawn; the OwnEntity message says when that changes
  Tick recordTick{};   ///< which tick `record` is of
  mu_canonical_record record{};
};

struct EntityEvent {
  enum class Kind : std::uint8_t { Spawned, Left };

  Kind kind = Kind::Spawned;
  NetId netId{};
  protocol::LeaveReason reason = protocol::LeaveReason::OutOfInterest;  ///< Left
  Tick tick{};                                                          ///< of the packet
};

struct SnapshotReceiverConfig {
  /// Higher net ids are refused as malformed; bounds the table's memory. Below protocol::kMaxNetId.
  std::uint32_t maxNetId = (1U << 18) - 1;
};

struct SnapshotReceiverStats {
  std::uint64_t messages = 0;
  std::uint64_t messageBytes = 0;
  std::uint64_t spawns = 0;  ///< records, refreshing ones included
  std::uint64_t updates = 0;
  std::uint64_t leaves = 0;
  std::uint64_t overtaken = 0;      ///< records passed over because a newer Spawn or Leave undid them
  std::uint64_t withoutAnchor = 0;  ///< updates whose anchor is not here
  std::uint64_t withoutEntity = 0;  ///< updates of an entity, or of a generation of it, that is not here
  std::uint64_t impossible = 0;     ///< bodies that are well formed and whose values cannot be
  std::array<std::uint64_t, protocol::kDecodeStatusCount> statuses{};  ///< of Receive, by DecodeStatus
};

class SnapshotReceiver {
 public:
  /// Entities that may be asked for at the same time; more wait until they come up again.
  static constexpr std::size_t kMaxNeeds = 256;
  /// A need is dropped when for so many ticks no record made it felt.
  static constexpr TickCount kNeedTicks = 120;

  /// `codec` is the one agreed on with the server; it outlives the receiver.
  explicit SnapshotReceiver(const mu_snapshot_codec_v0& codec, const SnapshotReceiverConfig& config = {});

  /// One snapshot message. When it is not Ok, the records in front of the fault have been taken in.
  protocol::DecodeStatus Receive(std::span<const std::byte> message);

  /// Null when it is not here. Valid until the next Receive.
  [[nodiscard]] const ReplicatedEntity* Find(NetId netId) const;
  [[nodiscard]] std::size_t EntityCount() const { return m_entityCount; }

  /// Calls `body(const ReplicatedEntity&)`, ascending by net id.
  template <class Body>
  void ForEachEntity(Body&& body) const {
    for (const Slot& slot : m_slots) {
      if (slot.isPresent) {
        body(slot.entity);
      }
    }
  }

  /// What happened since ClearEvents, in the order of arrival.
  [[nodiscard]] std::span<const EntityEvent> Events() const { return m_events; }
  void ClearEvents() { m_events.clear(); }

  /// Entities to ask an absolute record of, the longest waiting first.
  [[nodiscard]] std::span<const NetId> NeedAbsolute() const { return m_needs; }

  /// Header of the newest snapshot; its tick is 0 before the first.
  [[nodiscard]] const protocol::SnapshotHeader& Newest() const { return m_newest; }
  [[nodiscard]] const SnapshotReceiverStats& Stats() const { return m_stats; }

 private:
  struct Anchor {
    Tick tick{};  ///< 0: none
    mu_canonical_record record{};
  };
  struct Slot {
    bool isPresent = false;
    bool isNeeded = false;
    Tick structureTick{};  ///< packet of the newest Spawn or Leave taken in
    Tick neededTick{};
    ReplicatedEntity entity{};
    std::array<Anchor, protocol::kAnchorsKept> anchors{};
  };
  struct Body {
    mu_status status;
    std::uint32_t bits;
    mu_canonical_record record;
  };

  protocol::DecodeStatus Read(protocol::SnapshotReader& reader, Tick tick);
  Slot* SlotOf(NetId netId);
  Body Decode(const protocol::SnapshotReader& reader, const mu_canonical_record* anchor, std::uint32_t age) const;
  bool TakeBody(protocol::SnapshotReader& reader, const Body& body) const;
  bool TakeSpawn(protocol::SnapshotReader& reader, const protocol::RecordHead& head, Slot& slot, Tick tick);
  bool TakeUpdate(protocol::SnapshotReader& reader, const protocol::RecordHead& head, Slot& slot, Tick tick);
  void TakeLeave(const protocol::RecordHead& head, Slot& slot, Tick tick);
  void Remove(Slot& slot, protocol::LeaveReason reason, Tick tick);
  void StoreValue(Slot& slot, Tick valueTick, const mu_canonical_record& record);
  static const mu_canonical_record* FindAnchor(const Slot& slot, Tick tick);
  void Need(Slot& slot, NetId netId, Tick tick);
  void ForgetNeed(Slot& slot, NetId netId);
  void ExpireNeeds();

  const mu_snapshot_codec_v0& m_codec;
  std::span<const std::byte> m_message{};  ///< during Receive
  std::uint32_t m_maxNetId;
  std::vector<Slot> m_slots;  ///< by net id
  std::size_t m_entityCount = 0;
  std::vector<EntityEvent> m_events;
  std::vector<NetId> m_needs;
  protocol::SnapshotHeader m_newest{};
  SnapshotReceiverStats m_stats{};
};

}  // namespace muster::netclient
