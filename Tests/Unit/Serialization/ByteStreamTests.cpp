// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Serialization/ByteReader.h"
#include "Serialization/ByteWriter.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace muster::serialization {
namespace {

constexpr std::array<std::uint8_t, 3> kBlob{7, 8, 9};
constexpr std::size_t kEverythingBytes = 67;

void WriteEverything(ByteWriter& writer) {
  writer.WriteU8(0x12);
  writer.WriteU16(0x3456);
  writer.WriteU32(0x789ABCDE);
  writer.WriteU64(0x0123456789ABCDEF);
  writer.WriteI8(-1);
  writer.WriteI16(-2);
  writer.WriteI32(-3);
  writer.WriteI64(-4);
  writer.WriteF32(1.5f);
  writer.WriteF64(-2.25);
  writer.WriteBool(true);
  writer.WriteSized8(kBlob);
  writer.WriteSized16(kBlob);
  writer.WriteSized32(kBlob);
  writer.WriteText8("ab");
  writer.WriteText16("");
  writer.WriteBytes(kBlob);
}

bool IsBlob(std::span<const std::uint8_t> bytes) {
  return std::equal(bytes.begin(), bytes.end(), kBlob.begin(), kBlob.end());
}

bool ReadEverything(ByteReader& reader) {
  bool same = reader.ReadU8() == 0x12;
  same = reader.ReadU16() == 0x3456 && same;
  same = reader.ReadU32() == 0x789ABCDE && same;
  same = reader.ReadU64() == 0x0123456789ABCDEF && same;
  same = reader.ReadI8() == -1 && same;
  same = reader.ReadI16() == -2 && same;
  same = reader.ReadI32() == -3 && same;
  same = reader.ReadI64() == -4 && same;
  same = reader.ReadF32() == 1.5f && same;
  same = reader.ReadF64() == -2.25 && same;
  same = reader.ReadBool() && same;
  same = IsBlob(reader.ReadSized8(3)) && same;
  same = IsBlob(reader.ReadSized16(3)) && same;
  same = IsBlob(reader.ReadSized32(3)) && same;
  same = reader.ReadText8(16) == "ab" && same;
  same = reader.ReadText16(16).empty() && same;
  return IsBlob(reader.ReadBytes(3)) && same;
}

TEST(ByteStream, ReadsBackWhatWasWritten) {
  std::array<std::uint8_t, 128> bytes{};
  ByteWriter writer(bytes);
  WriteEverything(writer);
  ASSERT_FALSE(writer.Overflowed());
  ByteReader reader(writer.Written());
  EXPECT_TRUE(ReadEverything(reader));
  EXPECT_TRUE(reader.IsComplete());
}

TEST(ByteStream, IsLittleEndian) {
  std::array<std::uint8_t, 4> bytes{};
  ByteWriter writer(bytes);
  writer.WriteU32(0x04030201);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{1, 2, 3, 4}));
}

TEST(ByteReader, FailsAtEveryTruncation) {
  std::array<std::uint8_t, 128> bytes{};
  ByteWriter writer(bytes);
  WriteEverything(writer);
  const auto written = writer.Written();
  const test::GuardedBuffer guarded(written.size());
  for (std::size_t kept = 0; kept < written.size(); ++kept) {
    const auto cut = guarded.Last(kept);
    std::copy_n(written.begin(), kept, cut.begin());
    ByteReader reader(cut);
    EXPECT_FALSE(ReadEverything(reader));
    EXPECT_TRUE(reader.Failed()) << kept;
    EXPECT_FALSE(reader.IsComplete());
  }
}

TEST(ByteWriter, StaysInsideItsBufferAndWritesWholeFieldsOnly) {
  for (std::size_t size = 0; size < 70; ++size) {
    const test::GuardedBuffer buffer(size);
    ByteWriter writer(buffer.Bytes());
    WriteEverything(writer);
    EXPECT_LE(writer.Position(), size);
    EXPECT_EQ(writer.Overflowed(), size < kEverythingBytes);
    EXPECT_EQ(writer.Position() == kEverythingBytes, size >= kEverythingBytes);
  }
  std::array<std::uint8_t, 3> small{};
  ByteWriter writer(small);
  writer.WriteSized8(kBlob);
  EXPECT_TRUE(writer.Overflowed());
  EXPECT_EQ(writer.Position(), 0u) << "a length without its bytes";
  writer.WriteU8(1);
  EXPECT_EQ(writer.Position(), 0u) << "writes after an overflow are dropped";
}

TEST(ByteWriter, RefusesStringsTooLongForTheirLength) {
  std::vector<std::uint8_t> bytes(70'000);
  ByteWriter writer(bytes);
  writer.WriteText8(std::string(255, 'a'));
  EXPECT_FALSE(writer.Overflowed());
  writer.WriteText8(std::string(256, 'a'));
  EXPECT_TRUE(writer.Overflowed());
  ByteWriter wider(bytes);
  wider.WriteText16(std::string(65'536, 'a'));
  EXPECT_TRUE(wider.Overflowed());
}

TEST(ByteReader, RefusesLengthsAboveTheMaximumEvenWhenTheBytesAreThere) {
  std::array<std::uint8_t, 32> bytes{};
  ByteWriter writer(bytes);
  writer.WriteText8("twelve bytes");
  ByteReader tight(writer.Written());
  EXPECT_TRUE(tight.ReadText8(11).empty());
  EXPECT_TRUE(tight.Failed());
  ByteReader exact(writer.Written());
  EXPECT_EQ(exact.ReadText8(12), "twelve bytes");
}

TEST(ByteReader, RefusesLengthsAboveWhatIsLeft) {
  std::array<std::uint8_t, 8> bytes{};
  ByteWriter writer(bytes);
  writer.WriteU32(std::numeric_limits<std::uint32_t>::max());
  ByteReader reader(bytes);
  EXPECT_TRUE(reader.ReadSized32(std::numeric_limits<std::size_t>::max()).empty());
  EXPECT_TRUE(reader.Failed());
  EXPECT_EQ(reader.BytesLeft(), 0u);
  EXPECT_EQ(reader.ReadU8(), 0u);
}

TEST(ByteReader, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    std::array<std::uint8_t, 12> bytes{};
    ByteWriter writer(bytes);
    writer.WriteF32(static_cast<float>(bad));
    writer.WriteF64(bad);
    ByteReader floats(bytes);
    EXPECT_EQ(floats.ReadFiniteF32(), 0.0f);
    EXPECT_TRUE(floats.Failed());
    ByteReader doubles(bytes);
    static_cast<void>(doubles.ReadU32());
    EXPECT_EQ(doubles.ReadFiniteF64(), 0.0);
    EXPECT_TRUE(doubles.Failed());
  }
}

TEST(ByteReader, RefusesBooleansOtherThanZeroAndOne) {
  const std::array<std::uint8_t, 3> bytes{0, 1, 2};
  ByteReader reader(bytes);
  EXPECT_FALSE(reader.ReadBool());
  EXPECT_TRUE(reader.ReadBool());
  EXPECT_FALSE(reader.Failed());
  EXPECT_FALSE(reader.ReadBool());
  EXPECT_TRUE(reader.Failed());
}

TEST(ByteReader, GivesTheRestOnce) {
  ByteReader reader(kBlob);
  EXPECT_EQ(reader.ReadU8(), 7u);
  EXPECT_EQ(reader.ReadRest().size(), 2u);
  EXPECT_TRUE(reader.IsComplete());
  EXPECT_TRUE(reader.ReadRest().empty());
  EXPECT_FALSE(reader.Failed());
}

}  // namespace
}  // namespace muster::serialization
