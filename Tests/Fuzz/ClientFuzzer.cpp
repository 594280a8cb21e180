// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A player's whole way in against a server that knows the keys and means no good, on virtual time: handshake, join,
// reliable messages, snapshots, acks, time. Whatever it says, the client only goes forward, shows only what can be, works
// a bounded amount and, when it ends, says why on one line.
#include "FuzzInput.h"
#include "FuzzSeeds.h"
#include "HostileEnd.h"
#include "RepeatableRandomness.h"
#include "Support/MemoryTransport.h"

#include "Core/Utf8.h"
#include "NetClient/Client.h"
#include "Protocol/BuiltInCodec.h"
#include "Protocol/HandshakeMessages.h"
#include "Protocol/JoinMessages.h"
#include "Protocol/SnapshotMessage.h"

#include <array>
#include <chrono>
#include <memory>
#include <string>

namespace muster::fuzz {
namespace {

using namespace std::chrono_literals;
using netclient::Client;
using test::MemoryNetwork;

constexpr std::uint16_t kPort = 4'778;

std::span<const std::uint8_t> AsU8(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

netclient::ClientConfig Config() {
  netclient::ClientConfig config;
  config.name = "Ada";
  config.identity.codecName = "muster.codec.raw";
  config.identity.codecWireVersion = 1;
  return config;
}

class Stage {
 public:
  Stage() {
    auto transport = link::TransportHandle::Create(m_network.Source(1), HostileParams());
    m_server = std::make_unique<HostileEnd>(std::move(*transport), mu_connection{0}, protocol::Direction::ToClient);
    Require(m_server->Transport().Listen(MemoryNetwork::Address(kPort)).HasValue(), "the server listens");
    Require(m_client.Connect(MemoryNetwork::Address(kPort)).HasValue(), "the client connects");
    Tick(1);
  }

  void Run(FuzzInput& input) {
    while (!input.IsEmpty() && m_client.Phase() != Client::State::Closed) {
      Step(input);
      Check();
    }
    CheckWorld();
    if (m_client.Phase() != Client::State::Closed) {
      m_client.Leave();
      Tick(1);
      Check();
    }
  }

 private:
  void Step(FuzzInput& input) {
    const std::uint8_t operation = input.U8();
    switch (operation % 12) {
      case 0:
        Tick(1U + input.U8() % 16U);
        break;
      case 1:  // the client stands still
        m_clock.Advance(kTickDuration * input.U16());
        Tick(1);
        break;
      case 2: {
        const std::uint32_t channel = input.U8() % 3U;
        m_server->SendRaw(channel, input.Sized16());
        break;
      }
      case 3:
        AnswerHello(input);
        break;
      case 4:
        RefuseInClear(input);
        break;
      case 5:
        if (m_server->HasKeys()) {
          const std::uint32_t step = input.U8() % 16U == 15 ? 2U : 1U;
          m_server->SendReliable(step, input.Sized16());
        }
        break;
      case 6:
        SendPacket(input);
        break;
      case 7:
        if (m_server->HasKeys()) {
          Accept(input);
        }
        break;
      case 8:
        if (m_server->HasKeys()) {
          Tell(input);
        }
        break;
      case 9:
        SendSnapshots(input);
        break;
      case 10:
        m_server->Transport().Disconnect(m_server->Connection(), input.U32());
        break;
      default:
        Tick(1);
        break;
    }
    if (operation >= 128) {
      Tick(1);
    }
  }

  void Tick(std::uint32_t ticks) {
    for (; ticks > 0; --ticks) {
      m_clock.Advance(kTickDuration);
      std::uint32_t asked = 0;
      m_client.Update([&asked](muster::Tick) {
        ++asked;
        return mu_control{};
      });
      Require(asked <= netclient::InputClock::kMaxDue, "an update asks for a bounded number of controls");
      TakeEvents();
    }
  }

  void TakeEvents() {
    std::array<mu_transport_event, 64> events{};
    std::uint32_t count = 0;
    m_server->Transport().Service(events, count);
    for (const mu_transport_event& event : std::span(events).first(count)) {
      if (event.kind == MU_TRANSPORT_EVENT_CONNECTED) {
        m_server->SetConnection(event.connection);
      } else if (event.kind == MU_TRANSPORT_EVENT_MESSAGE && m_hello.empty()) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(event.message.data);
        m_hello.assign(bytes, bytes + event.message.size);
      }
    }
  }

  void AnswerHello(FuzzInput& input) {
    const std::uint8_t lie = input.U8();
    protocol::ClientHello theirs;
    if (protocol::Decode(m_hello, theirs) != protocol::DecodeStatus::Ok) {
      return;
    }
    const protocol::KeyExchange exchange;
    protocol::ServerHello ours;
    ours.publicKey = exchange.Public();
    if (lie % 4 == 1) {
      ours.protocolVersion = input.U16();
    } else if (lie % 4 == 2) {
      ours.publicKey = {};
    }
    std::vector<std::byte> answer;
    protocol::Encode(ours, answer);
    for (std::uint32_t edits = lie >= 128 ? input.U8() % 4U : 0; edits > 0; --edits) {
      answer[input.U8() % answer.size()] ^= std::byte{input.U8()};
    }
    const auto keys = exchange.ServerKeys(theirs.publicKey, protocol::Transcript(m_hello, answer));
    if (keys && !m_server->HasKeys()) {
      m_server->TakeKeys(*keys);
    }
    m_server->SendRaw(MU_CHANNEL_RELIABLE, AsU8(answer));
    Tick(1);
  }

  void RefuseInClear(FuzzInput& input) {
    protocol::Refusal refusal;
    refusal.code = input.U16();
    refusal.text = AsText(input.Sized8());
    std::vector<std::byte> bytes;
    protocol::Encode(refusal, bytes);
    m_server->SendRaw(MU_CHANNEL_RELIABLE, AsU8(bytes));
  }

  void SendPacket(FuzzInput& input) {
    const std::uint8_t shape = input.U8();
    protocol::PacketHeader header;
    if ((shape & 1U) != 0) {
      header.ack = (shape & 2U) != 0 ? input.U8() : input.U32();
      header.ackMask = input.U64();
      header.holdMicrosDiv32 = input.U16();
    }
    const std::uint32_t step = (shape & 4U) != 0 ? 1U + input.U32() % (1U << 24U) : 1U;
    const auto message = input.Sized16();
    if (!m_server->HasKeys()) {
      return;
    }
    if ((shape & 8U) != 0) {
      m_server->SendBarePacket(message.first(std::min<std::size_t>(message.size(), 64)));
    } else {
      m_server->SendPacket(step, header, message);
    }
  }

  void Accept(FuzzInput& input) {
    protocol::JoinAccept accept;
    accept.session = SessionId{input.U32()};
    accept.tick = muster::Tick{input.U64()};
    accept.tickHz = input.U16();
    accept.ownEntity = NetId{input.U32()};
    accept.codecName = "muster.codec.raw";
    SendMessage(accept);
  }

  void Tell(FuzzInput& input) {
    const std::uint8_t what = input.U8();
    switch (what % 4) {
      case 0:
        SendMessage(protocol::Notice{std::string{AsText(input.Sized8())}});
        break;
      case 1:
        SendMessage(protocol::Goodbye{input.U16(), std::string{AsText(input.Sized8())}});
        break;
      case 2:
        SendMessage(protocol::OwnEntity{NetId{input.U32()}});
        break;
      default: {
        std::vector<std::byte> bytes;
        const std::uint16_t code = input.U16();
        protocol::EncodeSealedRefusal({code, std::string{AsText(input.Sized8())}}, bytes);
        m_server->SendReliable(1, AsU8(bytes));
        break;
      }
    }
  }

  template <class Message>
  void SendMessage(const Message& message) {
    std::vector<std::byte> bytes;
    protocol::Encode(message, bytes);
    m_server->SendReliable(1, AsU8(bytes));
  }

  /// Well-formed snapshots whose header says anything at all about time.
  void SendSnapshots(FuzzInput& input) {
    protocol::SnapshotHeader header;
    const std::uint64_t tick = input.U64();
    header.inputTick = muster::Tick{input.U8()};
    header.inputMargin = static_cast<std::int8_t>(input.U8());
    const std::uint32_t leap = input.U8();
    for (std::uint32_t i = 0; i < 1U + leap % 16U && m_server->HasKeys(); ++i) {
      header.tick = muster::Tick{std::max<std::uint64_t>(tick + std::uint64_t{leap} * i, 1)};
      std::array<std::byte, 64> buffer{};
      protocol::SnapshotWriter writer{buffer, header};
      m_server->SendPacket(1, {}, AsU8(writer.Finish()));
      Tick(1);
    }
  }

  void Check() {
    const Client::State phase = m_client.Phase();
    Require(phase >= m_furthest, "a client only goes forward");
    m_furthest = phase;
    if (phase == Client::State::Closed && m_client.Failure()) {
      const Error& failure = *m_client.Failure();
      Require(failure.code.number != 0 && !failure.sentence.empty(), "a failure is named");
      for (const std::string& text : {failure.sentence, failure.cause, failure.action}) {
        Require(EscapeControl(text) == text, "a failure is text without tricks");
      }
    }
    Require(EscapeControl(m_client.Notice()) == m_client.Notice(), "a notice is one line of text");
    Require(m_client.Stats().roundTrip.count() >= 0, "no answer comes before its question");
    m_client.World().ClearEvents();
  }

  /// At the end only: a server may name ids so high that a walk over the table takes longer than all the rest.
  void CheckWorld() {
    std::size_t shown = 0;
    m_client.World().ForEachEntity([&shown](const netclient::ReplicatedEntity& entity) {
      ++shown;
      Require(!entity.netId.IsNull() && entity.recordTick.Value() != 0, "what is shown has an id and a time");
    });
    Require(shown == m_client.World().EntityCount(), "as many are shown as are counted");
  }

  RepeatableRandomness m_randomness;
  ManualClock m_clock{MonotonicTime{} + 100s};
  MemoryNetwork m_network{m_clock};
  std::unique_ptr<HostileEnd> m_server;
  Client m_client{Config(), m_network.Source(2), protocol::BuiltInCodec(), m_clock};
  std::vector<std::byte> m_hello;
  Client::State m_furthest = Client::State::Idle;
};

// Seeds: scripts in the form of Stage::Step.

Script Hello() {
  return Script{}.U8(3).U8(0);
}
Script Accepted() {
  return Script{}.Append(Hello()).U8(7).U32(1).U64(1'000).U16(60).U32(9).U8(0).U8(1);
}
Script Snapshot(std::uint64_t tick, std::uint8_t inputTick, std::uint8_t margin, std::size_t leap) {
  return Script{}.U8(9).U64(tick).U8(inputTick).U8(margin).U8(leap);
}
template <class Message>
Script Reliable(const Message& message) {
  std::vector<std::byte> bytes;
  protocol::Encode(message, bytes);
  return Script{}.U8(5).U8(0).Sized16(bytes);
}
Script Packet(std::span<const std::byte> message) {
  return Script{}.U8(6).U8(0).Sized16(message).U8(11);
}

/// A snapshot with one entity that comes or goes.
std::vector<std::byte> OneEntity(std::uint64_t tick, protocol::RecordKind kind) {
  std::vector<std::byte> buffer(256);
  protocol::SnapshotWriter writer{buffer, {.tick = muster::Tick{tick}, .inputTick = muster::Tick{1}}};
  mu_canonical_record record{};
  record.orientation = 3U | 511U << 2U | 511U << 12U | 511U << 22U;
  std::array<std::uint8_t, 128> body{};
  mu_encode_item item{&record, nullptr, 0, 0};
  if (kind != protocol::RecordKind::Leave) {
    protocol::BuiltInCodec().encode(&item, 1, body.data(), body.size());
  }
  protocol::RecordHead head;
  head.netId = NetId{9};
  head.kind = kind;
  head.archetype = ArchetypeId{kind == protocol::RecordKind::Spawn ? std::uint16_t{1} : std::uint16_t{0}};
  head.generation = 1;
  writer.Add(head, body.data(), item.bit_count);
  const auto message = writer.Finish();
  return {message.begin(), message.end()};
}

}  // namespace

Seeds MakeSeeds() {
  using protocol::RecordKind;
  Seeds seeds;
  const auto add = [&seeds](const char* name, const Script& script) { seeds[name] = script.Result(); };
  add("joins_and_waits", Script{}.Append(Accepted()).U8(0).U8(15));
  add("sees_an_entity", Script{}
                            .Append(Accepted())
                            .Append(Packet(OneEntity(1'001, RecordKind::Spawn)))
                            .Append(Packet(OneEntity(1'002, RecordKind::Update)))
                            .Append(Packet(OneEntity(1'003, RecordKind::Leave))));
  add("asks_for_what_it_lacks", Script{}
                                    .Append(Accepted())
                                    .Append(Packet(OneEntity(1'001, RecordKind::Update)))
                                    .U8(0)
                                    .U8(7)
                                    .Append(Packet(OneEntity(1'009, RecordKind::Spawn))));
  add("is_told_everything", Script{}
                                .Append(Accepted())
                                .U8(8)
                                .U8(0)
                                .Sized8("welcome\nhere")
                                .U8(8)
                                .U8(2)
                                .U32(9)
                                .Append(Reliable(protocol::Archetypes{{{ArchetypeId{1}, "builtin:trainer"}}}))
                                .U8(8)
                                .U8(1)
                                .U16(3'034)
                                .Sized8("be nicer\x1b"));
  add("is_refused", Script{}.Append(Hello()).U8(8).U8(3).U16(3'036).Sized8("no").U8(0).U8(1));
  add("is_refused_in_clear", Script{}.U8(4).U16(3'001).Sized8("other version").U8(0).U8(1));
  add("lies_in_the_hello", Script{}.U8(3).U8(1).U16(9).U8(0).U8(1));
  add("key_of_zero", Script{}.U8(3).U8(2).U8(0).U8(1));
  add("changed_hello", Script{}.U8(3).U8(128).U8(1).U8(40).U8(1).U8(0).U8(1));
  add("garbage_in_clear", Script{}
                              .U8(2)
                              .U8(1)
                              .U16(3)
                              .Text("\x01\x02z")
                              .U8(0)
                              .U8(1)
                              .Append(Accepted())
                              .U8(2)
                              .U8(0)
                              .U16(4)
                              .Text("\x02zzz")
                              .U8(0)
                              .U8(1));
  add("gap_in_the_stream", Script{}.Append(Accepted()).U8(5).U8(15).U16(1).U8(4).U8(0).U8(1));
  add("acks_that_lie", Script{}
                           .Append(Accepted())
                           .Append(Snapshot(1'001, 0, 0, 1))
                           .U8(6)
                           .U8(1)
                           .U32(0xFFFF'FFFF)
                           .U64(~std::uint64_t{0})
                           .U16(9)
                           .U16(1)
                           .U8(33)
                           .U8(6)
                           .U8(3)
                           .U8(1)
                           .U64(0)
                           .U16(0)
                           .U16(1)
                           .U8(33)
                           .U8(0)
                           .U8(1));
  add("packets_without_header",
      Script{}.Append(Accepted()).Repeat(3, Script{}.U8(6).U8(8).U16(5).Text("short")).U8(0).U8(1));
  add("time_leaps", Script{}
                        .Append(Accepted())
                        .Append(Snapshot(~std::uint64_t{0} - 9, 1, 0x80, 1))
                        .Append(Snapshot((std::uint64_t{1} << 63U) - 2, 1, 0x7F, 15))
                        .U8(1)
                        .U16(600));
  add("answers_agree_on_late", Script{}
                                   .Append(Accepted())
                                   .Append(Snapshot(1'001, 0, 0, 1))
                                   .U8(1)
                                   .U16(60)
                                   .Append(Snapshot(1'002, 1, 0x80, 15))
                                   .Append(Snapshot(2'000, 1, 0x7F, 15)));
  add("server_is_silent", Script{}.U8(1).U16(400));
  add("no_answer_to_the_join", Script{}.Append(Hello()).U8(1).U16(400));
  add("closes_the_line", Script{}.Append(Accepted()).U8(10).U32(6).U8(0).U8(1));
  return seeds;
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::FuzzInput input(data, size);
  muster::fuzz::Stage{}.Run(input);
  return 0;
}
