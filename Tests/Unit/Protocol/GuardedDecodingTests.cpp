// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Bytes that end at an unreadable page, and counts that nobody could mean.
#include "MessageSamples.h"
#include "Protocol/PacketHeader.h"
#include "Protocol/SnapshotMessage.h"
#include "Support/AllocationCount.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace muster::protocol {
namespace {

/// The bytes where the next one cannot be read.
std::span<const std::byte> AtTheGuard(const test::GuardedBuffer& buffer, std::span<const std::byte> bytes) {
  const std::span<std::uint8_t> place = buffer.Last(bytes.size());
  if (!bytes.empty()) {
    std::memcpy(place.data(), bytes.data(), bytes.size());
  }
  return std::as_bytes(place);
}

/// A snapshot of every kind of record with bodies of every length from 1 to 40 bits.
Wire SampleSnapshot() {
  Wire buffer(1'400);
  SnapshotWriter writer{buffer, {.tick = Tick{100}, .inputTick = Tick{90}, .inputMargin = -1}};
  const std::array<std::uint8_t, 8> body{0xAA, 0x55, 0xAA, 0x55, 0xAA, 0x55, 0xAA, 0x55};
  for (std::uint32_t i = 1; i <= 40; ++i) {
    RecordHead head;
    head.netId = NetId{i * 7};
    head.kind = static_cast<RecordKind>(1 + i % 3);
    head.archetype = ArchetypeId{static_cast<std::uint16_t>(head.kind == RecordKind::Spawn ? 1 : 0)};
    EXPECT_TRUE(writer.Add(head, body.data(), head.kind == RecordKind::Leave ? 0 : i));
  }
  const auto message = writer.Finish();
  return {message.begin(), message.end()};
}

/// Reads a message to its end; bodies are skipped, as long as the writer made them.
DecodeStatus ReadSnapshot(std::span<const std::byte> bytes, std::size_t& records) {
  SnapshotReader reader{bytes};
  SnapshotHeader header;
  records = 0;
  if (const DecodeStatus status = reader.ReadHeader(header); status != DecodeStatus::Ok) {
    return status;
  }
  RecordHead head;
  while (reader.ReadRecord(head)) {
    ++records;
    reader.SkipBody(head.kind == RecordKind::Leave ? 0 : head.netId.Value() / 7);
  }
  return reader.Status();
}

TEST(H09, EveryTruncationOfEveryMessageIsNamedAndReadsNothingBehindIt) {
  const test::GuardedBuffer buffer(2'048);
  for (const Sample& sample : Samples()) {
    for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
      const auto cut = std::span(sample.bytes).first(size);
      EXPECT_EQ(sample.decode(AtTheGuard(buffer, cut)), DecodeStatus::Truncated) << sample.name << " at " << size;
    }
    EXPECT_EQ(sample.decode(AtTheGuard(buffer, sample.bytes)), DecodeStatus::Ok) << sample.name;
  }
}

TEST(H09, EveryTruncationOfASnapshotIsNamedAndReadsNothingBehindIt) {
  const test::GuardedBuffer buffer(2'048);
  const Wire whole = SampleSnapshot();
  std::size_t records = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(ReadSnapshot(AtTheGuard(buffer, std::span(whole).first(size)), records), DecodeStatus::Truncated) << size;
    EXPECT_LE(records, 40U);
  }
  EXPECT_EQ(ReadSnapshot(AtTheGuard(buffer, whole), records), DecodeStatus::Ok);
  EXPECT_EQ(records, 40U);
}

TEST(H09, EveryTruncationOfAPacketHeaderIsRefused) {
  const test::GuardedBuffer buffer(kPacketHeaderBytes);
  for (std::size_t size = 0; size <= kPacketHeaderBytes; ++size) {
    serialization::ByteReader reader{buffer.Last(size)};
    PacketHeader header;
    EXPECT_EQ(ReadPacketHeader(reader, header), size == kPacketHeaderBytes) << size;
  }
}

/// Wherever a count or a length may stand, the largest of two and of four bytes is put there. Whatever else the message
/// then is, no more is allocated than its own bytes could have asked for.
TEST(H09, CountsAreBoundedByTheBytesThatAreLeft) {
  const test::GuardedBuffer buffer(2'048);
  std::size_t refused = 0;
  for (const Sample& sample : Samples()) {
    const std::uint64_t beforeWhole = test::AllocationCount();
    ASSERT_EQ(sample.decode(sample.bytes), DecodeStatus::Ok);
    const std::uint64_t ofWhole = test::AllocationCount() - beforeWhole;
    for (const std::size_t width : {std::size_t{2}, std::size_t{4}}) {
      for (std::size_t at = 1; at + width <= sample.bytes.size(); ++at) {
        Wire changed = sample.bytes;
        std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(at), width, std::byte{0xFF});
        const auto bytes = AtTheGuard(buffer, changed);
        const std::uint64_t before = test::AllocationCount();
        refused += sample.decode(bytes) == DecodeStatus::Ok ? 0U : 1U;
        EXPECT_LE(test::AllocationCount() - before, ofWhole + 4) << sample.name << " at " << at;
      }
    }
  }
  EXPECT_GT(refused, 100U);
}

TEST(H09, ACountWithoutItsEntriesIsRefusedBeforeAnythingIsMade) {
  const Wire counts[] = {{std::byte{8}, std::byte{0xFF}, std::byte{0xFF}},                  // Archetypes, 2^16 - 1
                         {std::byte{8}, std::byte{0x00}, std::byte{0x10}},                  // Archetypes, the most
                         {std::byte{5}, std::byte{0xFF}, std::byte{0xFF}, std::byte{'x'}},  // Notice
                         {std::byte{6}, std::byte{1}, std::byte{0}, std::byte{0xFF}, std::byte{0xFF}},  // Goodbye
                         {std::byte{3}, std::byte{1}, std::byte{0}, std::byte{0xFF}, std::byte{0xFF}},  // Refusal
                         {std::byte{1}, std::byte{0xFF}, std::byte{0xFF}, std::byte{'x'}}};             // JoinRequest
  const test::GuardedBuffer buffer(64);
  for (const Wire& bytes : counts) {
    const auto guarded = AtTheGuard(buffer, bytes);
    Archetypes archetypes;
    Notice notice;
    Goodbye goodbye;
    Refusal refusal;
    JoinRequest request;
    const std::uint64_t before = test::AllocationCount();
    EXPECT_NE(Decode(guarded, archetypes), DecodeStatus::Ok);
    EXPECT_NE(Decode(guarded, notice), DecodeStatus::Ok);
    EXPECT_NE(Decode(guarded, goodbye), DecodeStatus::Ok);
    EXPECT_NE(DecodeSealedRefusal(guarded, refusal), DecodeStatus::Ok);
    EXPECT_NE(Decode(guarded, request), DecodeStatus::Ok);
    EXPECT_EQ(test::AllocationCount(), before);
  }
}

}  // namespace
}  // namespace muster::protocol
