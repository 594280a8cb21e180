// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/SnapshotLayout.h"

#include "Core/Hash.h"

namespace muster::protocol {

std::uint8_t EntityPhase(NetId netId) noexcept {
  return static_cast<std::uint8_t>(Mix64(netId.Value()) >> 56);
}

bool IsAnchorTick(NetId netId, Tick tick) noexcept {
  return tick.Value() != 0 && (tick.Value() + EntityPhase(netId)) % kAnchorPeriodTicks == 0;
}

Tick AnchorBefore(NetId netId, Tick tick, std::uint32_t back) noexcept {
  if (tick.Value() == 0) {
    return Tick{};
  }
  const std::uint64_t newest = tick.Value() - 1;
  const std::uint64_t passed = (newest + EntityPhase(netId)) % kAnchorPeriodTicks;
  const std::uint64_t reach = passed + std::uint64_t{back - 1} * kAnchorPeriodTicks;
  return reach < newest ? Tick{newest - reach} : Tick{};
}

RecordTicks TicksOf(NetId netId, RecordForm form, Tick tick) noexcept {
  switch (form) {
    case RecordForm::Absolute:
      return {tick, Tick{}, false};
    case RecordForm::Anchor1:
    case RecordForm::Anchor2:
    case RecordForm::Anchor3:
    case RecordForm::Anchor4:
      return {tick, AnchorBefore(netId, tick, static_cast<std::uint32_t>(form)), true};
    case RecordForm::LateAbsolute:
      return {AnchorBefore(netId, tick, 1), Tick{}, false};
    case RecordForm::LateAnchor1:
      return {AnchorBefore(netId, tick, 1), AnchorBefore(netId, tick, 2), true};
    case RecordForm::LateAnchor2:
      return {AnchorBefore(netId, tick, 1), AnchorBefore(netId, tick, 3), true};
  }
  return {};
}

}  // namespace muster::protocol
