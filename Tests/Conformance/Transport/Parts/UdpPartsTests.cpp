// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The parts of the UDP transport without a socket: what bytes may mean, cookies, and the reliable channel's two halves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <string>

#include "Cookie.h"
#include "ReliableReceive.h"
#include "ReliableSend.h"
#include "SequenceWindow.h"
#include "Socket.h"
#include "UsedIds.h"
#include "Wire.h"

namespace muster::udp {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kMilli = 1'000'000;

template <class Write>
Bytes Written(Write&& write) {
  std::array<std::uint8_t, kMaxDatagramBytes> room{};
  ByteWriter writer{room};
  write(writer);
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(writer.Size())};
}

/// Whether the whole datagram is one that a sender of ours could have made.
bool IsSound(std::span<const std::uint8_t> bytes) {
  ByteReader reader{bytes};
  const std::optional<Head> head = ReadHead(reader);
  if (!head) {
    return false;
  }
  switch (head->kind) {
    case Kind::Request:
    case Kind::Response:
      return ReadHello(reader, head->kind).has_value();
    case Kind::Challenge:
      return ReadChallenge(reader).has_value();
    case Kind::Accept:
      return ReadWelcome(reader).has_value();
    case Kind::Refuse:
    case Kind::Close:
      return ReadCode(reader).has_value();
    case Kind::Data:
      return ReadData(reader, head->flags).has_value();
    case Kind::CloseAck:
      return reader.Rest().empty();
  }
  return false;
}

Bytes DataDatagram() {
  return Written([](ByteWriter& writer) {
    WriteHead(writer, {Kind::Data, kFlagAck | kFlagFrames | kFlagMessage, 0x1234});
    writer.Put(std::uint32_t{7});
    Ack ack;
    ack.next = 3;
    ack.wordCount = 2;
    ack.words[1] = 5;
    WriteAck(writer, ack);
    writer.Put(std::uint8_t{2});
    const Bytes piece{1, 2, 3};
    WriteFrame(writer, {9, true, false, piece});
    WriteFrame(writer, {10, false, true, piece});
    writer.PutBytes(Bytes{42, 43});
  });
}

TEST(UdpWire, ReadsWhatItWrote) {
  const Bytes bytes = DataDatagram();
  ByteReader reader{bytes};
  const std::optional<Head> head = ReadHead(reader);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->id, 0x1234u);
  const std::optional<Data> data = ReadData(reader, head->flags);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->number, 7u);
  ASSERT_TRUE(data->ack);
  EXPECT_EQ(data->ack->next, 3u);
  EXPECT_TRUE(data->ack->Has(64));
  EXPECT_TRUE(data->ack->Has(66));
  EXPECT_FALSE(data->ack->Has(65));
  EXPECT_FALSE(data->ack->Has(200));
  std::span<const std::uint8_t> frames = data->frames;
  const Frame first = NextFrame(frames);
  const Frame second = NextFrame(frames);
  EXPECT_EQ(first.sequence, 9u);
  EXPECT_TRUE(first.isFirst && !first.isLast && second.isLast && !second.isFirst);
  EXPECT_EQ(second.bytes.size(), 3u);
  EXPECT_TRUE(frames.empty());
  EXPECT_EQ(Bytes(data->message.begin(), data->message.end()), (Bytes{42, 43}));
}

TEST(UdpWire, AnswersAreNeverLongerThanWhatAsksForThem) {
  const Bytes request = Written([](ByteWriter& writer) {
    WriteHello(writer, Kind::Request, {kWireVersion, 1200, 1, 0});
  });
  EXPECT_EQ(request.size(), kRequestBytes);
  EXPECT_TRUE(IsSound(request));
  EXPECT_LE(Written([](ByteWriter& writer) { WriteChallenge(writer, 1, 2); }).size(), request.size());
  EXPECT_LE(Written([](ByteWriter& writer) { WriteWelcome(writer, 1, {2, 1200}); }).size(), request.size());
  EXPECT_LE(Written([](ByteWriter& writer) { WriteCode(writer, Kind::Refuse, 1, 2); }).size(), request.size());
}

TEST(UdpWire, RefusesEveryTruncationOfWhatHasAnEnd) {
  const Bytes all[] = {
      Written([](ByteWriter& writer) {
        WriteHello(writer, Kind::Request, {kWireVersion, 1200, 1, 0});
      }),
      Written([](ByteWriter& writer) {
        WriteHello(writer, Kind::Response, {kWireVersion, 1200, 1, 9});
      }),
      Written([](ByteWriter& writer) { WriteChallenge(writer, 1, 2); }),
      Written([](ByteWriter& writer) {
        WriteWelcome(writer, 1, {2, 1200});
      }),
      Written([](ByteWriter& writer) { WriteCode(writer, Kind::Close, 1, 2); }),
  };
  for (const Bytes& whole : all) {
    EXPECT_TRUE(IsSound(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(IsSound(std::span{whole}.first(size))) << size;
    }
    Bytes longer = whole;
    longer.push_back(0);
    EXPECT_FALSE(IsSound(longer));
  }
}

TEST(UdpWire, RefusesDataThatPromisesMoreThanItHolds) {
  const Bytes whole = DataDatagram();
  // All up to the message, which may have any length.
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    EXPECT_FALSE(IsSound(std::span{whole}.first(size))) << size;
  }
}

TEST(UdpWire, RefusesFieldsOutOfRange) {
  const auto hello = [](Hello fields, Kind kind) {
    return IsSound(Written([&](ByteWriter& writer) { WriteHello(writer, kind, fields); }));
  };
  EXPECT_TRUE(hello({kWireVersion, 576, 1, 0}, Kind::Request));
  EXPECT_FALSE(hello({kWireVersion, 575, 1, 0}, Kind::Request));
  EXPECT_FALSE(hello({kWireVersion, 1401, 1, 0}, Kind::Request));
  EXPECT_FALSE(hello({kWireVersion, 576, 0, 0}, Kind::Request)) << "no id";
  EXPECT_FALSE(hello({kWireVersion, 576, kIdMask + 1, 0}, Kind::Request)) << "an id of more than 56 bits";
  EXPECT_FALSE(hello({kWireVersion, 576, 1, 5}, Kind::Request)) << "a request has no cookie";
  const auto data = [](std::uint8_t flags, const Bytes& rest) {
    return IsSound(Written([&](ByteWriter& writer) {
      WriteHead(writer, {Kind::Data, flags, 1});
      writer.Put(std::uint32_t{0});
      writer.PutBytes(rest);
    }));
  };
  EXPECT_TRUE(data(0, {}));
  EXPECT_FALSE(data(0, {1})) << "left over";
  EXPECT_FALSE(data(0x80, {})) << "a flag that does not exist";
  EXPECT_FALSE(data(kFlagAck, {0, 0, 0, 0, 5})) << "more words than the window";
  EXPECT_FALSE(data(kFlagFrames, {0})) << "no pieces at all";
  EXPECT_FALSE(data(kFlagFrames, {1, 0, 0, 0, 0, 0, 0x80})) << "an empty piece of a longer message";
  EXPECT_TRUE(data(kFlagFrames, {1, 0, 0, 0, 0, 0, 0xc0})) << "an empty message";
  EXPECT_FALSE(data(kFlagFrames, {1, 0, 0, 0, 0, 1, 0xe0, 9})) << "a reserved bit";
  EXPECT_FALSE(data(kFlagFrames, {1, 0, 0, 0, 0, 2, 0xc0, 9})) << "longer than the datagram";
}

TEST(UdpWire, SurvivesRandomBytes) {
  std::mt19937 random{7};
  std::size_t sound = 0;
  for (int i = 0; i < 200'000; ++i) {
    Bytes bytes(random() % 80);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random()); });
    if (bytes.size() > 8 && i % 2 == 0) {
      bytes[0] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(Kind::Data) | (random() % 8) << 4);
    }
    sound += IsSound(bytes) ? 1U : 0U;
  }
  EXPECT_GT(sound, 0u) << "a message may be anything";
}

TEST(UdpCookie, HashesAsTheAuthorsOfSipHashSay) {
  const SipKey key{0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
  Bytes bytes;
  for (std::uint8_t i = 0; i < 15; ++i) {
    bytes.push_back(i);
  }
  EXPECT_EQ(SipHash(key, bytes), 0xa129ca6149be45e5u);
  EXPECT_EQ(SipHash(key, {}), 0x726fdb47dd0e0e31u);
}

TEST(UdpCookie, IsGoodForItsAddressItsIdAndAWhile) {
  const CookieMint mint{MakeSipKey(1)};
  mu_address from{};
  from.ip[15] = 1;
  from.port = 4000;
  const std::uint64_t now = 100 * CookieMint::kSlotNs + 5;
  const std::uint64_t cookie = mint.Make(from, 77, now);
  EXPECT_TRUE(mint.IsGood(cookie, from, 77, now));
  EXPECT_TRUE(mint.IsGood(cookie, from, 77, now + CookieMint::kSlotNs));
  EXPECT_FALSE(mint.IsGood(cookie, from, 77, now + 2 * CookieMint::kSlotNs)) << "stale";
  EXPECT_FALSE(mint.IsGood(cookie, from, 78, now)) << "another id";
  EXPECT_FALSE(mint.IsGood(cookie + 1, from, 77, now));
  mu_address other = from;
  other.port = 4001;
  EXPECT_FALSE(mint.IsGood(cookie, other, 77, now)) << "another port";
  other = from;
  other.ip[0] = 1;
  EXPECT_FALSE(mint.IsGood(cookie, other, 77, now)) << "another address";
  EXPECT_FALSE(CookieMint{MakeSipKey(1)}.IsGood(cookie, from, 77, now)) << "another start of the server";
}

TEST(SequenceWindow, TakesEachNumberOnceWhateverTheOrder) {
  for (const std::uint32_t first : {0u, 0xffff'fe00u, 0x7fff'ff00u}) {
    SequenceWindow window{first};
    std::vector<std::uint32_t> numbers(5'000);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = first + i;
    }
    std::mt19937 random{3};
    for (std::size_t begin = 0; begin < numbers.size(); begin += 500) {
      const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(begin);
      std::shuffle(from, from + 500, random);
    }
    for (const std::uint32_t number : numbers) {
      EXPECT_TRUE(window.Take(number));
      EXPECT_FALSE(window.Take(number));
    }
    EXPECT_FALSE(window.Take(first)) << "too long ago to know";
    EXPECT_FALSE(window.Take(first - 1)) << "before the first";
    EXPECT_TRUE(window.Take(first + 1'000'000));
    EXPECT_TRUE(window.Take(first + 1'000'000 - SequenceWindow::kSize + 1));
    EXPECT_FALSE(window.Take(first + 1'000'000 - SequenceWindow::kSize));
  }
}

/// Two halves and a line that loses, repeats and reorders datagrams in both directions.
struct Channel {
  explicit Channel(std::uint32_t first) : send{first}, receive{100'000, first} {}

  void Step(std::mt19937& random, unsigned lossPercent) {
    now += 10 * kMilli;
    send.CheckTimers(now);
    while (send.HasDue()) {
      Bytes bytes(1'200);
      ByteWriter writer{bytes};
      const std::uint32_t frames = send.WriteDue(writer, now);
      ASSERT_GT(frames, 0u);
      bytes.resize(writer.Size());
      for (int copies = random() % 100 < 10 ? 2 : 1; copies > 0; --copies) {
        if (random() % 100 >= lossPercent) {
          line.emplace_back(frames, bytes);
        }
      }
    }
    std::shuffle(line.begin(), line.end(), random);
    for (const auto& [frames, bytes] : line) {
      std::span<const std::uint8_t> rest = bytes;
      for (std::uint32_t i = 0; i < frames; ++i) {
        ASSERT_EQ(receive.Take(NextFrame(rest), whole), ReliableReceive::Outcome::Taken);
      }
      if (random() % 100 >= lossPercent) {
        acks.push_back(receive.MakeAck());
      }
    }
    line.clear();
    std::shuffle(acks.begin(), acks.end(), random);
    for (const Ack& ack : acks) {
      ASSERT_TRUE(send.Acknowledge(ack, now + 5 * kMilli));
    }
    acks.clear();
  }

  ReliableSend send;
  ReliableReceive receive;
  std::uint64_t now = kMilli;
  std::vector<std::pair<std::uint32_t, Bytes>> line;
  std::vector<Ack> acks;
  std::vector<Bytes> whole;
};

TEST(ReliableChannel, DeliversEverythingOnceAndInOrderOverEveryLine) {
  for (const std::uint32_t first : {0u, 0xffff'fff0u, 0x7fff'fff0u}) {
    for (const unsigned lossPercent : {0u, 10u, 40u}) {
      std::mt19937 random{first + lossPercent};
      Channel channel{first};
      std::vector<Bytes> sent;
      for (std::size_t i = 0; i < 300; ++i) {
        sent.emplace_back((i * 977) % 6'000, static_cast<std::uint8_t>(i));
        channel.send.Queue(sent.back(), 1'100);
      }
      for (int step = 0; step < 20'000 && !channel.send.IsEmpty(); ++step) {
        ASSERT_NO_FATAL_FAILURE(channel.Step(random, lossPercent));
      }
      EXPECT_EQ(channel.whole, sent) << lossPercent;
      EXPECT_EQ(channel.send.BacklogBytes(), 0u);
      EXPECT_EQ(channel.send.TakeResent() > 0, lossPercent > 0) << "nothing is sent twice over a good line";
    }
  }
}

TEST(ReliableSend, RefusesAcknowledgementsOfWhatItNeverSent) {
  ReliableSend send;
  for (int i = 0; i < 100; ++i) {
    send.Queue(Bytes(1'000, 1), 1'100);
  }
  Bytes room(1'200);
  ByteWriter writer{room};
  ASSERT_EQ(send.WriteDue(writer, kMilli), 1u);
  Ack ack;
  ack.next = 2;
  EXPECT_FALSE(send.Acknowledge(ack, kMilli));
  ack.next = 0;
  ack.wordCount = 1;
  ack.words[0] = 1;
  EXPECT_FALSE(send.Acknowledge(ack, kMilli)) << "piece 1 has not left";
  ack.next = UINT32_MAX;
  EXPECT_TRUE(send.Acknowledge(ack, kMilli)) << "of the past: nothing new";
  EXPECT_EQ(send.BacklogBytes(), 100'000u);
  ack = Ack{};
  ack.next = 1;
  EXPECT_TRUE(send.Acknowledge(ack, kMilli));
  EXPECT_EQ(send.BacklogBytes(), 99'000u);
}

TEST(ReliableSend, WaitsLongerEachTime) {
  ReliableSend send;
  send.Queue(Bytes(10, 1), 1'100);
  std::vector<std::uint64_t> sentAt;
  Bytes room(1'200);
  for (std::uint64_t now = kMilli; now < 20'000 * kMilli; now += kMilli) {
    send.CheckTimers(now);
    if (send.HasDue()) {
      ByteWriter writer{room};
      send.WriteDue(writer, now);
      sentAt.push_back(now / kMilli);
    }
  }
  ASSERT_GE(sentAt.size(), 6u);
  EXPECT_EQ(sentAt[1] - sentAt[0], 300u);
  EXPECT_EQ(sentAt[2] - sentAt[1], 600u);
  EXPECT_EQ(sentAt[3] - sentAt[2], 1'200u);
  EXPECT_EQ(sentAt[4] - sentAt[3], 2'000u) << "never longer than that";
}

TEST(ReliableSend, KeepsFewPiecesUnderWayUntilTheyArrive) {
  ReliableSend send;
  for (int i = 0; i < 1'000; ++i) {
    send.Queue(Bytes(1'000, 1), 1'100);
  }
  std::uint32_t datagrams = 0;
  Bytes room(1'200);
  while (send.HasDue()) {
    ByteWriter writer{room};
    send.WriteDue(writer, kMilli);
    ++datagrams;
  }
  EXPECT_EQ(datagrams, 16u);
  Ack ack;
  ack.next = 16;
  EXPECT_TRUE(send.Acknowledge(ack, 20 * kMilli));
  for (datagrams = 0; send.HasDue(); ++datagrams) {
    ByteWriter writer{room};
    send.WriteDue(writer, 20 * kMilli);
  }
  EXPECT_EQ(datagrams, 32u) << "slow start doubles";
}

TEST(ReliableReceive, KeepsNothingBeyondItsWindow) {
  ReliableReceive receive{1'000};
  std::vector<Bytes> whole;
  const Bytes piece(10, 1);
  EXPECT_EQ(receive.Take({kReliableWindow, true, true, piece}, whole), ReliableReceive::Outcome::Outside);
  EXPECT_EQ(receive.Take({kReliableWindow - 1, true, true, piece}, whole), ReliableReceive::Outcome::Taken);
  EXPECT_EQ(receive.MakeAck().next, 0u);
  EXPECT_TRUE(receive.MakeAck().Has(kReliableWindow - 2));
  EXPECT_TRUE(whole.empty());
}

TEST(ReliableReceive, RefusesStreamsThatCannotBe) {
  const Bytes piece(600, 1);
  std::vector<Bytes> whole;
  ReliableReceive middle{1'000};
  EXPECT_EQ(middle.Take({0, false, true, piece}, whole), ReliableReceive::Outcome::Impossible) << "no beginning";
  ReliableReceive again{1'000};
  EXPECT_EQ(again.Take({0, true, false, piece}, whole), ReliableReceive::Outcome::Taken);
  EXPECT_EQ(again.Take({1, true, false, piece}, whole), ReliableReceive::Outcome::Impossible) << "two beginnings";
  ReliableReceive large{1'000};
  EXPECT_EQ(large.Take({1, false, true, piece}, whole), ReliableReceive::Outcome::Taken) << "early";
  EXPECT_EQ(large.Take({0, true, false, piece}, whole), ReliableReceive::Outcome::Impossible) << "1,200 of 1,000 bytes";
  EXPECT_TRUE(whole.empty());
}

TEST(UdpUsedIds, AreKeptUntilNoCookieIsGoodAndNotLonger) {
  UsedIds ids{SipKey{1, 2}};
  for (std::uint64_t id = 1; id <= UsedIds::kMost; ++id) {
    ASSERT_FALSE(ids.IsFull());
    ids.Remember(id, 1'000 + id, 7);
  }
  EXPECT_TRUE(ids.IsFull());
  ids.Forget(6 + 2 * CookieMint::kSlotNs);
  EXPECT_EQ(ids.Find(1), 1'001u);
  EXPECT_EQ(ids.Find(UsedIds::kMost), 1'000 + UsedIds::kMost);
  EXPECT_EQ(ids.Find(UsedIds::kMost + 1), 0u);
  ids.Forget(7 + 2 * CookieMint::kSlotNs);
  EXPECT_EQ(ids.Find(1), 0u);
  EXPECT_FALSE(ids.IsFull());
}

/// A kernel whose socket takes so many datagrams, and nothing that begins with 'x'.
struct FakeSocket {
  static inline std::size_t room = 0;
  static inline std::string sent{};

  static int Send(int /*handle*/, mmsghdr* datagrams, unsigned int count) {
    int left = 0;
    for (unsigned int i = 0; i < count; ++i, ++left, --room) {
      const char first = *static_cast<const char*>(datagrams[i].msg_hdr.msg_iov->iov_base);
      if (room == 0 || first == 'x') {
        errno = room == 0 ? EAGAIN : ENETUNREACH;
        return left == 0 ? -1 : left;
      }
      sent += first;
    }
    return left;
  }
};

void Queue(SendBatch& batch, std::string_view letters, std::size_t bytes = 100) {
  for (const char letter : letters) {
    std::ranges::fill(batch.Begin(bytes), static_cast<std::uint8_t>(letter));
    batch.Commit(SocketAddress{}, bytes);
  }
}

TEST(UdpSendBatch, WaitsForAFullSocketAndKeepsTheOrder) {
  const UdpSocket socket;
  SendBatch batch;
  FakeSocket::sent.clear();
  FakeSocket::room = 2;
  Queue(batch, "axbcd");
  SendBatch::Outcome outcome = batch.Send(socket, &FakeSocket::Send);
  EXPECT_EQ(outcome.datagrams, 2u);
  EXPECT_EQ(outcome.bytes, 200u);
  EXPECT_EQ(outcome.errors, 1u) << "nobody can be reached there";
  EXPECT_EQ(batch.Count(), 2u);
  Queue(batch, "e");
  outcome = batch.Send(socket, &FakeSocket::Send);
  EXPECT_EQ(outcome.datagrams, 0u) << "still full";
  FakeSocket::room = 100;
  outcome = batch.Send(socket, &FakeSocket::Send);
  EXPECT_EQ(outcome.datagrams, 3u);
  EXPECT_EQ(outcome.errors, 0u);
  EXPECT_EQ(FakeSocket::sent, "abcde");
  EXPECT_EQ(batch.Count(), 0u);
}

TEST(UdpSendBatch, GivesUpWhatASocketThatStaysFullCannotTake) {
  const UdpSocket socket;
  SendBatch batch;
  FakeSocket::room = 0;
  Queue(batch, std::string(SendBatch::kMostWaitingBytes / 1'000, 'a'), 1'000);
  EXPECT_EQ(batch.Send(socket, &FakeSocket::Send).errors, 0u);
  Queue(batch, "b", 1'000);
  EXPECT_EQ(batch.Send(socket, &FakeSocket::Send).errors, SendBatch::kMostWaitingBytes / 1'000 + 1);
  EXPECT_EQ(batch.Count(), 0u);
}

}  // namespace
}  // namespace muster::udp
