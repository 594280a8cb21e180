// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The plain scheduler, kept as the reference: for one client it scores everything the client may be told of, and
// picks the best. Score = ticks since it was sent x nearness x class; so how often an entity is sent is in proportion
// to how near it is, and whatever waits long enough comes first some day. A client's own craft comes before everything.
//
// Scores are floats from sums, products, quotients and square roots in a fixed order, without contraction, so they are
// the same bits everywhere; ties go to the lower net id. [worker]
#pragma once

#include "CanonicalStore.h"
#include "ClientView.h"
#include "Interest.h"
#include "NetIdTable.h"
#include "Protocol/SnapshotMessage.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::replication {

/// A record that has not been answered for is sent again after so many ticks, at the latest.
inline constexpr std::uint32_t kResendTicks = 12;
/// A record that the client has as it is, is sent again after so many ticks: a proof of life.
inline constexpr std::uint32_t kHeartbeatTicks = 120;
/// An acknowledged anchor older than this is replaced: a record leaves late, as an anchor.
inline constexpr std::uint32_t kAnchorRefreshTicks = 32;
/// How long an anchor under way is waited for before another one is sent.
inline constexpr std::uint32_t kAnchorPatienceTicks = 24;

/// What all clients of a tick share.
struct TickView {
  Tick tick{};
  const NetIdTable& ids;
  const CanonicalStore& canonical;
  const Interest& interest;
  std::span<const std::uint16_t> archetype;  ///< by slot
  std::span<const std::uint32_t> owner;      ///< by slot
};

/// A record to be sent, if it fits. Pointers are into the CanonicalStore.
struct PlannedRecord {
  protocol::RecordHead head{};
  const mu_canonical_record* record = nullptr;  ///< null: a Leave
  const mu_canonical_record* anchor = nullptr;  ///< null: absolute
  std::uint32_t anchorAge = 0;
  bool isLate = false;
};

class RankScheduler {
 public:
  /// Judges interest, and fills `planned` with what is most due, best first, at most `limit` records. Returns how many
  /// candidates there were.
  std::size_t Plan(const TickView& world, ClientView& view, const Viewpoint& viewpoint, NetId own, std::size_t limit,
                   std::vector<PlannedRecord>& planned);

 private:
  void Gather(const TickView& world, ClientView& view, const Viewpoint& viewpoint, NetId own);

  /// Keys whose ascending order is the ranking: score, inverted, above net id. Sorting numbers is twice as fast as
  /// records.
  std::vector<std::uint64_t> m_ranked;
};

/// The record of a live entity as `entry` allows it: which value, relative to which anchor.
PlannedRecord PlanUpdate(const TickView& world, const ViewEntry& entry, NetId netId, bool isOwn);

}  // namespace muster::replication
