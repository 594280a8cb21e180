// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RankScheduler.h"

#include "Core/Assert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace muster::replication {
namespace {

using protocol::RecordForm;
using protocol::RecordKind;

/// At this distance an entity is sent half as often as one right beside.
constexpr float kHalfRateMeters = 512.0F;
constexpr float kPlayerFactor = 2.0F;
/// Spawns and leaves go ahead of updates as if they had waited this much longer, and that many times over.
constexpr std::uint32_t kStructureHeadStartTicks = 16;
constexpr float kStructureFactor = 4.0F;

float Nearness(float distanceSquared) {
  return kHalfRateMeters / (kHalfRateMeters + std::sqrt(distanceSquared));
}

/// Ascending by it: higher scores first, then lower net ids. The bits of floats that are not negative rise with the
/// value.
std::uint64_t RankKey(float score, std::uint32_t netId) {
  return std::uint64_t{~std::bit_cast<std::uint32_t>(score)} << 32U | netId;
}

float StructureScore(const ViewEntry& entry, Tick tick, float nearness) {
  const std::uint32_t age = TicksSince(entry.sentTick, tick) + kStructureHeadStartTicks;
  return static_cast<float>(age) * kStructureFactor * nearness;
}

bool IsStructureDue(const ViewEntry& entry, Tick tick) {
  return entry.isDue || TicksSince(entry.sentTick, tick) >= kResendTicks;
}

/// False when the client has the record as it is, or will have it once what is under way arrives.
bool IsUpdateDue(const ViewEntry& entry, Tick changedAt, Tick tick) {
  const std::uint32_t age = TicksSince(entry.sentTick, tick);
  if (entry.hasValue && !IsAfter(LowBits(changedAt), entry.valueTick)) {
    return age >= kHeartbeatTicks;
  }
  return age >= kResendTicks || IsAfter(LowBits(changedAt), entry.sentValueTick);
}

/// Anchors back from `tick` to the newest one acknowledged; nothing when there is none within reach.
std::optional<std::uint32_t> AnchorsBack(NetId netId, const ViewEntry& entry, Tick tick) {
  if (!entry.hasAnchor) {
    return std::nullopt;
  }
  for (std::uint32_t back = 1; back <= protocol::kAnchorForms; ++back) {
    const Tick anchor = protocol::AnchorBefore(netId, tick, back);
    if (anchor.Value() != 0 && LowBits(anchor) == entry.anchorTick) {
      return back;
    }
  }
  return std::nullopt;
}

/// True when a value of an anchor tick ought to go out, because the client's anchor is missing or growing old.
bool IsAnchorWanted(const ViewEntry& entry, bool hasBase, Tick tick) {
  const bool isUnderWay = entry.isAnchorUnderWay && TicksSince(entry.anchorSentTick, tick) < kAnchorPatienceTicks;
  return !isUnderWay && (!hasBase || TicksSince(entry.anchorTick, tick) > kAnchorRefreshTicks);
}

}  // namespace

PlannedRecord PlanUpdate(const TickView& world, const ViewEntry& entry, NetId netId, bool isOwn) {
  PlannedRecord planned;
  planned.head.netId = netId;
  planned.head.generation = world.ids.Generation(netId);
  planned.record = &world.canonical.Current(netId);
  if (entry.knowledge != Knowledge::Known) {
    planned.head.kind = RecordKind::Spawn;
    planned.head.archetype = ArchetypeId{world.archetype[world.ids.SlotOf(netId)]};
    planned.head.isOwn = isOwn;
    return planned;
  }
  const std::optional<std::uint32_t> back = AnchorsBack(netId, entry, world.tick);
  planned.head.kind = RecordKind::Update;
  planned.head.form = static_cast<RecordForm>(back.value_or(0));
  // A client's own craft is sent every time, so its anchor ticks go out as they come.
  if (!isOwn && !protocol::IsAnchorTick(netId, world.tick) && IsAnchorWanted(entry, back.has_value(), world.tick)) {
    const Tick newest = protocol::AnchorBefore(netId, world.tick, 1);
    if (const mu_canonical_record* late = world.canonical.Anchor(netId, newest); late != nullptr) {
      planned.isLate = true;
      planned.record = late;
      planned.head.form = back == 2U   ? RecordForm::LateAnchor1
                          : back == 3U ? RecordForm::LateAnchor2
                                       : RecordForm::LateAbsolute;
    }
  }
  const protocol::RecordTicks ticks = protocol::TicksOf(netId, planned.head.form, world.tick);
  if (ticks.isAnchored) {
    planned.anchor = world.canonical.Anchor(netId, ticks.anchor);
    planned.anchorAge = ticks.AnchorAge();
    MUSTER_ASSERT(planned.anchor != nullptr, "a client acknowledged an anchor that never was");
  }
  return planned;
}

void RankScheduler::Gather(const TickView& world, ClientView& view, const Viewpoint& viewpoint, NetId own) {
  m_ranked.clear();
  const std::span<const float> x = world.canonical.X();
  const std::span<const float> y = world.canonical.Y();
  const std::span<const float> z = world.canonical.Z();
  for (const std::uint32_t id : world.ids.Live()) {
    const NetId netId{id};
    const ViewEntry& entry = view.At(netId);
    const bool isOwn = netId == own;
    const float distanceSquared = viewpoint.DistanceSquared(x[id], y[id], z[id]);
    view.SetWanted(netId, isOwn || world.interest.IsWanted(distanceSquared, entry.isWanted), world.tick);
    const bool isUpdate = entry.knowledge == Knowledge::Known;
    if (entry.knowledge == Knowledge::Unknown) {
      if (!entry.isWanted) {
        continue;
      }
    } else if (!isOwn && !(isUpdate ? IsUpdateDue(entry, world.canonical.ChangedAt(netId), world.tick)
                                    : IsStructureDue(entry, world.tick))) {
      continue;
    }
    const float nearness =
        Nearness(distanceSquared) * (world.owner[world.ids.SlotOf(netId)] != 0 ? kPlayerFactor : 1.0F);
    const float score = isOwn      ? std::numeric_limits<float>::max()
                        : isUpdate ? static_cast<float>(TicksSince(entry.sentTick, world.tick)) * nearness
                                   : StructureScore(entry, world.tick, entry.isWanted ? nearness : 1.0F);
    m_ranked.push_back(RankKey(score, id));
  }
  for (const std::uint32_t id : world.ids.Held()) {
    const NetId netId{id};
    view.SetWanted(netId, false, world.tick);
    const ViewEntry& entry = view.At(netId);
    if (entry.knowledge == Knowledge::Leaving && IsStructureDue(entry, world.tick)) {
      m_ranked.push_back(RankKey(StructureScore(entry, world.tick, 1.0F), id));
    }
  }
}

std::size_t RankScheduler::Plan(const TickView& world, ClientView& view, const Viewpoint& viewpoint, NetId own,
                                std::size_t limit, std::vector<PlannedRecord>& planned) {
  Gather(world, view, viewpoint, own);
  const std::size_t candidates = m_ranked.size();
  if (limit < candidates) {
    std::nth_element(m_ranked.begin(), m_ranked.begin() + static_cast<std::ptrdiff_t>(limit), m_ranked.end());
    m_ranked.resize(limit);
  }
  std::sort(m_ranked.begin(), m_ranked.end());
  planned.clear();
  for (const std::uint64_t key : m_ranked) {
    const NetId netId{static_cast<std::uint32_t>(key)};
    const ViewEntry& entry = view.At(netId);
    if (entry.knowledge == Knowledge::Leaving) {
      PlannedRecord leave;
      leave.head.netId = netId;
      leave.head.kind = RecordKind::Leave;
      leave.head.generation = world.ids.Generation(netId);
      leave.head.reason =
          world.ids.IsLive(netId) ? protocol::LeaveReason::OutOfInterest : world.ids.ReasonOfDeath(netId);
      planned.push_back(leave);
    } else {
      planned.push_back(PlanUpdate(world, entry, netId, netId == own));
    }
  }
  return candidates;
}

}  // namespace muster::replication
