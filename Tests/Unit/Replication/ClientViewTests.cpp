// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ClientView.h"

#include <gtest/gtest.h>

namespace muster::replication {
namespace {

using protocol::RecordKind;

class View : public ::testing::Test {
 protected:
  View() { view.Resize(16); }

  /// One packet of one record; returns its sequence.
  std::uint32_t Send(RecordKind kind, Tick tick, bool isLate = false) {
    view.BeginPacket(++sequence, tick);
    view.OnSent({kId.Value(), kind, isLate});
    return sequence;
  }
  void Ack(std::uint32_t acked) { view.OnAcks({acked, 1, acked > 63 ? acked - 63 : 1, 0, {}}); }
  Knowledge State() { return view.At(kId).knowledge; }
  /// The n-th anchor tick of the entity, n >= 1.
  static Tick Anchor(std::uint32_t number) {
    Tick tick{1};
    for (;; ++tick) {
      if (protocol::IsAnchorTick(kId, tick) && --number == 0) {
        return tick;
      }
    }
  }
  void MakeKnown() {
    view.SetWanted(kId, true, Tick{1});
    Ack(Send(RecordKind::Spawn, Tick{1}));
    ASSERT_EQ(State(), Knowledge::Known);
  }

  static constexpr NetId kId{5};
  ClientView view;
  std::uint32_t sequence = 0;
};

TEST_F(View, KnowsAnEntityOnlyOnceItsSpawnIsAcknowledged) {
  view.SetWanted(kId, true, Tick{1});
  EXPECT_EQ(State(), Knowledge::Unknown);
  const std::uint32_t spawn = Send(RecordKind::Spawn, Tick{1});
  EXPECT_EQ(State(), Knowledge::Pending);
  EXPECT_TRUE(view.IsHeld(kId));
  Ack(spawn);
  EXPECT_EQ(State(), Knowledge::Known);
}

TEST_F(View, NeverTakesSilenceForReceipt) {
  view.SetWanted(kId, true, Tick{1});
  Send(RecordKind::Spawn, Tick{1});
  for (std::uint32_t i = 0; i < 500; ++i) {
    view.BeginPacket(++sequence, Tick{2 + i});
  }
  EXPECT_EQ(State(), Knowledge::Pending) << "an ack that never came counts as none";
  EXPECT_TRUE(view.At(kId).isDue) << "the packet fell out of the ring: it is lost";
}

TEST_F(View, MakesALostSpawnDueAtOnce) {
  view.SetWanted(kId, true, Tick{1});
  Send(RecordKind::Spawn, Tick{1});
  EXPECT_FALSE(view.At(kId).isDue);
  view.BeginPacket(++sequence, Tick{2});
  view.OnAcks({2, 1, 2, 1, {}});
  EXPECT_EQ(State(), Knowledge::Pending);
  EXPECT_TRUE(view.At(kId).isDue);
}

TEST_F(View, DoesNotSendALostSpawnAgainWhenALaterOneIsUnderWay) {
  view.SetWanted(kId, true, Tick{1});
  Send(RecordKind::Spawn, Tick{1});
  Send(RecordKind::Spawn, Tick{13});
  view.OnAcks({2, 0, 2, 1, {}});
  EXPECT_FALSE(view.At(kId).isDue);
}

TEST_F(View, ForgetsAnEntityOnlyOnceItsLeaveIsAcknowledged) {
  MakeKnown();
  view.SetWanted(kId, false, Tick{2});
  EXPECT_EQ(State(), Knowledge::Leaving);
  EXPECT_TRUE(view.At(kId).isDue);
  const std::uint32_t leave = Send(RecordKind::Leave, Tick{2});
  EXPECT_TRUE(view.IsHeld(kId));
  Ack(leave);
  EXPECT_EQ(State(), Knowledge::Unknown);
  EXPECT_FALSE(view.IsHeld(kId));
}

TEST_F(View, PassesOverALateAckOfASpawnThatALeaveCameAfter) {
  view.SetWanted(kId, true, Tick{1});
  const std::uint32_t spawn = Send(RecordKind::Spawn, Tick{1});
  view.SetWanted(kId, false, Tick{2});
  const std::uint32_t leave = Send(RecordKind::Leave, Tick{2});
  Ack(spawn);
  EXPECT_EQ(State(), Knowledge::Leaving);
  Ack(leave);
  EXPECT_EQ(State(), Knowledge::Unknown);
}

TEST_F(View, PassesOverALateAckOfAnEarlierLifeOfTheId) {
  view.SetWanted(kId, true, Tick{1});
  const std::uint32_t first = Send(RecordKind::Spawn, Tick{1});
  view.SetWanted(kId, false, Tick{2});
  Ack(Send(RecordKind::Leave, Tick{2}));
  view.SetWanted(kId, true, Tick{3});
  const std::uint32_t second = Send(RecordKind::Spawn, Tick{3});
  Ack(first);
  EXPECT_EQ(State(), Knowledge::Pending);
  Ack(second);
  EXPECT_EQ(State(), Knowledge::Known);
}

TEST_F(View, SpawnsAnewWhatComesBackBeforeItsLeaveIsAcknowledged) {
  MakeKnown();
  view.SetWanted(kId, false, Tick{2});
  const std::uint32_t leave = Send(RecordKind::Leave, Tick{2});
  view.SetWanted(kId, true, Tick{3});
  EXPECT_EQ(State(), Knowledge::Pending);
  const std::uint32_t spawn = Send(RecordKind::Spawn, Tick{3});
  Ack(leave);
  EXPECT_EQ(State(), Knowledge::Pending);
  Ack(spawn);
  EXPECT_EQ(State(), Knowledge::Known);
}

TEST_F(View, NeverSpawnsWhatWasGoneBeforeItsSpawnLeft) {
  view.SetWanted(kId, true, Tick{1});
  view.SetWanted(kId, false, Tick{2});
  EXPECT_EQ(State(), Knowledge::Unknown);
}

TEST_F(View, RemembersTheNewestAcknowledgedAnchor) {
  MakeKnown();
  const std::uint32_t older = Send(RecordKind::Update, Anchor(1));
  const std::uint32_t newer = Send(RecordKind::Update, Anchor(2));
  EXPECT_FALSE(view.At(kId).hasAnchor);
  Ack(newer);
  EXPECT_EQ(view.At(kId).anchorTick, LowBits(Anchor(2)));
  Ack(older);
  EXPECT_EQ(view.At(kId).anchorTick, LowBits(Anchor(2)));
}

TEST_F(View, TakesALateRecordAsItsAnchor) {
  MakeKnown();
  Ack(Send(RecordKind::Update, Anchor(2) + 5, true));
  EXPECT_TRUE(view.At(kId).hasAnchor);
  EXPECT_EQ(view.At(kId).anchorTick, LowBits(Anchor(2)));
  EXPECT_EQ(view.At(kId).valueTick, LowBits(Anchor(2)));
}

TEST_F(View, TakesACurrentRecordBetweenAnchorsAsNoAnchor) {
  MakeKnown();
  Ack(Send(RecordKind::Update, Anchor(2) + 5));
  EXPECT_FALSE(view.At(kId).hasAnchor);
  EXPECT_EQ(view.At(kId).valueTick, LowBits(Anchor(2) + 5));
}

TEST_F(View, ForgetsAnchorsOfAnEarlierStay) {
  MakeKnown();
  const std::uint32_t anchored = Send(RecordKind::Update, Anchor(2));
  view.SetWanted(kId, false, Anchor(2) + 1);
  Ack(Send(RecordKind::Leave, Anchor(2) + 1));
  view.SetWanted(kId, true, Anchor(2) + 2);
  Ack(Send(RecordKind::Spawn, Anchor(2) + 2));
  Ack(anchored);
  EXPECT_EQ(State(), Knowledge::Known);
  EXPECT_FALSE(view.At(kId).hasAnchor) << "the client dropped that anchor with its Leave";
}

TEST_F(View, SpawnsAnewWhatTheClientCannotDecode) {
  MakeKnown();
  const std::uint32_t before = Send(RecordKind::Update, Anchor(2));
  view.OnNeedAbsolute(kId);
  EXPECT_EQ(State(), Knowledge::Pending);
  EXPECT_TRUE(view.At(kId).isDue);
  Ack(before);
  EXPECT_FALSE(view.At(kId).hasAnchor);
  Ack(Send(RecordKind::Spawn, Anchor(2) + 1));
  EXPECT_EQ(State(), Knowledge::Known);
}

TEST_F(View, PassesOverRequestsForIdsThatAreNotThere) {
  view.OnNeedAbsolute(NetId{0});
  view.OnNeedAbsolute(NetId{15});
  view.OnNeedAbsolute(NetId{16});
  view.OnNeedAbsolute(NetId{0xFFFFFFFF});
  EXPECT_EQ(State(), Knowledge::Unknown);
}

TEST_F(View, SurvivesAcksOfPacketsItNeverSent) {
  MakeKnown();
  view.OnAcks({0, ~std::uint64_t{0}, 0, 0, {}});
  view.OnAcks({0xFFFFFFFF, ~std::uint64_t{0}, 0xFFFFFFFF, 0, {}});
  view.OnAcks({3, ~std::uint64_t{0}, 1, 0, {}});
  EXPECT_EQ(State(), Knowledge::Known);
}

}  // namespace
}  // namespace muster::replication
