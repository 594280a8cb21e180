// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What one client is known to know. Per net id:
//
//   Unknown   it has no such entity, for sure; the id may be released once every client says so
//   Pending   a Spawn left and is not acknowledged
//   Known     a Spawn was acknowledged: updates may follow
//   Leaving   a Leave is due or left and is not acknowledged
//
//   Unknown -Spawn sent-> Pending -acked-> Known -out of interest, dead-> Leaving -acked-> Unknown
//   Pending -out of interest, dead-> Leaving          Leaving -wanted again-> Pending          Known -asks-> Pending
//
// Only an explicit ack of a packet moves a state forward. Each entry remembers the sequence its present state began
// with: acks of older packets say nothing about it, so a late ack of an earlier life of the id, or of an earlier Spawn,
// is passed over. The client holds the same rule by tick (SnapshotLayout.h), so both agree whatever order packets
// arrive in. Lost packets make their Spawns and Leaves due at once, with the latest state; other records wait for their
// turn.
//
// One client's; its owner's thread, which is a worker's within a tick.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "Protocol/Acks.h"
#include "Protocol/SnapshotLayout.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::replication {

enum class Knowledge : std::uint8_t { Unknown, Pending, Known, Leaving };

/// Ticks and sequences as their low 32 bits: only differences are ever used (TicksSince, IsAfter), and those stay far
/// below 2^31.
struct ViewEntry {
  Knowledge knowledge = Knowledge::Unknown;
  bool isWanted = false;
  bool hasAnchor = false;            ///< anchorTick means something
  bool hasValue = false;             ///< valueTick means something
  bool isDue = false;                ///< goes out at the next chance: never sent, known to be lost, or asked for
  std::uint32_t epoch = 0;           ///< sequence of the first packet that counts for the present state
  std::uint32_t anchorTick = 0;      ///< newest anchor the client has acknowledged
  std::uint32_t valueTick = 0;       ///< newest record it has acknowledged
  std::uint32_t sentTick = 0;        ///< packet of the last record sent; while Unknown, since when it is wanted
  std::uint32_t sentValueTick = 0;   ///< and the tick of its value
  std::uint32_t anchorSentTick = 0;  ///< packet of the last record sent that can be an anchor
  bool isAnchorUnderWay = false;     ///< that packet's fate is open
};

inline std::uint32_t LowBits(Tick tick) {
  return static_cast<std::uint32_t>(tick.Value());
}
/// True when `left` is after `right`, for numbers that wrap.
inline bool IsAfter(std::uint32_t left, std::uint32_t right) {
  return static_cast<std::int32_t>(left - right) > 0;
}
inline std::uint32_t TicksSince(std::uint32_t earlier, Tick tick) {
  return LowBits(tick) - earlier;
}

/// A record in a packet that was sent.
struct SentRecord {
  std::uint32_t netId = 0;
  protocol::RecordKind kind = protocol::RecordKind::Update;
  bool isLate = false;
};

class ClientView {
 public:
  /// Packets remembered; one that has no ack by then is lost.
  static constexpr std::size_t kSentPackets = 128;

  /// Entries for every id below `idLimit`.
  void Resize(std::uint32_t idLimit);

  ViewEntry& At(NetId netId) { return m_entries[netId.Value()]; }
  const ViewEntry& At(NetId netId) const { return m_entries[netId.Value()]; }
  /// True when the client may have the entity, or something about it is under way. [any] between ticks.
  bool IsHeld(NetId netId) const {
    return netId.Value() < m_entries.size() && At(netId).knowledge != Knowledge::Unknown;
  }

  /// Takes in what the client has received and what is lost.
  void OnAcks(const protocol::AckReport& report);

  /// The client cannot decode the entity: it is spawned anew, in a later packet than any so far.
  void OnNeedAbsolute(NetId netId);

  /// The entity is, or is no longer, to be seen.
  void SetWanted(NetId netId, bool isWanted, Tick tick);

  /// Opens the record of a packet; its records follow.
  void BeginPacket(std::uint32_t sequence, Tick tick);
  void OnSent(const SentRecord& record);

 private:
  struct SentPacket {
    std::uint32_t sequence = 0;  ///< 0: nothing waits here
    Tick tick{};
    std::vector<SentRecord> records;
  };

  void OnAcked(const SentPacket& packet, const SentRecord& record);
  void OnLost(const SentPacket& packet, const SentRecord& record);
  void Lose(SentPacket& packet);

  std::vector<ViewEntry> m_entries;  ///< by net id
  std::array<SentPacket, kSentPackets> m_sent{};
  std::size_t m_current = 0;  ///< place of the packet being filled
  std::uint32_t m_newestSent = 0;
};

}  // namespace muster::replication
