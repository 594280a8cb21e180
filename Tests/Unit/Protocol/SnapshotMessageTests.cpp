// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/SnapshotMessage.h"

#include "Core/Random.h"
#include "Support/AssertionExpectation.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace muster::protocol {
namespace {

struct Record {
  RecordHead head;
  std::vector<std::uint8_t> body;
  std::uint32_t bits = 0;
};

RecordHead RandomHead(Random& random, std::uint32_t netId) {
  RecordHead head;
  head.netId = NetId{netId};
  head.kind = static_cast<RecordKind>(1 + random.NextBelow(3));
  head.generation = static_cast<std::uint8_t>(random.Next());
  if (head.kind == RecordKind::Spawn) {
    head.archetype = ArchetypeId{static_cast<std::uint16_t>(random.Next())};
    head.isOwn = random.NextChance(0.5);
  } else if (head.kind == RecordKind::Update) {
    head.generation &= kUpdateGenerationMask;
    head.form = static_cast<RecordForm>(random.NextBelow(8));
  } else {
    head.reason = static_cast<LeaveReason>(random.NextBelow(3));
  }
  return head;
}

std::vector<Record> RandomRecords(Random& random, std::size_t count) {
  std::vector<Record> records;
  std::uint32_t netId = 0;
  for (std::size_t i = 0; i < count; ++i) {
    netId += 1 + static_cast<std::uint32_t>(random.NextChance(0.1) ? random.NextBelow(100'000) : random.NextBelow(9));
    Record record{RandomHead(random, netId), {}, 0};
    if (record.head.kind != RecordKind::Leave) {
      record.bits = static_cast<std::uint32_t>(1 + random.NextBelow(150));
      record.body.resize((record.bits + 7) / 8);
      for (std::uint8_t& byte : record.body) {
        byte = static_cast<std::uint8_t>(random.Next());
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<std::byte> Write(const std::vector<Record>& records, SnapshotHeader header) {
  std::vector<std::byte> buffer(4'096);
  SnapshotWriter writer{buffer, header};
  for (const Record& record : records) {
    EXPECT_TRUE(writer.Add(record.head, record.body.data(), record.bits));
  }
  const std::span<const std::byte> message = writer.Finish();
  return {message.begin(), message.end()};
}

bool BitAt(std::span<const std::byte> bytes, std::size_t bit) {
  return (std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8) & 1U) != 0;
}

TEST(SnapshotMessage, GivesBackHeaderHeadsAndBodies) {
  Random random{5};
  for (int i = 0; i < 300; ++i) {
    const std::vector<Record> records = RandomRecords(random, random.NextBelow(60));
    const SnapshotHeader written{Tick{1 + random.NextBelow(1'000'000)}, Tick{random.Next()},
                                 static_cast<std::int8_t>(random.Next()),
                                 static_cast<std::uint8_t>(random.NextBelow(16))};
    const std::vector<std::byte> message = Write(records, written);
    SnapshotReader reader{message};
    SnapshotHeader header;
    ASSERT_EQ(reader.ReadHeader(header), DecodeStatus::Ok);
    EXPECT_EQ(header.tick, written.tick);
    EXPECT_EQ(header.inputTick, written.inputTick);
    EXPECT_EQ(header.inputMargin, written.inputMargin);
    for (const Record& record : records) {
      RecordHead head;
      ASSERT_TRUE(reader.ReadRecord(head));
      ASSERT_EQ(head, record.head);
      for (std::uint32_t bit = 0; bit < record.bits; ++bit) {
        ASSERT_EQ(BitAt(message, reader.BodyBit() + bit), (record.body[bit / 8] >> (bit % 8) & 1) != 0);
      }
      reader.SkipBody(record.bits);
    }
    RecordHead head;
    EXPECT_FALSE(reader.ReadRecord(head));
    EXPECT_EQ(reader.Status(), DecodeStatus::Ok);
  }
}

TEST(SnapshotMessage, TakesAsManyBitsAsItSays) {
  Random random{6};
  std::vector<std::byte> buffer(4'096);
  SnapshotWriter writer{buffer, {.tick = Tick{1}, .idOrder = 4}};
  EXPECT_EQ(writer.BitPosition(), kSnapshotHeaderBits);
  std::uint32_t previous = 0;
  for (const Record& record : RandomRecords(random, 50)) {
    const std::size_t before = writer.BitPosition();
    ASSERT_TRUE(writer.Add(record.head, record.body.data(), record.bits));
    const std::uint32_t delta = record.head.netId.Value() - previous;
    EXPECT_EQ(writer.BitPosition() - before, IdDeltaBits(delta, 4) + RecordHeadBits(record.head.kind) + record.bits);
    previous = record.head.netId.Value();
  }
}

TEST(SnapshotMessage, RefusesARecordThatDoesNotFitAndStaysReadable) {
  Random random{7};
  for (std::size_t size = 24; size < 120; ++size) {
    const test::GuardedBuffer guarded{size};
    const std::span<std::byte> buffer = std::as_writable_bytes(guarded.Bytes());
    SnapshotWriter writer{buffer, {.tick = Tick{9}, .idOrder = 2}};
    std::size_t taken = 0;
    std::vector<std::uint32_t> bits;
    for (const Record& record : RandomRecords(random, 40)) {
      const std::size_t before = writer.BitPosition();
      if (writer.Add(record.head, record.body.data(), record.bits)) {
        ++taken;
        bits.push_back(record.bits);
      } else {
        ASSERT_EQ(writer.BitPosition(), before);
      }
    }
    SnapshotReader reader{writer.Finish()};
    SnapshotHeader header;
    ASSERT_EQ(reader.ReadHeader(header), DecodeStatus::Ok);
    RecordHead head;
    for (std::size_t i = 0; i < taken; ++i) {
      ASSERT_TRUE(reader.ReadRecord(head));
      reader.SkipBody(bits[i]);
    }
    ASSERT_FALSE(reader.ReadRecord(head));
    ASSERT_EQ(reader.Status(), DecodeStatus::Ok);
  }
}

TEST(SnapshotMessage, RefusesEveryTruncation) {
  Random random{8};
  std::vector<Record> records = RandomRecords(random, 12);
  const std::vector<std::byte> message = Write(records, {.tick = Tick{3}});
  for (std::size_t size = 0; size < message.size(); ++size) {
    const test::GuardedBuffer guarded{size};
    const std::span<std::byte> cut = std::as_writable_bytes(guarded.Bytes());
    std::copy_n(message.begin(), size, cut.begin());
    SnapshotReader reader{cut};
    SnapshotHeader header;
    RecordHead head;
    if (reader.ReadHeader(header) == DecodeStatus::Ok) {
      for (const Record& record : records) {
        if (!reader.ReadRecord(head)) {
          break;
        }
        reader.SkipBody(record.bits);
      }
      EXPECT_FALSE(reader.ReadRecord(head));
    }
    EXPECT_EQ(reader.Status(), DecodeStatus::Truncated) << size << " of " << message.size() << " bytes";
  }
}

TEST(SnapshotMessage, NamesWhatIsWrong) {
  const std::vector<std::byte> good = Write({}, {.tick = Tick{3}, .idOrder = 0});
  const auto statusOf = [](std::vector<std::byte> message) {
    SnapshotReader reader{message};
    SnapshotHeader header;
    if (reader.ReadHeader(header) == DecodeStatus::Ok) {
      RecordHead head;
      while (reader.ReadRecord(head)) {
      }
    }
    return reader.Status();
  };
  EXPECT_EQ(statusOf(good), DecodeStatus::Ok);
  std::vector<std::byte> other = good;
  other[0] = std::byte{32};
  EXPECT_EQ(statusOf(other), DecodeStatus::UnknownType);
  std::vector<std::byte> noTick = good;
  noTick[1] = std::byte{0};
  EXPECT_EQ(statusOf(noTick), DecodeStatus::BadValue);
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  EXPECT_EQ(statusOf(longer), DecodeStatus::TrailingBytes);
  std::vector<std::byte> padded = good;
  padded.back() |= std::byte{0x80};
  EXPECT_EQ(statusOf(padded), DecodeStatus::BadPadding);

  RecordHead leave;
  leave.netId = NetId{1};
  leave.kind = RecordKind::Leave;
  std::vector<std::byte> message = Write({{leave, {}, 0}}, {.tick = Tick{3}, .idOrder = 0});
  // Behind the header: id delta 1 is the three bits 0 1 0, then two bits of kind, eight of generation, two of reason.
  const std::size_t kindBit = kSnapshotHeaderBits + 3;
  for (const std::size_t bit : {kindBit, kindBit + 1}) {
    message[bit / 8] &= ~std::byte(1U << (bit % 8));
  }
  EXPECT_EQ(statusOf(message), DecodeStatus::BadValue) << "kind 0";
  message = Write({{leave, {}, 0}}, {.tick = Tick{3}, .idOrder = 0});
  for (const std::size_t bit : {kindBit + 10, kindBit + 11}) {
    message[bit / 8] |= std::byte(1U << (bit % 8));
  }
  EXPECT_EQ(statusOf(message), DecodeStatus::BadValue) << "reason 3";
}

TEST(SnapshotMessage, RefusesNetIdsAboveTheHighest) {
  RecordHead leave;
  leave.netId = NetId{kMaxNetId};
  leave.kind = RecordKind::Leave;
  std::vector<std::byte> buffer(64);
  SnapshotWriter writer{buffer, {.tick = Tick{3}, .idOrder = 15}};
  ASSERT_TRUE(writer.Add(leave, nullptr, 0));
  SnapshotReader reader{writer.Finish()};
  SnapshotHeader header;
  RecordHead head;
  ASSERT_EQ(reader.ReadHeader(header), DecodeStatus::Ok);
  EXPECT_TRUE(reader.ReadRecord(head));
  // The same message twice over: two deltas of the highest id each.
  std::vector<std::byte> forged(64);
  serialization::BitWriter bits{{reinterpret_cast<std::uint8_t*>(forged.data()), forged.size()}};
  bits.AppendBits(reinterpret_cast<const std::uint8_t*>(buffer.data()), writer.BitPosition() - IdDeltaBits(0, 15));
  std::vector<std::uint8_t> record(16);
  const std::size_t recordBits = IdDeltaBits(kMaxNetId, 15) + RecordHeadBits(RecordKind::Leave);
  for (std::size_t bit = 0; bit < recordBits; ++bit) {
    if (BitAt(buffer, kSnapshotHeaderBits + bit)) {
      record[bit / 8] = static_cast<std::uint8_t>(record[bit / 8] | 1U << (bit % 8));
    }
  }
  bits.AppendBits(record.data(), recordBits);
  static_cast<void>(bits.Finish());
  SnapshotReader second{forged};
  ASSERT_EQ(second.ReadHeader(header), DecodeStatus::Ok);
  EXPECT_TRUE(second.ReadRecord(head));
  EXPECT_FALSE(second.ReadRecord(head));
  EXPECT_EQ(second.Status(), DecodeStatus::BadValue);
}

TEST(SnapshotMessage, SurvivesAnyBytes) {
  Random random{9};
  const test::GuardedBuffer guarded{200};
  for (int i = 0; i < 30'000; ++i) {
    const std::span<std::uint8_t> bytes = guarded.Last(random.NextBelow(201));
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.Next());
    }
    if (!bytes.empty()) {
      bytes[0] = 33;
    }
    SnapshotReader reader{std::as_bytes(std::span<const std::uint8_t>{bytes})};
    SnapshotHeader header;
    if (reader.ReadHeader(header) != DecodeStatus::Ok) {
      continue;
    }
    RecordHead head;
    std::uint32_t previous = 0;
    while (reader.ReadRecord(head)) {
      ASSERT_GT(head.netId.Value(), previous);
      ASSERT_LE(head.netId.Value(), kMaxNetId);
      previous = head.netId.Value();
      reader.SkipBody(static_cast<std::uint32_t>(random.NextBelow(40)));
    }
  }
}

TEST(SnapshotMessage, AssertsThatNetIdsRise) {
  std::vector<std::byte> buffer(64);
  SnapshotWriter writer{buffer, {.tick = Tick{3}}};
  RecordHead head;
  head.netId = NetId{4};
  head.kind = RecordKind::Leave;
  ASSERT_TRUE(writer.Add(head, nullptr, 0));
  EXPECT_ASSERTION(writer.Add(head, nullptr, 0), "net ids rise");
}

}  // namespace
}  // namespace muster::protocol
