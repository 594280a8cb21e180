// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/SnapshotLayout.h"

#include <gtest/gtest.h>

#include <array>

namespace muster::protocol {
namespace {

TEST(SnapshotLayout, GivesEveryEntityOneAnchorTickInSixteen) {
  for (std::uint32_t id = 1; id < 200; ++id) {
    std::uint32_t anchors = 0;
    for (std::uint64_t tick = 1'000; tick < 1'016; ++tick) {
      anchors += IsAnchorTick(NetId{id}, Tick{tick}) ? 1U : 0U;
    }
    ASSERT_EQ(anchors, 1U);
  }
}

TEST(SnapshotLayout, SpreadsTheAnchorTicksOfNeighbours) {
  std::array<std::uint32_t, kAnchorPeriodTicks> counts{};
  for (std::uint32_t id = 1; id <= 1'600; ++id) {
    ++counts[EntityPhase(NetId{id}) % kAnchorPeriodTicks];
  }
  for (const std::uint32_t count : counts) {
    EXPECT_NEAR(count, 100.0, 40.0);
  }
}

TEST(SnapshotLayout, HasFixedPhases) {
  // Both ends compute them, and recordings hold messages made with them: they may never change.
  std::uint64_t mixed = 0;
  for (std::uint32_t id = 1; id <= 8; ++id) {
    mixed = mixed << 8 | EntityPhase(NetId{id});
  }
  EXPECT_EQ(mixed, 0xb525067129c9c009);
}

TEST(SnapshotLayout, CountsAnchorsBackFromTheOneStrictlyBefore) {
  for (std::uint32_t id = 1; id < 50; ++id) {
    const NetId netId{id};
    for (std::uint64_t tick = 200; tick < 240; ++tick) {
      const Tick newest = AnchorBefore(netId, Tick{tick}, 1);
      ASSERT_TRUE(IsAnchorTick(netId, newest));
      ASSERT_LT(newest, Tick{tick});
      ASSERT_GE(newest + kAnchorPeriodTicks, Tick{tick});
      for (std::uint32_t back = 2; back <= kAnchorForms; ++back) {
        ASSERT_EQ(AnchorBefore(netId, Tick{tick}, back),
                  newest - static_cast<TickCount>((back - 1) * kAnchorPeriodTicks));
      }
    }
  }
}

TEST(SnapshotLayout, HasNoAnchorBeforeTheFirstTick) {
  for (std::uint32_t id = 1; id < 200; ++id) {
    EXPECT_EQ(AnchorBefore(NetId{id}, Tick{0}, 1), Tick{});
    EXPECT_EQ(AnchorBefore(NetId{id}, Tick{1}, 1), Tick{});
    EXPECT_EQ(AnchorBefore(NetId{id}, Tick{16}, 2), Tick{});
    EXPECT_FALSE(IsAnchorTick(NetId{id}, Tick{0}));
    for (std::uint64_t tick = 1; tick < 40; ++tick) {
      const Tick anchor = AnchorBefore(NetId{id}, Tick{tick}, 1);
      ASSERT_TRUE(anchor == Tick{} || IsAnchorTick(NetId{id}, anchor));
    }
  }
}

TEST(SnapshotLayout, SaysWhichTicksAFormSpeaksOf) {
  const NetId netId{7};
  const Tick tick{5'000};
  const RecordTicks absolute = TicksOf(netId, RecordForm::Absolute, tick);
  EXPECT_EQ(absolute.value, tick);
  EXPECT_FALSE(absolute.isAnchored);
  EXPECT_EQ(absolute.AnchorAge(), 0U);
  const RecordTicks third = TicksOf(netId, RecordForm::Anchor3, tick);
  EXPECT_EQ(third.value, tick);
  EXPECT_EQ(third.anchor, AnchorBefore(netId, tick, 3));
  EXPECT_EQ(third.AnchorAge(), static_cast<std::uint32_t>(tick - third.anchor));
  const RecordTicks late = TicksOf(netId, RecordForm::LateAbsolute, tick);
  EXPECT_EQ(late.value, AnchorBefore(netId, tick, 1));
  EXPECT_FALSE(late.isAnchored);
  const RecordTicks lateSecond = TicksOf(netId, RecordForm::LateAnchor2, tick);
  EXPECT_EQ(lateSecond.value, AnchorBefore(netId, tick, 1));
  EXPECT_EQ(lateSecond.anchor, AnchorBefore(netId, tick, 3));
  EXPECT_EQ(lateSecond.AnchorAge(), 2 * kAnchorPeriodTicks);
}

TEST(SnapshotLayout, NeverAgesAnAnchorBeyondWhatACodecTakes) {
  for (std::uint32_t id = 1; id < 40; ++id) {
    for (std::uint64_t tick = 100; tick < 132; ++tick) {
      EXPECT_LE(TicksOf(NetId{id}, RecordForm::Anchor4, Tick{tick}).AnchorAge(), 64U);
    }
  }
}

}  // namespace
}  // namespace muster::protocol
