// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "HexText.h"
#include "Protocol/Sealing.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace muster::protocol {
namespace {

SecretKey KeyOf(unsigned char fill) {
  SecretKey key;
  std::fill_n(key.Data(), kKeyBytes, fill);
  return key;
}

std::vector<std::byte> Bytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

class Sealing : public ::testing::Test {
 protected:
  Sealing() { EXPECT_TRUE(InitialiseSealing()); }

  std::vector<std::byte> Seal(std::uint64_t counter, std::string_view text) {
    const std::vector<std::byte> message = Bytes(text);
    std::vector<std::byte> out(message.size() + kSealOverheadBytes);
    EXPECT_EQ(sealer.Seal(counter, message, out), out.size());
    return out;
  }
  OpenStatus Open(std::span<const std::byte> envelope) {
    scratch.assign(envelope.size() + 1, std::byte{0});
    return opener.Open(envelope, scratch, opened);
  }

  Sealer sealer{KeyOf(7), Direction::ToServer, Channel::Unreliable};
  Opener opener{KeyOf(7), Direction::ToServer, Channel::Unreliable};
  std::vector<std::byte> scratch;
  Opener::Opened opened;
};

TEST_F(Sealing, OpensWhatItSealed) {
  ASSERT_EQ(Open(Seal(5, "a message")), OpenStatus::Ok);
  EXPECT_EQ(opened.counter, 5u);
  EXPECT_EQ(Hex(opened.message), Hex(Bytes("a message")));
}

TEST_F(Sealing, WritesTheseBytes) {
  const std::vector<std::byte> envelope = Seal(0x1'0000'0102, "muster");
  EXPECT_EQ(Hex(std::span(envelope).first(5)), "0202010000");
  EXPECT_EQ(envelope.size(), 5u + 6u + 16u);
  Sealer again{KeyOf(7), Direction::ToServer, Channel::Unreliable};
  std::vector<std::byte> out(6 + kSealOverheadBytes);
  again.Seal(0x1'0000'0102, Bytes("muster"), out);
  EXPECT_EQ(out, envelope);  // nothing random in it
}

TEST_F(Sealing, RejectsEveryFlippedBit) {
  const std::vector<std::byte> envelope = Seal(1, "twelve bytes");
  for (std::size_t bit = 0; bit < envelope.size() * 8; ++bit) {
    std::vector<std::byte> changed = envelope;
    changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_NE(Open(changed), OpenStatus::Ok) << bit;
  }
  EXPECT_EQ(Open(envelope), OpenStatus::Ok);
}

TEST_F(Sealing, RejectsEveryTruncation) {
  const std::vector<std::byte> envelope = Seal(1, "twelve bytes");
  for (std::size_t size = 0; size < envelope.size(); ++size) {
    EXPECT_EQ(Open(std::span(envelope).first(size)),
              size < kSealOverheadBytes ? OpenStatus::Truncated : OpenStatus::Forged)
        << size;
  }
}

TEST_F(Sealing, RejectsOtherKeysDirectionsAndChannels) {
  const std::vector<std::byte> envelope = Seal(1, "x");
  Opener::Opened out;
  scratch.resize(64);
  for (Opener other : {Opener{KeyOf(8), Direction::ToServer, Channel::Unreliable},
                       Opener{KeyOf(7), Direction::ToClient, Channel::Unreliable},
                       Opener{KeyOf(7), Direction::ToServer, Channel::Reliable}}) {
    EXPECT_EQ(other.Open(envelope, scratch, out), OpenStatus::Forged);
  }
}

TEST_F(Sealing, TakesEachCounterOnceInAnyOrder) {
  std::vector<std::vector<std::byte>> envelopes;
  for (std::uint64_t counter = 1; counter <= 200; ++counter) {
    envelopes.push_back(Seal(counter, "x"));
  }
  Random random(3);
  for (std::size_t i = envelopes.size(); i > 1; --i) {
    std::swap(envelopes[i - 1], envelopes[random.NextBelow(i)]);
  }
  for (const auto& envelope : envelopes) {
    EXPECT_EQ(Open(envelope), OpenStatus::Ok);
  }
  for (const auto& envelope : envelopes) {
    EXPECT_EQ(Open(envelope), OpenStatus::Replayed);
  }
}

TEST_F(Sealing, RejectsWhatIsBeforeTheReplayWindow) {
  const std::vector<std::byte> old = Seal(1, "x");
  const std::vector<std::byte> edge = Seal(2, "x");
  ASSERT_EQ(Open(Seal(257, "x")), OpenStatus::Ok);
  EXPECT_EQ(Open(old), OpenStatus::TooOld);
  EXPECT_EQ(Open(edge), OpenStatus::Ok);
}

TEST_F(Sealing, AForgeryDoesNotMoveTheWindow) {
  std::vector<std::byte> forged = Seal(1, "x");
  forged[2] = std::byte{0x70};  // a far counter
  EXPECT_EQ(Open(forged), OpenStatus::Forged);
  EXPECT_EQ(opener.Replay().Newest(), 0u);
}

TEST_F(Sealing, NeverUsesACounterTwice) {
  Seal(5, "x");
  std::vector<std::byte> out(64);
  EXPECT_DEATH(sealer.Seal(5, Bytes("y"), out), "never used twice");
}

TEST_F(Sealing, CarriesCountersBeyondThirtyTwoBits) {
  constexpr std::uint64_t kWrap = std::uint64_t{1} << 32;
  for (std::uint64_t counter = 1; counter < kWrap - 5; counter += kWrap / 4) {
    ASSERT_EQ(Open(Seal(counter, "x")), OpenStatus::Ok);
  }
  for (std::uint64_t counter = kWrap - 3; counter < kWrap + 5; ++counter) {
    ASSERT_EQ(Open(Seal(counter, "x")), OpenStatus::Ok) << counter;
    EXPECT_EQ(opened.counter, counter);
  }
}

TEST(ReplayWindow, DoesNotOverflowNearTheEnd) {
  ReplayWindow window;
  constexpr std::uint64_t kEnd = UINT64_MAX;
  window.Accept(kEnd - 1);
  EXPECT_EQ(window.Check(kEnd), ReplayWindow::Verdict::Fresh);
  EXPECT_EQ(window.Check(kEnd - 1), ReplayWindow::Verdict::Replayed);
  EXPECT_EQ(window.Check(kEnd - 256), ReplayWindow::Verdict::Fresh);
  EXPECT_EQ(window.Check(kEnd - 257), ReplayWindow::Verdict::TooOld);
  EXPECT_EQ(window.Check(0), ReplayWindow::Verdict::TooOld);
  EXPECT_EQ(window.Check(5), ReplayWindow::Verdict::TooOld);
  window.Accept(kEnd);
  EXPECT_EQ(window.Check(kEnd), ReplayWindow::Verdict::Replayed);
}

TEST(ReplayWindow, AgreesWithASet) {
  ReplayWindow window;
  std::set<std::uint64_t> seen;
  Random random(11);
  std::uint64_t base = 1;
  for (int i = 0; i < 20'000; ++i) {
    base += random.NextBelow(random.NextChance(0.01) ? 400 : 3);
    const std::uint64_t counter = base > 300 ? base - random.NextBelow(300) : base;
    const std::uint64_t newest = seen.empty() ? 0 : *seen.rbegin();
    const ReplayWindow::Verdict verdict = window.Check(counter);
    if (!seen.empty() && counter + 256 <= newest) {
      ASSERT_EQ(verdict, ReplayWindow::Verdict::TooOld);
    } else {
      ASSERT_EQ(verdict, seen.contains(counter) ? ReplayWindow::Verdict::Replayed : ReplayWindow::Verdict::Fresh);
    }
    if (verdict == ReplayWindow::Verdict::Fresh) {
      window.Accept(counter);
      seen.insert(counter);
    }
  }
}

TEST(ReconstructCounter, FindsTheNearest) {
  constexpr std::uint64_t kSpan = std::uint64_t{1} << 32;
  EXPECT_EQ(ReconstructCounter(7, 0), 7u);
  EXPECT_EQ(ReconstructCounter(0xFFFF'FFFFu, 3), 0xFFFF'FFFFu);  // there is nothing before zero
  EXPECT_EQ(ReconstructCounter(2, kSpan - 1), kSpan + 2);
  EXPECT_EQ(ReconstructCounter(0xFFFF'FFF0u, kSpan + 5), kSpan - 16);
  EXPECT_EQ(ReconstructCounter(5, UINT64_MAX), (UINT64_MAX & ~(kSpan - 1)) | 5u);  // nor after the last
  EXPECT_EQ(ReconstructCounter(0xFFFF'FFFFu, UINT64_MAX - 3), UINT64_MAX);
}

TEST(KeyExchange, GivesBothSidesMatchingKeysAndEachConnectionItsOwn) {
  ASSERT_TRUE(InitialiseSealing());
  const KeyExchange client;
  const KeyExchange server;
  const TranscriptHash transcript = Transcript(Bytes("hello"), Bytes("answer"));
  const auto ofClient = client.ClientKeys(server.Public(), transcript);
  const auto ofServer = server.ServerKeys(client.Public(), transcript);
  ASSERT_TRUE(ofClient && ofServer);
  EXPECT_EQ(0, std::memcmp(ofClient->send.Data(), ofServer->receive.Data(), kKeyBytes));
  EXPECT_EQ(0, std::memcmp(ofClient->receive.Data(), ofServer->send.Data(), kKeyBytes));
  EXPECT_NE(0, std::memcmp(ofClient->receive.Data(), ofClient->send.Data(), kKeyBytes));
  const KeyExchange next;
  EXPECT_NE(next.Public(), server.Public());
}

TEST(KeyExchange, MixesInWhatWasSaidInClear) {
  ASSERT_TRUE(InitialiseSealing());
  const KeyExchange client;
  const KeyExchange server;
  const auto one = client.ClientKeys(server.Public(), Transcript(Bytes("ab"), Bytes("c")));
  const auto two = client.ClientKeys(server.Public(), Transcript(Bytes("a"), Bytes("bc")));
  ASSERT_TRUE(one && two);
  EXPECT_NE(0, std::memcmp(one->send.Data(), two->send.Data(), kKeyBytes));
}

TEST(KeyExchange, RefusesAKeyThatGivesEverybodyTheSameSecret) {
  ASSERT_TRUE(InitialiseSealing());
  const KeyExchange server;
  EXPECT_FALSE(server.ServerKeys(PublicKey{}, TranscriptHash{}).has_value());
}

}  // namespace
}  // namespace muster::protocol
