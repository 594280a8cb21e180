// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Random.h"
#include "Serialization/BitReader.h"
#include "Serialization/BitWriter.h"
#include "Support/GuardedBuffer.h"
#include "Support/SeededTest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace muster::serialization {
namespace {

/// One random stream of all kinds of fields: written, read back, and read back from every truncation of it.
class BitStreamSeeded : public test::SeededTest {
 protected:
  struct Field {
    unsigned kind;
    unsigned width;
    std::uint64_t value;
  };

  std::vector<Field> MakeFields() {
    std::vector<Field> fields(40);
    for (Field& field : fields) {
      field.kind = static_cast<unsigned>(random.NextBelow(4));
      field.width = static_cast<unsigned>(random.NextBelow(65));
      field.value = field.width == 0 ? 0 : random.Next() >> (64 - field.width);
    }
    return fields;
  }

  static void Write(BitWriter& writer, const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      switch (field.kind) {
        case 0:
          writer.WriteBits(field.value, field.width);
          break;
        case 1:
          writer.WriteVarUint(field.value);
          break;
        case 2:
          writer.WriteSigned(static_cast<std::int64_t>(field.value));
          break;
        default:
          writer.AlignToByte();
          break;
      }
    }
  }

  /// How many fields come back right before the reader fails.
  static std::size_t ReadRight(BitReader& reader, const std::vector<Field>& fields) {
    std::size_t right = 0;
    for (const Field& field : fields) {
      bool same = true;
      switch (field.kind) {
        case 0:
          same = reader.ReadBits(field.width) == field.value;
          break;
        case 1:
          same = reader.ReadVarUint(~std::uint64_t{0}) == field.value;
          break;
        case 2:
          same = reader.ReadSigned(std::uint64_t{1} << 63) == static_cast<std::int64_t>(field.value);
          break;
        default:
          reader.AlignToByte();
          break;
      }
      if (reader.Failed()) {
        return right;
      }
      EXPECT_TRUE(same) << "field " << right;
      ++right;
    }
    return right;
  }
};

TEST_P(BitStreamSeeded, ReadsBackWhatWasWrittenAndFailsAtEveryTruncation) {
  const std::vector<Field> fields = MakeFields();
  std::vector<std::uint8_t> bytes(1024);
  BitWriter writer(bytes);
  Write(writer, fields);
  ASSERT_FALSE(writer.Overflowed());
  const std::size_t bits = writer.BitPosition();
  bytes.resize(writer.Finish());

  BitReader whole(bytes, bits);
  EXPECT_EQ(ReadRight(whole, fields), fields.size());
  EXPECT_EQ(whole.BitsLeft(), 0u);

  const test::GuardedBuffer guarded(bytes.size());
  for (std::size_t kept = 0; kept < bits; ++kept) {
    const auto cut = guarded.Last((kept + 7) / 8);
    std::copy_n(bytes.begin(), cut.size(), cut.begin());
    BitReader reader(cut, kept);
    ASSERT_LT(ReadRight(reader, fields), fields.size());
    ASSERT_TRUE(reader.Failed()) << kept << " of " << bits << " bits";
  }
}

TEST_P(BitStreamSeeded, SurvivesNoise) {
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = random.NextBelow(40);
    const test::GuardedBuffer guarded(size);
    for (std::uint8_t& byte : guarded.Bytes()) {
      byte = static_cast<std::uint8_t>(random.Next());
    }
    BitReader reader(guarded.Bytes());
    for (int step = 0; step < 100; ++step) {
      const std::uint64_t limit = random.Next() >> random.NextBelow(64);
      switch (random.NextBelow(5)) {
        case 0:
          ASSERT_LE(reader.ReadVarUint(limit), limit);
          break;
        case 1:
          static_cast<void>(reader.ReadSigned(limit));
          break;
        case 2:
          ASSERT_LE(reader.ReadZeroRun(30), 30u);
          break;
        case 3:
          ASSERT_LE(reader.ReadAlignedBytes(random.NextBelow(4)).size(), 3u);
          break;
        default:
          static_cast<void>(reader.ReadBits(static_cast<unsigned>(random.NextBelow(65))));
          break;
      }
      ASSERT_LE(reader.Position(), size * 8);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BitStreamSeeded, test::Seeds(25), test::SeedName);

}  // namespace
}  // namespace muster::serialization
