// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Every decoder of Protocol over every input. Whatever a decoder takes has one form only: encoded again it must be the
// same bytes, so that no two packets mean the same and nothing hides in a message. The same bytes, read as a script, also
// drive the two windows of acks, where every sequence must get one verdict at most.
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include "Protocol/Acks.h"
#include "Protocol/HandshakeMessages.h"
#include "Protocol/InputMessage.h"
#include "Protocol/JoinMessages.h"
#include "Protocol/SnapshotMessage.h"

#include <array>
#include <set>
#include <vector>

namespace muster::fuzz {
namespace {

using protocol::DecodeStatus;
using Bytes = std::span<const std::byte>;

void RequireSame(Bytes first, Bytes second) {
  Require(std::equal(first.begin(), first.end(), second.begin(), second.end()), "what is taken has one form only");
}

template <class Message>
void RoundTrip(Bytes input) {
  Message message{};
  if (protocol::Decode(input, message) == DecodeStatus::Ok) {
    std::vector<std::byte> again;
    protocol::Encode(message, again);
    RequireSame(input, again);
  }
}

void RoundTripInput(Bytes input) {
  protocol::InputMessage message{};
  if (protocol::Decode(input, message) == DecodeStatus::Ok) {
    std::array<std::byte, protocol::kMaxInputMessageBytes> again{};
    const std::size_t size = protocol::Encode(message, again);
    RequireSame(input, Bytes(again).first(size));
  }
}

void RoundTripSealedRefusal(Bytes input) {
  protocol::Refusal message{};
  if (protocol::DecodeSealedRefusal(input, message) == DecodeStatus::Ok) {
    std::vector<std::byte> again;
    protocol::EncodeSealedRefusal(message, again);
    RequireSame(input, again);
  }
}

/// Bodies are the codec's; here each has as many bits as its id says.
std::uint32_t BodyBits(const protocol::RecordHead& head) {
  return head.kind == protocol::RecordKind::Leave ? 0U : 1U + head.netId.Value() % 60U;
}

void RoundTripSnapshot(Bytes input) {
  struct Record {
    protocol::RecordHead head;
    std::array<std::uint8_t, 8> body{};
  };
  protocol::SnapshotReader reader{input};
  protocol::SnapshotHeader header;
  if (reader.ReadHeader(header) != DecodeStatus::Ok) {
    return;
  }
  std::vector<Record> records;
  protocol::RecordHead head;
  while (reader.ReadRecord(head)) {
    Record record{head, {}};
    serialization::BitReader bits{{reinterpret_cast<const std::uint8_t*>(input.data()), input.size()}};
    bits.Skip(reader.BodyBit());
    const std::uint64_t body = bits.ReadBits(BodyBits(head));
    for (std::size_t i = 0; i < record.body.size(); ++i) {
      record.body[i] = static_cast<std::uint8_t>(body >> (8 * i));
    }
    reader.SkipBody(BodyBits(head));
    records.push_back(record);
  }
  if (reader.Status() != DecodeStatus::Ok) {
    return;
  }
  std::vector<std::byte> buffer(input.size() + 64);
  protocol::SnapshotWriter writer{buffer, header};
  for (const Record& record : records) {
    Require(writer.Add(record.head, record.body.data(), BodyBits(record.head)), "what was read fits again");
  }
  RequireSame(input, writer.Finish());
}

void Acks(FuzzInput input) {
  protocol::SendWindow sent;
  protocol::ReceiveWindow received;
  std::set<std::uint32_t> acked;
  std::set<std::uint32_t> seen;
  std::uint32_t newest = 0;
  std::uint32_t lostBelow = 1;
  MonotonicTime now{};
  while (!input.IsEmpty()) {
    const std::uint8_t operation = input.U8();
    now += std::chrono::microseconds{operation};
    if (operation % 3 == 0) {
      newest += 1U + operation / 3 % 8U;
      sent.OnSent(newest, now);
    } else if (operation % 3 == 1) {
      const std::uint32_t sequence = (operation & 0x80U) != 0 ? input.U32() : input.U16();
      const auto verdict = received.Receive(sequence);
      const bool isNew = verdict == protocol::ReceiveWindow::Verdict::New;
      Require(!isNew || seen.insert(sequence).second, "a sequence is new once");
      Require(received.Check(sequence) != protocol::ReceiveWindow::Verdict::New, "what came is not new again");
    } else {
      const std::uint32_t ack =
          (operation & 0x80U) != 0 ? input.U32() : newest - std::min<std::uint32_t>(newest, input.U8());
      const std::uint64_t mask = input.U64();
      const auto report = sent.OnAck(ack, mask, std::chrono::microseconds{input.U8()}, now);
      Require(!report || ack <= newest, "nobody acknowledges what was never given out");
      for (std::uint32_t bit = 0; report && bit < protocol::kAckWindow; ++bit) {
        if ((report->newlyAcked >> bit & 1U) != 0) {
          Require(report->newest >= bit + 1, "there is no sequence before the first");
          Require(acked.insert(report->newest - bit).second, "a sequence is acknowledged once");
          Require(report->newest - bit >= lostBelow, "what is lost stays lost");
        }
      }
      if (report) {
        Require(report->lostBelow >= lostBelow, "what is lost stays lost");
        Require(!report->roundTrip || report->roundTrip->count() >= 0, "no answer comes before its question");
        lostBelow = report->lostBelow;
      }
    }
    Require(sent.Acked() == acked.size() && sent.Acked() + sent.Lost() <= sent.Sent(), "each has one verdict at most");
  }
}

}  // namespace

Seeds MakeSeeds() {
  Seeds seeds;
  const auto add = [&seeds](const char* name, const auto& message) {
    std::vector<std::byte> bytes;
    protocol::Encode(message, bytes);
    seeds[name] = Script{}.Bytes(std::span<const std::byte>(bytes)).Result();
  };
  protocol::ClientHello hello;
  hello.identity.codecName = "muster.codec.raw";
  hello.identity.codecWireVersion = 1;
  hello.identity.plugins = {{"muster.codec.raw", "1.0.0"}, {"mod.a", "2.1"}};
  hello.publicKey.fill(std::byte{7});
  add("client_hello", hello);
  add("server_hello", protocol::ServerHello{});
  add("refusal_clear", protocol::RefuseFull(32));
  add("join_request", protocol::JoinRequest{"Zo\xC3\xAB"});
  add("join_accept",
      protocol::JoinAccept{SessionId{7}, Tick{1'000}, 60, NetId{9}, "muster.codec.raw", 1, 1'200, 200'000});
  add("goodbye", protocol::Goodbye{3'031, "bye"});
  add("notice", protocol::Notice{"Server restarts at noon."});
  add("leave", protocol::Leave{});
  add("own_entity", protocol::OwnEntity{NetId{5}});
  add("archetypes", protocol::Archetypes{{{ArchetypeId{1}, "fighter"}, {ArchetypeId{4}, "drone"}}});
  std::vector<std::byte> sealed;
  protocol::EncodeSealedRefusal(protocol::MakeRefusal(protocol::kBadName), sealed);
  seeds["refusal_sealed"] = Script{}.Bytes(std::span<const std::byte>(sealed)).Result();

  protocol::InputMessage input;
  input.newestTick = Tick{1'000};
  input.newestSnapshotTick = Tick{990};
  input.controlCount = 2;
  input.controls[0] = {65'535, -32'767, 1, 0, 1};
  input.needAbsoluteCount = 1;
  input.needAbsolute[0] = NetId{0x01020304};
  std::array<std::byte, protocol::kMaxInputMessageBytes> bytes{};
  const std::size_t size = protocol::Encode(input, bytes);
  seeds["input"] = Script{}.Bytes(Bytes(bytes).first(size)).Result();

  std::vector<std::byte> buffer(256);
  protocol::SnapshotWriter writer{buffer, {.tick = Tick{100}, .inputTick = Tick{90}, .inputMargin = -1}};
  const std::array<std::uint8_t, 8> body{0xAA, 0x55, 0xAA, 0x55, 0xAA, 0x55, 0xAA, 0x05};
  for (std::uint32_t i = 1; i <= 6; ++i) {
    protocol::RecordHead head;
    head.netId = NetId{i * 5};
    head.kind = static_cast<protocol::RecordKind>(1 + i % 3);
    head.archetype = ArchetypeId{static_cast<std::uint16_t>(head.kind == protocol::RecordKind::Spawn ? 1 : 0)};
    writer.Add(head, body.data(), BodyBits(head));
  }
  seeds["snapshot"] = Script{}.Bytes(Bytes(writer.Finish())).Result();

  seeds["acks_in_order"] =
      Script{}.Repeat(8, Script{}.U8(0).U8(1).U16(1).U8(2).U8(0).U64(~std::uint64_t{0}).U8(3)).Result();
  seeds["acks_out_of_order"] = Script{}
                                   .Repeat(90, Script{}.U8(0))
                                   .U8(2)
                                   .U8(40)
                                   .U64(0x5555)
                                   .U8(0)
                                   .U8(2)
                                   .U8(0)
                                   .U64(3)
                                   .U8(1)
                                   .U8(1)
                                   .U16(70)
                                   .U8(1)
                                   .U16(3)
                                   .U8(1)
                                   .U16(200)
                                   .U8(130 | 1U)
                                   .U32(0xFFFF'FFFF)
                                   .U8(0x82)
                                   .U32(0xFFFF'FFFF)
                                   .U64(1)
                                   .U8(0)
                                   .Result();
  return seeds;
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::Bytes input = std::as_bytes(std::span<const std::uint8_t>(data, size));
  fuzz::RoundTrip<protocol::ClientHello>(input);
  fuzz::RoundTrip<protocol::ServerHello>(input);
  fuzz::RoundTrip<protocol::JoinRequest>(input);
  fuzz::RoundTrip<protocol::JoinAccept>(input);
  fuzz::RoundTrip<protocol::Goodbye>(input);
  fuzz::RoundTrip<protocol::Notice>(input);
  fuzz::RoundTrip<protocol::Leave>(input);
  fuzz::RoundTrip<protocol::OwnEntity>(input);
  fuzz::RoundTrip<protocol::Archetypes>(input);
  fuzz::RoundTripSealedRefusal(input);
  fuzz::RoundTripInput(input);
  fuzz::RoundTripSnapshot(input);
  fuzz::Acks(fuzz::FuzzInput(data, size));
  protocol::HandshakeType type{};
  (void)protocol::PeekHandshake(input, type);
  (void)protocol::PeekMessageType(input);
  return 0;
}
