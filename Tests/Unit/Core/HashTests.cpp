// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Bytes.h"
#include "Core/Hash.h"
#include "Core/Random.h"
#include "Core/Sha256.h"
#include "Support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>
#include <unordered_set>
#include <vector>

namespace muster {
namespace {

TEST(Mix64, SpreadsEveryInputBitOverAllOutputBits) {
  Random random(4);
  constexpr int samples = 2000;
  for (unsigned in = 0; in < 64; ++in) {
    std::array<int, 64> flips{};
    for (int i = 0; i < samples; ++i) {
      const std::uint64_t value = random.Next();
      const std::uint64_t changed = Mix64(value) ^ Mix64(value ^ (std::uint64_t{1} << in));
      for (unsigned out = 0; out < 64; ++out) {
        flips[out] += static_cast<int>((changed >> out) & 1);
      }
    }
    for (unsigned out = 0; out < 64; ++out) {
      ASSERT_NEAR(flips[out], samples / 2, samples * 0.06) << "bit " << in << " to bit " << out;
    }
  }
}

TEST(HashName, IsTheSameAtCompileAndRunTime) {
  constexpr std::uint64_t atCompileTime = HashName("muster.transport/0");
  std::string name = "muster.transport";
  name += "/0";
  EXPECT_EQ(HashName(name), atCompileTime);
}

TEST(HashName, TellsApartNamesThatAPaddedWordWouldNot) {
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t length = 0; length < 40; ++length) {
    EXPECT_TRUE(seen.insert(HashName(std::string(length, '\0'))).second) << length;
    EXPECT_TRUE(seen.insert(HashName(std::string(length, 'a') + "b")).second) << length;
  }
}

TEST(Hash64, ChangesWithEveryBitAndEveryLength) {
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t size = 0; size <= 200; ++size) {
    std::vector<std::byte> bytes(size);
    EXPECT_TRUE(seen.insert(Hash64(bytes)).second) << "zeros of size " << size;
    for (std::size_t bit = 0; bit < size * 8; bit += 3) {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      EXPECT_TRUE(seen.insert(Hash64(bytes)).second) << "size " << size << " bit " << bit;
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  }
}

TEST(Hash64, ChangesHalfOfItsBitsForOneOfTheInput) {
  Random random(5);
  std::vector<std::byte> bytes(150);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(random.Next());
  }
  const std::uint64_t original = Hash64(bytes);
  int flipped = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    const int distance = std::popcount(original ^ Hash64(bytes));
    EXPECT_GE(distance, 10) << bit;
    flipped += distance;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_NEAR(flipped / static_cast<double>(bytes.size() * 8), 32.0, 1.0);
}

TEST(Hash64, DependsOnTheSeed) {
  EXPECT_NE(Hash64(AsBytes("text"), 1), Hash64(AsBytes("text"), 2));
}

TEST(Hash64, ReadsNothingBehindItsInput) {
  for (std::size_t size = 0; size <= 130; ++size) {
    const test::GuardedBuffer guarded(size);
    static_cast<void>(Hash64(std::as_bytes(guarded.Bytes())));
  }
}

/// Recorded digests depend on these; a change here makes every recorded trace worthless.
TEST(Hash64, HasTheseValuesEverywhere) {
  std::vector<std::byte> bytes(300);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * 7 + 1);
  }
  EXPECT_EQ(Hash64({}), 18348242033048793895u);
  EXPECT_EQ(Hash64(AsBytes("muster")), 11273783091237412840u);
  EXPECT_EQ(Hash64(bytes), 12981635197617177679u);
  EXPECT_EQ(HashName("muster"), 16713606082250537217u);
  EXPECT_EQ(Mix64(1), 13047664499297712585u);
}

TEST(Digest64, IncludesOrderAndBoundariesOfItsUpdates) {
  const auto digest = [](std::initializer_list<std::string_view> parts) {
    Digest64 sum;
    for (const std::string_view part : parts) {
      sum.Update(AsBytes(part));
    }
    return sum.Value();
  };
  EXPECT_EQ(digest({"ab", "c"}), digest({"ab", "c"}));
  EXPECT_NE(digest({"ab", "c"}), digest({"a", "bc"}));
  EXPECT_NE(digest({"ab", "c"}), digest({"c", "ab"}));
  EXPECT_NE(digest({"ab", ""}), digest({"ab"}));
}

TEST(Digest64, TakesNumbersByValueNotByWidth) {
  const auto digest = [](auto value) {
    Digest64 sum;
    sum.Update(value);
    return sum.Value();
  };
  EXPECT_EQ(digest(std::uint8_t{7}), digest(std::int64_t{7}));
  EXPECT_EQ(digest(-1), digest(std::int64_t{-1}));
  EXPECT_NE(digest(0.0f), digest(-0.0f));
  EXPECT_NE(digest(1.0), digest(2.0));
  EXPECT_NE(digest(0), Digest64{}.Value()) << "a zero counts";
}

TEST(Sha256, GivesTheStandardsAnswers) {
  EXPECT_EQ(ToHex(Sha256Of(AsBytes(""))), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(ToHex(Sha256Of(AsBytes("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ToHex(Sha256Of(AsBytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(ToHex(Sha256Of(AsBytes(std::string(1'000'000, 'a')))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheMessageIsCut) {
  Random random(6);
  std::string message(1000, ' ');
  for (char& letter : message) {
    letter = static_cast<char>(random.NextBelow(256));
  }
  const Sha256Digest whole = Sha256Of(AsBytes(message));
  for (int round = 0; round < 200; ++round) {
    Sha256 hash;
    std::string_view left = message;
    while (!left.empty()) {
      const std::size_t taken = std::min<std::size_t>(left.size(), random.NextBelow(150));
      hash.Update(AsBytes(left.substr(0, taken)));
      left.remove_prefix(taken);
    }
    ASSERT_EQ(hash.Finish(), whole);
  }
}

TEST(Sha256, PadsRightAroundTheBlockBorder) {
  std::unordered_set<std::string> seen;
  for (std::size_t size = 50; size < 140; ++size) {
    seen.insert(ToHex(Sha256Of(AsBytes(std::string(size, 'x')))));
  }
  EXPECT_EQ(seen.size(), 90u);
  // The message of 55 fits its length into its last block, that of 56 does not.
  EXPECT_EQ(ToHex(Sha256Of(AsBytes(std::string(55, 'a')))),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(ToHex(Sha256Of(AsBytes(std::string(56, 'a')))),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
}

TEST(Sha256, ReadsItsOwnHexAndRefusesOther) {
  const Sha256Digest digest = Sha256Of(AsBytes("abc"));
  std::string hex = ToHex(digest);
  EXPECT_EQ(Sha256FromHex(hex), digest);
  hex[0] = 'B';
  EXPECT_EQ(Sha256FromHex(hex), digest);
  EXPECT_EQ(Sha256FromHex(hex.substr(1)), std::nullopt);
  EXPECT_EQ(Sha256FromHex(hex + "0"), std::nullopt);
  hex[5] = 'g';
  EXPECT_EQ(Sha256FromHex(hex), std::nullopt);
}

}  // namespace
}  // namespace muster
