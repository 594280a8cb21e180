// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetClient/SnapshotReceiver.h"

#include "Core/Random.h"
#include "Protocol/BuiltInCodec.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace muster::netclient {
namespace {

using protocol::DecodeStatus;
using protocol::LeaveReason;
using protocol::RecordForm;
using protocol::RecordHead;
using protocol::RecordKind;

constexpr NetId kId{9};

class Receiver : public ::testing::Test {
 protected:
  /// A canonical record that differs with `number`.
  static mu_canonical_record Value(std::int32_t number) {
    mu_canonical_record record{};
    record.cell_x = number;
    record.orientation = 3U | 511U << 2 | 511U << 12 | 511U << 22;
    return record;
  }

  struct Record {
    RecordHead head;
    mu_canonical_record value;
  };

  static Record Spawn(NetId netId, std::int32_t value, std::uint8_t generation = 1) {
    RecordHead head;
    head.netId = netId;
    head.kind = RecordKind::Spawn;
    head.generation = generation;
    head.archetype = ArchetypeId{12};
    return {head, Value(value)};
  }
  static Record Update(NetId netId, std::int32_t value, RecordForm form = RecordForm::Absolute,
                       std::uint8_t generation = 1) {
    RecordHead head;
    head.netId = netId;
    head.form = form;
    head.generation = generation;
    return {head, Value(value)};
  }
  static Record Leave(NetId netId, std::uint8_t generation = 1) {
    RecordHead head;
    head.netId = netId;
    head.kind = RecordKind::Leave;
    head.generation = generation;
    head.reason = LeaveReason::Destroyed;
    return {head, {}};
  }

  static std::vector<std::byte> Message(std::uint64_t tick, const std::vector<Record>& records) {
    std::vector<std::byte> buffer(1'400);
    protocol::SnapshotWriter writer{buffer, {.tick = Tick{tick}, .inputTick = Tick{tick / 2}, .inputMargin = -3}};
    for (const Record& record : records) {
      std::array<std::uint8_t, 128> body{};
      mu_encode_item item{&record.value, nullptr, 0, 0};
      if (record.head.kind != RecordKind::Leave) {
        EXPECT_EQ(protocol::BuiltInCodec().encode(&item, 1, body.data(), body.size()), MU_OK);
      }
      EXPECT_TRUE(writer.Add(record.head, body.data(), item.bit_count));
    }
    const auto message = writer.Finish();
    return {message.begin(), message.end()};
  }
  DecodeStatus Receive(std::uint64_t tick, const std::vector<Record>& records) {
    return receiver.Receive(Message(tick, records));
  }

  /// What the client shows of the entity; -1: nothing.
  std::int32_t Shown(NetId netId = kId) const {
    const ReplicatedEntity* entity = receiver.Find(netId);
    return entity == nullptr ? -1 : entity->record.cell_x;
  }

  SnapshotReceiver receiver{protocol::BuiltInCodec(), {.maxNetId = 1'000}};
};

TEST_F(Receiver, ShowsWhatWasSpawnedAndUpdated) {
  EXPECT_EQ(Receive(100, {Spawn(kId, 1)}), DecodeStatus::Ok);
  EXPECT_EQ(Shown(), 1);
  EXPECT_EQ(receiver.Find(kId)->archetype, ArchetypeId{12});
  EXPECT_EQ(Receive(101, {Update(kId, 2)}), DecodeStatus::Ok);
  EXPECT_EQ(Shown(), 2);
  EXPECT_EQ(receiver.Find(kId)->recordTick, Tick{101});
  EXPECT_EQ(receiver.EntityCount(), 1U);
  ASSERT_EQ(receiver.Events().size(), 1U);
  EXPECT_EQ(receiver.Events()[0].kind, EntityEvent::Kind::Spawned);
  EXPECT_EQ(receiver.Newest().tick, Tick{101});
  EXPECT_EQ(receiver.Newest().inputMargin, -3);
}

TEST_F(Receiver, NeverLetsAnOlderPacketOverwriteANewerOne) {
  Receive(100, {Spawn(kId, 1)});
  Receive(105, {Update(kId, 5)});
  Receive(103, {Update(kId, 3)});
  EXPECT_EQ(Shown(), 5);
  EXPECT_EQ(receiver.Newest().tick, Tick{105});
}

TEST_F(Receiver, TakesAPacketTwiceAsOnce) {
  const auto spawn = Message(100, {Spawn(kId, 1)});
  const auto leave = Message(102, {Leave(kId)});
  receiver.Receive(spawn);
  receiver.Receive(spawn);
  EXPECT_EQ(receiver.Events().size(), 1U);
  receiver.Receive(leave);
  receiver.Receive(leave);
  receiver.Receive(spawn);
  EXPECT_EQ(receiver.Events().size(), 2U);
  EXPECT_EQ(receiver.EntityCount(), 0U);
}

TEST_F(Receiver, DoesNotBringBackWhatLeftInANewerPacket) {
  Receive(102, {Leave(kId)});
  Receive(100, {Spawn(kId, 1)});
  EXPECT_EQ(Shown(), -1);
  EXPECT_TRUE(receiver.Events().empty());
  EXPECT_TRUE(receiver.NeedAbsolute().empty());
}

TEST_F(Receiver, DoesNotTakeAwayWhatCameBackInANewerPacket) {
  Receive(100, {Spawn(kId, 1)});
  Receive(104, {Spawn(kId, 4)});
  Receive(102, {Leave(kId)});
  EXPECT_EQ(Shown(), 4);
  EXPECT_EQ(receiver.Events().size(), 1U);
}

TEST_F(Receiver, TellsTheReasonOfALeave) {
  Receive(100, {Spawn(kId, 1)});
  receiver.ClearEvents();
  Receive(101, {Leave(kId)});
  ASSERT_EQ(receiver.Events().size(), 1U);
  EXPECT_EQ(receiver.Events()[0].kind, EntityEvent::Kind::Left);
  EXPECT_EQ(receiver.Events()[0].reason, LeaveReason::Destroyed);
}

TEST_F(Receiver, TellsTheNextBearerOfAnIdFromTheLast) {
  Receive(100, {Spawn(kId, 1, 1)});
  Receive(110, {Spawn(kId, 2, 2)});
  ASSERT_EQ(receiver.Events().size(), 3U) << "spawned, left, spawned";
  Receive(111, {Update(kId, 3, RecordForm::Absolute, 1)});
  EXPECT_EQ(Shown(), 2);
  Receive(112, {Leave(kId, 1)});
  EXPECT_EQ(Shown(), 2);
}

TEST_F(Receiver, AsksForAnEntityItDoesNotHaveAndReadsOn) {
  EXPECT_EQ(Receive(100, {Update(kId, 1), Spawn(NetId{10}, 2)}), DecodeStatus::Ok);
  ASSERT_EQ(receiver.NeedAbsolute().size(), 1U);
  EXPECT_EQ(receiver.NeedAbsolute()[0], kId);
  EXPECT_EQ(Shown(NetId{10}), 2);
  Receive(101, {Update(kId, 1)});
  EXPECT_EQ(receiver.NeedAbsolute().size(), 1U);
  Receive(102, {Spawn(kId, 3)});
  EXPECT_TRUE(receiver.NeedAbsolute().empty());
}

TEST_F(Receiver, AsksWhenItsAnchorIsMissingAndReadsOn) {
  Receive(201, {Spawn(kId, 1)});
  EXPECT_EQ(Receive(230, {Update(kId, 2, RecordForm::Anchor2), Spawn(NetId{10}, 2)}), DecodeStatus::Ok);
  EXPECT_EQ(Shown(), 1);
  EXPECT_EQ(receiver.NeedAbsolute().size(), 1U);
  EXPECT_EQ(receiver.Stats().withoutAnchor, 1U);
  EXPECT_EQ(Shown(NetId{10}), 2);
}

TEST_F(Receiver, KeepsFiveAnchorsAndShowsTheNewestOfThem) {
  Tick anchor = protocol::AnchorBefore(kId, Tick{300}, 1);
  Receive(anchor.Value() - 1, {Spawn(kId, 1)});
  for (int i = 0; i < 5; ++i) {
    Receive(anchor.Value(), {Update(kId, 10 + i)});
    anchor += protocol::kAnchorPeriodTicks;
  }
  // The newest is 16 ticks before `anchor`, the oldest of the five 80: one anchor tick later, four are in reach.
  for (const RecordForm form : {RecordForm::Anchor1, RecordForm::Anchor2, RecordForm::Anchor3, RecordForm::Anchor4}) {
    Receive(anchor.Value(), {Update(kId, 77, form)});
  }
  EXPECT_EQ(receiver.Stats().withoutAnchor, 0U);
  EXPECT_EQ(Shown(), 77);
}

TEST_F(Receiver, TakesALateRecordAsAnAnchorWithoutShowingIt) {
  const Tick anchor = protocol::AnchorBefore(kId, Tick{300}, 1);
  Receive(anchor.Value() - 1, {Spawn(kId, 1)});
  Receive(anchor.Value() + 3, {Update(kId, 3)});
  Receive(anchor.Value() + 5, {Update(kId, 2, RecordForm::LateAbsolute)});
  EXPECT_EQ(Shown(), 3);
  Receive(anchor.Value() + 7, {Update(kId, 4, RecordForm::Anchor1)});
  EXPECT_EQ(Shown(), 4);
  EXPECT_EQ(receiver.Stats().withoutAnchor, 0U);
}

TEST_F(Receiver, DropsAnchorsWithALeave) {
  const Tick anchor = protocol::AnchorBefore(kId, Tick{300}, 1);
  Receive(anchor.Value(), {Spawn(kId, 1)});
  Receive(anchor.Value() + 1, {Leave(kId)});
  Receive(anchor.Value() + 2, {Spawn(kId, 2)});
  Receive(anchor.Value() + 3, {Update(kId, 3, RecordForm::Anchor1)});
  EXPECT_EQ(Shown(), 2);
  EXPECT_EQ(receiver.NeedAbsolute().size(), 1U);
}

TEST_F(Receiver, NeverEvictsByTime) {
  Receive(100, {Spawn(kId, 1)});
  for (std::uint64_t tick = 101; tick < 3'000; ++tick) {
    Receive(tick, {});
  }
  EXPECT_EQ(Shown(), 1);
}

TEST_F(Receiver, DropsANeedThatNothingRenews) {
  Receive(100, {Update(kId, 1)});
  Receive(100 + SnapshotReceiver::kNeedTicks, {});
  EXPECT_EQ(receiver.NeedAbsolute().size(), 1U);
  Receive(101 + SnapshotReceiver::kNeedTicks, {});
  EXPECT_TRUE(receiver.NeedAbsolute().empty());
}

TEST_F(Receiver, RefusesIdsAboveItsLimitAndCountsWhy) {
  EXPECT_EQ(Receive(100, {Spawn(NetId{5}, 1), Spawn(NetId{1'001}, 2)}), DecodeStatus::BadValue);
  EXPECT_EQ(Shown(NetId{5}), 1) << "what stood in front of the fault was taken";
  EXPECT_EQ(receiver.Stats().statuses[static_cast<std::size_t>(DecodeStatus::BadValue)], 1U);
}

TEST_F(Receiver, RefusesALateRecordWhereNoAnchorCanBe) {
  Receive(1, {Spawn(kId, 1)});
  EXPECT_EQ(Receive(2, {Update(NetId{4}, 1, RecordForm::LateAbsolute)}),
            protocol::AnchorBefore(NetId{4}, Tick{2}, 1) == Tick{} ? DecodeStatus::BadValue : DecodeStatus::Ok);
  EXPECT_EQ(Receive(3, {Update(kId, 1, RecordForm::Anchor4)}), DecodeStatus::BadValue);
}

TEST_F(Receiver, RefusesASpawnWhoseValuesCannotBe) {
  Record forged = Spawn(kId, 1);
  forged.value.orientation = 0xFFFFFFFF;
  EXPECT_EQ(Receive(100, {forged}), DecodeStatus::BadValue);
  EXPECT_EQ(Shown(), -1);
  EXPECT_EQ(receiver.Stats().impossible, 1U);
}

TEST_F(Receiver, SurvivesTruncationAndAnyBytes) {
  const auto message = Message(100, {Spawn(kId, 1), Update(NetId{10}, 2), Leave(NetId{11})});
  for (std::size_t size = 0; size < message.size(); ++size) {
    const std::vector<std::byte> cut(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(receiver.Receive(cut), DecodeStatus::Truncated);
  }
  Random random{3};
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> noise = message;
    for (std::uint64_t flips = 1 + random.NextBelow(12); flips > 0; --flips) {
      const std::uint64_t bit = random.NextBelow(noise.size() * 8);
      noise[bit / 8] ^= std::byte{static_cast<unsigned char>(1U << (bit % 8))};
    }
    static_cast<void>(receiver.Receive(noise));
  }
  EXPECT_LE(receiver.EntityCount(), 1'000U);
  EXPECT_LE(receiver.NeedAbsolute().size(), SnapshotReceiver::kMaxNeeds);
}

TEST_F(Receiver, H09EveryTruncationAtAGuardPageIsNamedAndShowsNothingHalf) {
  const test::GuardedBuffer buffer(2'048);
  const auto message = Message(100, {Spawn(kId, 1), Update(NetId{10}, 2), Leave(NetId{11}), Spawn(NetId{12}, 4)});
  for (std::size_t size = 0; size < message.size(); ++size) {
    SnapshotReceiver fresh{protocol::BuiltInCodec(), {.maxNetId = 1'000}};
    const auto place = buffer.Last(size);
    std::transform(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size), place.begin(),
                   [](std::byte byte) { return static_cast<std::uint8_t>(byte); });
    EXPECT_EQ(fresh.Receive(std::as_bytes(place)), DecodeStatus::Truncated) << size;
    EXPECT_LE(fresh.EntityCount(), 2U);
    fresh.ForEachEntity([](const ReplicatedEntity& entity) { EXPECT_EQ(entity.recordTick, Tick{100}); });
  }
}

}  // namespace
}  // namespace muster::netclient
