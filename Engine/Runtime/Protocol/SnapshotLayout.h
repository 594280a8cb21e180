// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The snapshot message: what Replication writes and NetClient reads (SnapshotMessage.h). Both schedulers share it, any
// codec fits in it. This file holds its layout and the rule of anchors, which both ends compute for themselves.
//
//   MessageType::Snapshot   8 bits
//   tick                    64-bit, little-endian bytes: the tick the records are of; never 0
//   inputTick               64-bit: newest input tick of this client the server has applied (0: none)
//   inputMargin             signed 8-bit: ticks by which that input was early (negative: late), saturated
//   idOrder                 4 bits: order of the exponential Golomb codes of net ids in this message
//   then records, until a terminating net id of 0, and zero bits up to the whole byte
//
// Each record, in ascending net id order:
//
//   idDelta   exponential Golomb, idOrder: net id minus the previous record's (first: the net id itself); 0 ends the list
//   kind      2 bits    RecordKind
//   Spawn     archetype 16 bits, isOwn 1 bit, generation 8 bits, then an absolute body
//   Update    generation 2 bits (low bits), form 3 bits, then the body
//   Leave     generation 8 bits, reason 2 bits; no body. Gone out of interest or out of the world
//
// `form` is where the body is measured from:
//   0 absolute, current     the record of this tick, no anchor
//   1..4 anchor, current    this tick, relative to the record of AnchorBefore(netId, tick, form)
//   5 absolute, late        the record of AnchorBefore(netId, tick, 1), no anchor: it leaves late, so that it can be an anchor
//   6..7 anchor, late       the same record, relative to that of AnchorBefore(netId, tick, 2) or (..., 3)
// Bodies are the codec's and carry no length; a codec can tell it without the anchor, so a reader that lacks one goes
// on.
//
// Anchors. An entity's anchor ticks are those where (tick + phase(netId)) mod 16 is 0, the same for every client. A
// client keeps the record of every anchor tick it decodes, the newest five; the server refers only to anchors of
// packets that the client has acknowledged. A record the client cannot decode (its anchor is missing) makes it ask for
// an absolute one in its next input message; it never stays silent.
//
// Order. Packets may overtake each other. For each net id a record counts by its packet's tick: a Spawn or Leave undoes
// everything older, and whatever arrives of an older packet afterwards is passed over. A Spawn for an entity the client
// already has, of the same generation, only refreshes it.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"

#include <cstdint>

namespace muster::protocol {

inline constexpr std::uint32_t kAnchorPeriodTicks = 16;
/// How many anchors back an update may refer.
inline constexpr std::uint32_t kAnchorForms = 4;
/// How many anchors of an entity each side keeps: the current tick's, where it is one, and as many as can be referred
/// to.
inline constexpr std::uint32_t kAnchorsKept = kAnchorForms + 1;

enum class RecordKind : std::uint8_t { Spawn = 1, Update = 2, Leave = 3 };

enum class RecordForm : std::uint8_t {
  Absolute = 0,
  Anchor1 = 1,
  Anchor2 = 2,
  Anchor3 = 3,
  Anchor4 = 4,
  LateAbsolute = 5,
  LateAnchor1 = 6,
  LateAnchor2 = 7
};

enum class LeaveReason : std::uint8_t { OutOfInterest = 0, Despawned = 1, Destroyed = 2 };

/// Fixed phase of an entity, 0..255; low four bits place its anchor ticks. A hash of the net id and nothing else. [any]
std::uint8_t EntityPhase(NetId netId) noexcept;

/// True when `tick` is one of the entity's anchor ticks. Tick 0 never is. [any]
bool IsAnchorTick(NetId netId, Tick tick) noexcept;

/// The anchor ticks before `tick`: `back` = 1 is the newest one strictly before it, 2 the one before that, ... Tick 0
/// when there is none. [any]
Tick AnchorBefore(NetId netId, Tick tick, std::uint32_t back) noexcept;

/// Which ticks a body in a packet of `tick` speaks of; tick 0: none.
struct RecordTicks {
  Tick value;   ///< of the record itself; 0 when a late form stands where no anchor can be
  Tick anchor;  ///< of what it is relative to; 0 for absolute forms, or when there can be no such anchor
  bool isAnchored = false;

  /// Ticks from the anchor to the value, for the codec.
  [[nodiscard]] std::uint32_t AnchorAge() const noexcept {
    return isAnchored ? static_cast<std::uint32_t>(value - anchor) : 0;
  }
};

/// [any]
RecordTicks TicksOf(NetId netId, RecordForm form, Tick tick) noexcept;

}  // namespace muster::protocol
