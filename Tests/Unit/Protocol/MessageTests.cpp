// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "HexText.h"
#include "MessageSamples.h"
#include "Protocol/PacketHeader.h"

#include "Core/Random.h"
#include "Core/Utf8.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace muster::protocol {
namespace {

TEST(Messages, ReadWhatTheyWrote) {
  for (const Sample& sample : Samples()) {
    EXPECT_EQ(sample.decode(sample.bytes), DecodeStatus::Ok) << sample.name;
  }
}

TEST(Messages, RefuseEveryTruncation) {
  for (const Sample& sample : Samples()) {
    for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
      const Wire cut(sample.bytes.begin(), sample.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(sample.decode(cut), DecodeStatus::Truncated) << sample.name << " at " << size;
    }
  }
}

TEST(Messages, RefuseTrailingBytes) {
  for (const Sample& sample : Samples()) {
    Wire longer = sample.bytes;
    longer.push_back(std::byte{0});
    EXPECT_EQ(sample.decode(longer), DecodeStatus::TrailingBytes) << sample.name;
  }
}

TEST(Messages, RefuseOtherTypes) {
  for (const Sample& sample : Samples()) {
    const bool isHandshake =
        sample.bytes[0] == std::byte{1} && sample.bytes.size() > 4 && std::string(sample.name) != "JoinRequest";
    Wire other = sample.bytes;
    other[isHandshake ? 1 : 0] = std::byte{99};
    EXPECT_EQ(sample.decode(other), DecodeStatus::UnknownType) << sample.name;
  }
}

TEST(Messages, SurviveAnyChange) {
  Random random(5);
  for (const Sample& sample : Samples()) {
    for (int i = 0; i < 3000; ++i) {
      Wire changed = sample.bytes;
      for (std::uint64_t flips = 1 + random.NextBelow(8); flips > 0; --flips) {
        changed[random.NextBelow(changed.size())] = static_cast<std::byte>(random.Next());
      }
      changed.resize(random.NextBelow(changed.size() + 1));
      static_cast<void>(sample.decode(changed));  // ends, reads nothing beyond; the sanitizers watch
    }
  }
}

TEST(Messages, KeepTheseBytes) {
  EXPECT_EQ(Hex(MakeSample("", JoinRequest{"Ann"}).bytes), "010300416e6e");
  EXPECT_EQ(Hex(MakeSample("", SampleAccept()).bytes),
            "02"
            "07000000"
            "0807060504030201"
            "3c00"
            "09000000"
            "03726177"
            "01000000"
            "b0040000"
            "400d0300");
  EXPECT_EQ(Hex(MakeSample("", Goodbye{3031, "bye"}).bytes), "06d70b0300627965");
  EXPECT_EQ(Hex(MakeSample("", OwnEntity{NetId{5}}).bytes), "0705000000");
  EXPECT_EQ(Hex(MakeSample("", Leave{}).bytes), "04");
  EXPECT_EQ(Hex(MakeSample("", Archetypes{{{ArchetypeId{1}, "a"}}}).bytes),
            "080100"
            "01000161");
  EXPECT_EQ(Hex(EncodeInput(SampleInput())),
            "20"
            "e803000000000000"
            "de03000000000000"
            "02"
            "ffff0180010000000100"
            "0000ff7fffff05000000"
            "01"
            "04030201");
  const Wire hello = MakeSample("", SampleHello()).bytes;
  EXPECT_EQ(hello.size(), 1 + kClientHelloBytes);
  EXPECT_EQ(Hex(std::span(hello).first(8)),
            "0101010010"
            "6d7573");
}

TEST(ClientHello, TellsAnotherVersionWhateverFollows) {
  Wire bytes = MakeSample("", SampleHello()).bytes;
  bytes[2] = std::byte{9};
  bytes.resize(200);
  ClientHello hello;
  EXPECT_EQ(Decode(bytes, hello), DecodeStatus::OtherVersion);
  EXPECT_EQ(hello.protocolVersion, 9);
}

TEST(ClientHello, RefusesAnythingInItsPadding) {
  Wire bytes = MakeSample("", SampleHello()).bytes;
  bytes.back() = std::byte{1};
  ClientHello hello;
  EXPECT_EQ(Decode(bytes, hello), DecodeStatus::BadPadding);
}

TEST(ClientHello, CarriesTheLargestIdentity) {
  ClientHello largest = SampleHello();
  largest.identity.codecName = std::string(kMaxCodecNameBytes, 'c');
  largest.identity.plugins.assign(kMaxWirePlugins, {std::string(kMaxPluginIdBytes, 'p'), std::string(24, '9')});
  ClientHello read;
  ASSERT_EQ(Decode(MakeSample("", largest).bytes, read), DecodeStatus::Ok);
  EXPECT_EQ(read.identity, largest.identity);
}

TEST(ClientHello, RefusesNamesThatAreNoIds) {
  Wire bytes = MakeSample("", SampleHello()).bytes;
  bytes[5] = std::byte{' '};
  ClientHello hello;
  EXPECT_EQ(Decode(bytes, hello), DecodeStatus::BadText);
}

TEST(Refusals, AreNeverLargerThanTheHelloTheyAnswer) {
  Wire bytes;
  Encode(Refusal{3001, std::string(10'000, 'x')}, bytes);
  EXPECT_LE(bytes.size(), 1 + kClientHelloBytes);
}

TEST(Refusals, CutTextsBetweenCharacters) {
  std::string text(kMaxRefusalTextBytes - 1, 'x');
  text += "ë and more";
  Wire bytes;
  Encode(Refusal{3001, text}, bytes);
  Refusal read;
  ASSERT_EQ(Decode(bytes, read), DecodeStatus::Ok);
  EXPECT_EQ(read.text, std::string(kMaxRefusalTextBytes - 1, 'x'));
  EXPECT_TRUE(IsValidUtf8(read.text));
}

TEST(Refusals, EveryCodeSaysWhatToDo) {
  for (const ErrorCode code :
       {kProtocolVersionMismatch, kPluginSetDiffers, kCodecMissing, kServerFull, kTooManyFromAddress,
        kConnectRateExceeded, kBadName, kServerClosing, kHandshakeTimeout, kHandshakeMalformed, kJoinExpected,
        kServerShutdown, kKicked, kIdleTimeout, kFlood, kMalformedMessages, kBacklogExceeded}) {
    const Refusal refusal = MakeRefusal(code);
    const Error error = ToError(refusal);
    EXPECT_EQ(error.code, code);
    EXPECT_TRUE(IsRefusal(code));
    EXPECT_STREQ(error.code.name, code.name);
    EXPECT_FALSE(error.action.empty()) << code.name;
    EXPECT_TRUE(error.sentence.ends_with('.')) << error.sentence;
    EXPECT_EQ(error.sentence.find(error.action), std::string::npos) << "says its advice twice";
    EXPECT_NE(refusal.text.find(error.action), std::string::npos);
  }
}

TEST(Refusals, AnUnknownCodeStillShowsItsText) {
  const Error error = ToError({3777, "Only on Sundays."});
  EXPECT_EQ(error.code, kUnknownRefusal);
  EXPECT_EQ(error.sentence, "Only on Sundays.");
  EXPECT_FALSE(error.action.empty());
}

TEST(Notice, RefusesControlCharactersFromTheWireAndEscapesThemOnTheWay) {
  Wire bytes = MakeSample("", Notice{"ab"}).bytes;
  bytes.back() = std::byte{0x1B};
  Notice notice;
  EXPECT_EQ(Decode(bytes, notice), DecodeStatus::BadText);
  Encode(Notice{"a\nb"}, bytes);
  ASSERT_EQ(Decode(bytes, notice), DecodeStatus::Ok);
  EXPECT_EQ(notice.text, "a\\nb");
}

TEST(Archetypes, RefusesACountItsBytesCannotHold) {
  Wire bytes = MakeSample("", Archetypes{{{ArchetypeId{1}, "a"}}}).bytes;
  bytes[1] = std::byte{0xFF};
  bytes[2] = std::byte{0x0F};
  Archetypes read;
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::Truncated);
  bytes[2] = std::byte{0xFF};
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::BadLength);
}

TEST(JoinRequest, HandsOnANameThatIsNoUtf8) {
  Wire bytes = MakeSample("", JoinRequest{"ab"}).bytes;
  bytes.back() = std::byte{0xFF};
  JoinRequest read;
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::Ok);
  EXPECT_EQ(read.name, "a\xFF");
}

TEST(InputMessage, RefusesCountsIdsAndAxesOutOfRange) {
  const Wire good = EncodeInput(SampleInput());
  InputMessage read;
  Wire bytes = good;
  bytes[17] = std::byte{0};
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::BadLength);
  bytes[17] = std::byte{9};
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::BadLength);
  bytes = good;
  bytes[18 + 2] = std::byte{0x00};
  bytes[18 + 3] = std::byte{0x80};  // elevator -32768
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::BadValue);
  bytes = good;
  std::fill(bytes.end() - 4, bytes.end(), std::byte{0});
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::BadValue);
  bytes = good;
  bytes[38] = std::byte{33};
  EXPECT_EQ(Decode(bytes, read), DecodeStatus::BadLength);
}

TEST(InputMessage, ReadsTheFullestMessage) {
  InputMessage full;
  full.newestTick = Tick{1};
  full.controlCount = kMaxInputControls;
  full.needAbsoluteCount = kMaxNeedAbsolute;
  for (std::uint32_t i = 0; i < kMaxNeedAbsolute; ++i) {
    full.needAbsolute[i] = NetId{i + 1};
  }
  const Wire bytes = EncodeInput(full);
  EXPECT_EQ(bytes.size(), kMaxInputMessageBytes);
  InputMessage read;
  ASSERT_EQ(Decode(bytes, read), DecodeStatus::Ok);
  EXPECT_EQ(read.NeedAbsolute().back(), NetId{32});
}

TEST(ControlSample, ClampsAndTreatsNoNumberAsZero) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Quantise({2.0f, -2.0f, 2.0f, 0.0f, 0x10001}), (ControlSample{65535, -32767, 32767, 0, 1}));
  EXPECT_EQ(Quantise({kNan, kNan, kInf, -kInf, 0}), ControlSample{});
}

TEST(ControlSample, IsTheSameAfterARoundTrip) {
  for (int value = -32767; value <= 32767; ++value) {
    const auto axis = static_cast<std::int16_t>(value);
    const ControlSample sample{static_cast<std::uint16_t>(value + 32767), axis, axis, axis, 0};
    ASSERT_EQ(Quantise(Dequantise(sample)), sample);
  }
}

TEST(PacketHeader, KeepsTheseBytesAndRefusesFewer) {
  std::vector<std::uint8_t> bytes(kPacketHeaderBytes);
  serialization::ByteWriter writer(bytes);
  WritePacketHeader(writer, {0, 0x01020304, 0x8000000000000001, 0x0A0B});
  EXPECT_FALSE(writer.Overflowed());
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{4, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0x80, 0x0B, 0x0A}));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::span<const std::uint8_t> cut(bytes.data(), size);
    serialization::ByteReader reader(cut);
    PacketHeader header;
    EXPECT_FALSE(ReadPacketHeader(reader, header));
  }
}

TEST(PeekMessageType, KnowsOnlyItsTypes) {
  for (int value = 0; value < 256; ++value) {
    const std::byte byte{static_cast<unsigned char>(value)};
    const bool known = (value >= 1 && value <= 8) || value == 32 || value == 33;
    EXPECT_EQ(PeekMessageType(std::span(&byte, 1)) != MessageType::None, known) << value;
  }
  EXPECT_EQ(PeekMessageType({}), MessageType::None);
}

}  // namespace
}  // namespace muster::protocol
