// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Serialization/BitReader.h"
#include "Serialization/BitWriter.h"
#include "Support/GuardedBuffer.h"
#include "Support/SeededTest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace muster::serialization {
namespace {

std::vector<std::uint8_t> RandomBytes(Random& random, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random.Next());
  }
  return bytes;
}

bool BitAt(const std::vector<std::uint8_t>& bytes, std::size_t bit) {
  return ((bytes[bit / 8] >> (bit % 8)) & 1) != 0;
}

TEST(BitWriter, PutsTheLowestBitFirst) {
  std::array<std::uint8_t, 4> bytes{};
  BitWriter writer(bytes);
  writer.WriteBits(0b101, 3);
  writer.WriteBits(0b11111, 5);
  writer.WriteBits(0xABC, 12);
  EXPECT_EQ(writer.Finish(), 3u);
  EXPECT_EQ(bytes[0], 0b11111101);
  EXPECT_EQ(bytes[1], 0xBC);
  EXPECT_EQ(bytes[2], 0x0A);
  EXPECT_EQ(bytes[3], 0);
}

TEST(BitWriter, IgnoresBitsAboveTheCount) {
  std::array<std::uint8_t, 2> bytes{};
  BitWriter writer(bytes);
  writer.WriteBits(~std::uint64_t{0}, 1);
  writer.WriteBits(0, 15);
  writer.Finish();
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[1], 0);
}

TEST(BitWriter, RefusesMoreThan64BitsAtOnce) {
  std::array<std::uint8_t, 32> bytes{};
  BitWriter writer(bytes);
  writer.WriteBits(1, 65);
  EXPECT_TRUE(writer.Overflowed());
  EXPECT_EQ(writer.BitPosition(), 0u);
}

TEST(BitWriter, StaysInsideItsBufferAndKeepsWhatFitted) {
  for (std::size_t size = 0; size <= 24; ++size) {
    const test::GuardedBuffer buffer(size);
    BitWriter writer(buffer.Bytes());
    std::size_t accepted = 0;
    for (unsigned width = 1; !writer.Overflowed(); width = width % 13 + 1) {
      writer.WriteBits(0x1FFF, width);
      accepted += writer.Overflowed() ? 0 : width;
    }
    EXPECT_EQ(writer.BitPosition(), accepted);
    writer.WriteBits(1, 0);
    writer.WriteBool(true);
    EXPECT_EQ(writer.BitPosition(), accepted) << "a write after an overflow leaves a hole";
    EXPECT_EQ(writer.Finish(), (accepted + 7) / 8);
    BitReader reader(buffer.Bytes(), accepted);
    while (reader.BitsLeft() > 0) {
      ASSERT_TRUE(reader.ReadBool());
    }
  }
}

TEST(BitWriter, FillsItsBufferToTheLastBit) {
  const test::GuardedBuffer buffer(17);
  BitWriter writer(buffer.Bytes());
  for (int bit = 0; bit < 17 * 8; ++bit) {
    writer.WriteBool(bit % 3 == 0);
  }
  EXPECT_FALSE(writer.Overflowed());
  EXPECT_EQ(writer.BitsLeft(), 0u);
  EXPECT_EQ(writer.Finish(), 17u);
  writer.WriteBool(true);
  EXPECT_TRUE(writer.Overflowed());
}

TEST(BitWriter, GoesOnAfterFinish) {
  std::array<std::uint8_t, 16> bytes{};
  BitWriter writer(bytes);
  for (unsigned value = 0; value < 18; ++value) {
    writer.WriteBits(value, 7);
    EXPECT_EQ(writer.Finish(), ((value + 1) * 7 + 7) / 8);
  }
  BitReader reader(bytes);
  for (unsigned value = 0; value < 18; ++value) {
    ASSERT_EQ(reader.ReadBits(7), value);
  }
}

TEST(BitWriter, AppendsAtEveryAlignmentWithoutTouchingBytesBehindTheSource) {
  Random random(7);
  for (unsigned before = 0; before < 72; ++before) {
    for (std::size_t bitCount = 0; bitCount < 200; ++bitCount) {
      const std::vector<std::uint8_t> source = RandomBytes(random, (bitCount + 7) / 8);
      const test::GuardedBuffer guarded(source.size());
      std::copy(source.begin(), source.end(), guarded.Bytes().begin());
      const std::size_t needed = (before + bitCount + 5 + 7) / 8;
      const test::GuardedBuffer target(needed);

      BitWriter writer(target.Bytes());
      for (unsigned bit = 0; bit < before; ++bit) {
        writer.WriteBool(bit % 2 == 0);
      }
      writer.AppendBits(guarded.Bytes().data(), bitCount);
      writer.WriteBits(0b10110, 5);
      ASSERT_FALSE(writer.Overflowed());
      ASSERT_EQ(writer.Finish(), needed);

      BitReader reader(target.Bytes());
      for (unsigned bit = 0; bit < before; ++bit) {
        ASSERT_EQ(reader.ReadBool(), bit % 2 == 0);
      }
      for (std::size_t bit = 0; bit < bitCount; ++bit) {
        ASSERT_EQ(reader.ReadBool(), BitAt(source, bit)) << "bit " << bit << " of " << bitCount << " after " << before;
      }
      ASSERT_EQ(reader.ReadBits(5), 0b10110u);
    }
  }
}

TEST(BitWriter, AppendsAllOrNothing) {
  const std::array<std::uint8_t, 8> source{1, 2, 3, 4, 5, 6, 7, 8};
  const test::GuardedBuffer target(8);
  BitWriter writer(target.Bytes());
  writer.WriteBits(5, 3);
  writer.AppendBits(source.data(), 62);
  EXPECT_TRUE(writer.Overflowed());
  EXPECT_EQ(writer.BitPosition(), 3u);
  EXPECT_EQ(writer.Finish(), 1u);
}

TEST(BitWriter, WritesAlignedBytesWholeOrNotAtAll) {
  const std::array<std::uint8_t, 5> payload{9, 8, 7, 6, 5};
  const test::GuardedBuffer target(6);
  BitWriter writer(target.Bytes());
  writer.WriteBits(1, 3);
  writer.WriteAlignedBytes(payload);
  EXPECT_FALSE(writer.Overflowed());
  EXPECT_EQ(writer.Finish(), 6u);
  BitReader reader(target.Bytes());
  EXPECT_EQ(reader.ReadBits(3), 1u);
  const auto back = reader.ReadAlignedBytes(5);
  EXPECT_TRUE(std::equal(back.begin(), back.end(), payload.begin(), payload.end()));
  EXPECT_EQ(reader.BitsLeft(), 0u);

  BitWriter tooFull(target.Bytes());
  tooFull.WriteBits(1, 9);
  tooFull.WriteAlignedBytes(payload);
  EXPECT_TRUE(tooFull.Overflowed());
  EXPECT_EQ(tooFull.BitPosition(), 9u) << "not even the padding";
}

TEST(BitWriter, RewindsToAnyEarlierPositionAndForgetsTheOverflow) {
  for (std::size_t keep = 0; keep <= 150; ++keep) {
    std::array<std::uint8_t, 19> bytes{};
    BitWriter writer(bytes);
    for (std::size_t bit = 0; bit < keep; ++bit) {
      writer.WriteBool(bit % 5 == 0);
    }
    const std::size_t mark = writer.BitPosition();
    while (!writer.Overflowed()) {
      writer.WriteBits(0x7F, 7);
    }
    writer.Rewind(mark);
    EXPECT_FALSE(writer.Overflowed());
    EXPECT_EQ(writer.BitPosition(), mark);
    writer.WriteBits(0, 2);
    writer.Finish();
    BitReader reader(bytes, keep + 2);
    for (std::size_t bit = 0; bit < keep; ++bit) {
      ASSERT_EQ(reader.ReadBool(), bit % 5 == 0);
    }
    ASSERT_EQ(reader.ReadBits(2), 0u) << "what was taken back shines through";
  }
}

TEST(BitWriter, DoesNotRewindForward) {
  std::array<std::uint8_t, 8> bytes{};
  BitWriter writer(bytes);
  writer.WriteBits(3, 4);
  writer.Rewind(5);
  EXPECT_EQ(writer.BitPosition(), 4u);
}

TEST(BitStream, EncodesSmallNumbersInFewBits) {
  std::array<std::uint8_t, 16> bytes{};
  const auto bitsOf = [&](std::uint64_t value) {
    BitWriter writer(bytes);
    writer.WriteVarUint(value);
    return writer.BitPosition();
  };
  EXPECT_EQ(bitsOf(0), 5u);
  EXPECT_EQ(bitsOf(15), 5u);
  EXPECT_EQ(bitsOf(16), 10u);
  EXPECT_EQ(bitsOf(255), 10u);
  EXPECT_EQ(bitsOf(std::numeric_limits<std::uint64_t>::max()), 80u);
}

TEST(BitStream, CarriesTheExtremesOfEveryGroupWidth) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  for (unsigned group = 1; group <= 32; ++group) {
    std::array<std::uint8_t, 128> bytes{};
    BitWriter writer(bytes);
    writer.WriteVarUint(~std::uint64_t{0}, group);
    writer.WriteVarUint(std::uint64_t{1} << 63, group);
    writer.WriteSigned(least, group);
    writer.WriteSigned(greatest, group);
    writer.WriteSigned(-1, group);
    writer.Finish();
    ASSERT_FALSE(writer.Overflowed());
    BitReader reader(bytes);
    EXPECT_EQ(reader.ReadVarUint(~std::uint64_t{0}, group), ~std::uint64_t{0});
    EXPECT_EQ(reader.ReadVarUint(~std::uint64_t{0}, group), std::uint64_t{1} << 63);
    EXPECT_EQ(reader.ReadSigned(std::uint64_t{1} << 63, group), least);
    EXPECT_EQ(reader.ReadSigned(std::uint64_t{1} << 63, group), greatest);
    EXPECT_EQ(reader.ReadSigned(1, group), -1);
    EXPECT_FALSE(reader.Failed()) << "group " << group;
  }
}

TEST(BitReader, RefusesVariableNumbersAboveTheMaximum) {
  std::array<std::uint8_t, 8> bytes{};
  BitWriter writer(bytes);
  writer.WriteVarUint(1000);
  writer.Finish();
  BitReader accepting(bytes);
  EXPECT_EQ(accepting.ReadVarUint(1000), 1000u);
  EXPECT_FALSE(accepting.Failed());
  BitReader refusing(bytes);
  EXPECT_EQ(refusing.ReadVarUint(999), 0u);
  EXPECT_TRUE(refusing.Failed());
}

TEST(BitReader, RefusesSignedNumbersBeyondTheMagnitude) {
  const auto read = [](std::int64_t value, std::uint64_t maxMagnitude) {
    std::array<std::uint8_t, 16> bytes{};
    BitWriter writer(bytes);
    writer.WriteSigned(value);
    writer.Finish();
    BitReader reader(bytes);
    const std::int64_t back = reader.ReadSigned(maxMagnitude);
    return !reader.Failed() && back == value;
  };
  EXPECT_TRUE(read(100, 100));
  EXPECT_TRUE(read(-100, 100));
  EXPECT_FALSE(read(101, 100));
  EXPECT_FALSE(read(-101, 100));
  EXPECT_TRUE(read(0, 0));
  EXPECT_FALSE(read(-1, 0));
}

TEST(BitReader, RefusesASecondFormOfTheSameNumber) {
  std::array<std::uint8_t, 2> bytes{};
  BitWriter writer(bytes);
  writer.WriteBits(0b10011, 5);  // 3, and more follows
  writer.WriteBits(0b00000, 5);  // but only zeros
  writer.Finish();
  BitReader reader(bytes);
  EXPECT_EQ(reader.ReadVarUint(1000), 0u);
  EXPECT_TRUE(reader.Failed());
}

TEST(BitReader, RefusesNumbersOfMoreThan64Bits) {
  std::array<std::uint8_t, 32> bytes{};
  bytes.fill(0xFF);
  BitReader endless(bytes);
  EXPECT_EQ(endless.ReadVarUint(~std::uint64_t{0}), 0u);
  EXPECT_TRUE(endless.Failed());

  // 21 groups of 3 bits hold 63; a last group of 2 would be bit 64.
  BitWriter writer(bytes);
  for (int group = 0; group < 21; ++group) {
    writer.WriteBits(0b1111, 4);
  }
  writer.WriteBits(0b0010, 4);
  writer.Finish();
  BitReader beyond(bytes);
  EXPECT_EQ(beyond.ReadVarUint(~std::uint64_t{0}, 3), 0u);
  EXPECT_TRUE(beyond.Failed());
}

TEST(BitReader, StaysFailedAndGivesZeros) {
  const std::array<std::uint8_t, 2> bytes{0xFF, 0xFF};
  BitReader reader(bytes);
  EXPECT_EQ(reader.ReadBits(10), 0x3FFu);
  EXPECT_EQ(reader.ReadBits(7), 0u);
  EXPECT_TRUE(reader.Failed());
  EXPECT_EQ(reader.Position(), 10u);
  EXPECT_EQ(reader.BitsLeft(), 0u);
  EXPECT_EQ(reader.ReadBits(1), 0u);
  EXPECT_FALSE(reader.ReadBool());
  EXPECT_EQ(reader.ReadVarUint(9), 0u);
  EXPECT_EQ(reader.ReadZeroRun(9), 0u);
  EXPECT_TRUE(reader.ReadAlignedBytes(0).empty());
  reader.Skip(0);
  EXPECT_TRUE(reader.Failed());
}

TEST(BitReader, StopsAtItsBitLimitInsideAByte) {
  const std::array<std::uint8_t, 4> bytes{0xFF, 0xFF, 0xFF, 0xFF};
  BitReader reader(bytes, 11);
  EXPECT_EQ(reader.ReadBits(11), 0x7FFu);
  EXPECT_FALSE(reader.Failed());
  EXPECT_FALSE(reader.ReadBool());
  EXPECT_TRUE(reader.Failed());
  EXPECT_EQ(BitReader(bytes, 1000).BitsLeft(), 32u);
}

TEST(BitReader, ReadsEveryWidthAtEveryAlignmentUpToTheLastBit) {
  Random random(3);
  for (std::size_t size = 1; size <= 18; ++size) {
    const std::vector<std::uint8_t> bytes = RandomBytes(random, size);
    const test::GuardedBuffer guarded(size);
    std::copy(bytes.begin(), bytes.end(), guarded.Bytes().begin());
    for (std::size_t start = 0; start <= size * 8; ++start) {
      for (unsigned width = 0; width <= 64; ++width) {
        BitReader reader(guarded.Bytes());
        reader.Skip(start);
        const std::uint64_t value = reader.ReadBits(width);
        ASSERT_EQ(reader.Failed(), start + width > size * 8);
        std::uint64_t expected = 0;
        for (unsigned bit = 0; !reader.Failed() && bit < width; ++bit) {
          expected |= std::uint64_t{BitAt(bytes, start + bit)} << bit;
        }
        ASSERT_EQ(value, expected) << "size " << size << " start " << start << " width " << width;
      }
    }
  }
}

TEST(BitReader, RefusesPaddingThatIsNotZero) {
  const std::array<std::uint8_t, 2> bytes{0b1000'0001, 0xFF};
  BitReader reader(bytes);
  EXPECT_TRUE(reader.ReadBool());
  reader.AlignToByte();
  EXPECT_TRUE(reader.Failed());
}

TEST(BitReader, CountsZeroRunsAcrossWordsAndBoundsThem) {
  std::array<std::uint8_t, 12> bytes{};
  BitWriter writer(bytes);
  writer.WriteBits(1, 3);
  writer.WriteBits(0, 63);
  writer.WriteBits(1, 1);
  writer.Finish();
  BitReader reader(bytes);
  EXPECT_EQ(reader.ReadZeroRun(63), 0u);
  BitReader whole(bytes);
  whole.Skip(3);
  EXPECT_EQ(whole.ReadZeroRun(63), 63u);
  EXPECT_EQ(whole.Position(), 67u);
  BitReader bounded(bytes);
  bounded.Skip(3);
  EXPECT_EQ(bounded.ReadZeroRun(62), 0u);
  EXPECT_TRUE(bounded.Failed());
  whole.Skip(0);
  EXPECT_EQ(whole.ReadZeroRun(63), 0u) << "only zeros are left";
  EXPECT_TRUE(whole.Failed());
}

}  // namespace
}  // namespace muster::serialization
