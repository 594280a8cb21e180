// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server's whole way in, from the raw datagram to the player's session, on virtual time: the input is a script of
// what three hostile ends with keys of their own, a crowd of addresses and a forger in an honest player's name do.
// Whatever they do, each delivery is counted once, limits hold, and the honest player plays on as if alone.
#include "FuzzInput.h"
#include "HostileEnd.h"
#include "RepeatableRandomness.h"
#include "ServerWorld.h"
#include "Support/MemoryTransport.h"

#include "Core/Log.h"
#include "Core/Utf8.h"
#include "Link/Address.h"
#include "Link/ClientLink.h"
#include "Link/ServerLink.h"
#include "Protocol/HandshakeMessages.h"
#include "Protocol/InputMessage.h"
#include "Protocol/JoinMessages.h"
#include "Sessions/SessionDirectory.h"

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace muster::fuzz {
namespace {

using namespace std::chrono_literals;
using link::DropReason;
using test::MemoryNetwork;

class Stage {
 public:
  Stage() {
    Require(m_link.Listen(MemoryNetwork::Address(kPort)).HasValue(), "the server listens");
    link::ClientLinkConfig config;
    config.identity = Identity();
    config.maxMessageBytes = kMaxMessageBytes;
    config.eventRingBytes = std::size_t{64} << 10U;
    m_honest = std::make_unique<link::ClientLink>(m_network.Source(1), config, m_clock);
    Require(m_honest->Connect(MemoryNetwork::Address(kPort)).HasValue(), "the honest player connects");
    for (int i = 0; i < 3; ++i) {
      m_link.Service();
      m_honest->Service();
    }
    std::vector<std::byte> join;
    protocol::Encode(protocol::JoinRequest{"Honest"}, join);
    Require(m_honest->SendReliable(join), "the honest player has keys");
    Tick();
    m_network.onMessage = [this](MemoryNetwork::Flight& flight) {
      if (flight.toServer && flight.fromPort == kHonestPort) {
        m_captured = flight.bytes;
        m_capturedChannel = flight.channel;
      }
      return true;
    };
  }

  void Run(FuzzInput& input) {
    while (!input.IsEmpty()) {
      Step(input);
    }
    Tick();
    CheckEnd();
  }

 private:
  struct Hostile {
    std::unique_ptr<HostileEnd> end;
    protocol::KeyExchange exchange{};
    std::vector<std::byte> hello{};
  };

  void Step(FuzzInput& input) {
    const std::uint8_t operation = input.U8();
    Hostile& hostile = m_hostile[(operation >> 4U) % kHostileEnds];
    switch (operation % 16) {
      case 0:
        for (std::uint32_t ticks = 1 + input.U8() % 8U; ticks > 0; --ticks) {
          Tick();
        }
        break;
      case 1:  // the server stands still for up to two seconds
        m_clock.Advance(kTickDuration * (input.U8() % 120));
        Tick();
        break;
      case 2:
        RawDatagrams(input);
        break;
      case 3:
        Connect(hostile, static_cast<std::uint8_t>(2 + (operation >> 4U) % kHostileEnds));
        break;
      case 4:
        if (hostile.end != nullptr) {
          const std::uint32_t channel = input.U8() % 3U;
          const auto bytes = input.Sized16();
          Deliver([&] { return hostile.end->SendRaw(channel, bytes); }, 0);
        }
        break;
      case 5:
        SendHello(hostile, input);
        break;
      case 6:
        SendPacket(hostile, input);
        break;
      case 7:
        SendReliable(hostile, input);
        break;
      case 8:
        SendJoin(hostile, input);
        break;
      case 9:
        SendInput(hostile, input);
        break;
      case 10: {  // a forger in the honest player's name
        const std::uint32_t channel = input.U8() % 2U;
        const auto bytes = input.Sized16();
        ++m_forged;
        Deliver([&] { return m_network.InjectMessage(kHonestPort, channel, {bytes.begin(), bytes.end()}); }, 0);
        break;
      }
      case 11:
        ++m_forged;
        Deliver([&] { return m_network.InjectMessage(kHonestPort, m_capturedChannel, m_captured); }, 0);
        break;
      case 12:  // one bit of what the honest player really sent
        if (!m_captured.empty()) {
          std::vector<std::uint8_t> changed = m_captured;
          const std::size_t bit = input.U16() % (changed.size() * 8);
          changed[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
          ++m_forged;
          Deliver([&] { return m_network.InjectMessage(kHonestPort, m_capturedChannel, changed); }, 0);
        }
        break;
      case 13:
        if (hostile.end != nullptr) {
          hostile.end->Transport().Disconnect(hostile.end->Connection(), input.U32());
        }
        break;
      case 14:
        hostile.end.reset();  // vanishes
        break;
      default:
        KickOrClose(input);
        break;
    }
    Service();
  }

  /// Everything the server took in or turned away since it began.
  [[nodiscard]] std::uint64_t Accounted() const {
    const link::LinkStats stats = m_link.Stats();
    return stats.packetsIn + stats.messagesIn + stats.connected + stats.DroppedTotal();
  }

  /// `send` brings at most one message to the server, which counts it under one head. `mayEnd`: 1 when it may instead be
  /// what closes its connection.
  template <class Send>
  void Deliver(Send&& send, std::uint64_t mayEnd) {
    Service();
    const std::uint64_t before = Accounted();
    const std::uint64_t expected = send() ? 1U : 0U;
    Service();
    const std::uint64_t counted = Accounted() - before;
    Require(counted == expected || counted + mayEnd == expected, "what arrives is counted once, under one head");
  }

  void Service() {
    m_link.Service();
    const link::LinkStats stats = m_link.Stats();
    Require(stats.peers <= kMaxPeers, "no more peers than may be");
    Require(stats.halfOpen <= kMaxHalfOpen, "no more half-open connections than may be");
  }

  void Tick() {
    m_clock.Advance(kTickDuration);
    ++m_tick;
    m_honest->Service();
    protocol::InputMessage message;
    message.newestTick = m_tick + 2;
    message.controlCount = 1;
    std::array<std::byte, protocol::kMaxInputMessageBytes> bytes{};
    const std::size_t size = protocol::Encode(message, bytes);
    m_honestSent += m_honest->SendPacket(m_honestSent + 1, std::span(bytes).first(size)) ? 1U : 0U;
    Service();
    m_directory.Pump(m_tick);
    std::size_t active = 0;
    for (const auto& session : m_directory.Sessions()) {
      if (session->state != sessions::SessionState::Active) {
        continue;
      }
      ++active;
      Require(IsValidUtf8(session->name) && EscapeControl(session->name) == session->name && !session->name.empty(),
              "a player's name is text on one line");
      const sessions::InputBuffer::Taken taken = session->input.Take(m_tick);
      Require(taken.control.throttle >= 0.0F && taken.control.throttle <= 1.0F, "a control is within its range");
      static_cast<void>(session->input.MarginOverTarget());
      Require(session->input.FillTargetTicks() <= 30, "nobody's lead grows without bound");
      m_link.SendPacket(session->peer, session->nextSequence++, bytes);
    }
    Require(active == m_directory.ActiveCount() && active <= kMaxPeers, "no more players than may be");
    m_link.Wake();
    Service();
    m_honest->Service();
    link::LinkEvent event;
    while (m_honest->PollEvent(event)) {
      // What it is told is not looked at here.
    }
  }

  /// A crowd: datagrams of any size from many addresses. The gate keeps its promise to each of them, and to the honest.
  void RawDatagrams(FuzzInput& input) {
    mu_address from{};
    const std::uint8_t family = input.U8();
    const auto ip = input.Take(family % 2 == 0 ? 4 : 16);
    if (family % 2 == 0) {
      from.ip[10] = from.ip[11] = 0xFF;
      std::copy(ip.begin(), ip.end(), from.ip + 12);
    } else {
      std::copy(ip.begin(), ip.end(), from.ip);
    }
    from.port = input.U16();
    const std::size_t size = input.U16();
    static const std::vector<std::uint8_t> kBytes(65'536);
    for (std::uint32_t count = 1 + input.U8() % 64U; count > 0; --count) {
      const std::uint64_t before = m_link.Stats().DroppedTotal();
      const bool hasPassed = m_network.InjectRaw(kPort, from, std::span(kBytes).first(size)) == MU_GATE_PASS;
      Require(m_link.Stats().DroppedTotal() - before == (hasPassed ? 0U : 1U), "a dropped datagram has one reason");
      Require(!hasPassed || (size > 0 && size <= kMaxDatagramBytes && link::IsUnicastSource(from)),
              "nothing passes that no honest client can send");
    }
  }

  void Connect(Hostile& hostile, std::uint8_t host) {
    hostile.end.reset();
    auto transport = link::TransportHandle::Create(m_network.Source(host), HostileParams());
    auto connection = transport->Connect(MemoryNetwork::Address(kPort));
    hostile.end = std::make_unique<HostileEnd>(std::move(*transport), *connection, protocol::Direction::ToServer);
    hostile.exchange = {};
  }

  void SendHello(Hostile& hostile, FuzzInput& input) {
    if (hostile.end == nullptr) {
      return;
    }
    protocol::ClientHello hello;
    hello.identity = Identity();
    hello.publicKey = hostile.exchange.Public();
    const std::uint8_t lie = input.U8();
    if (lie % 8 == 1) {
      hello.protocolVersion = input.U16();
    } else if (lie % 8 == 2) {
      hello.identity.codecName = "muster.codec.other";
    } else if (lie % 8 == 3) {
      hello.identity.lockDigest[input.U8() % 32U] = std::byte{1};
    } else if (lie % 8 == 4) {
      hello.publicKey = {};  // would give everybody the same secret
    }
    protocol::Encode(hello, hostile.hello);
    for (std::uint32_t edits = lie >= 128 ? input.U8() % 4U : 0; edits > 0; --edits) {
      hostile.hello[input.U16() % hostile.hello.size()] ^= std::byte{input.U8()};
    }
    const std::span<const std::uint8_t> bytes{reinterpret_cast<const std::uint8_t*>(hostile.hello.data()),
                                              hostile.hello.size()};
    Deliver([&] { return hostile.end->SendRaw(MU_CHANNEL_RELIABLE, bytes); }, 0);
    TakeAnswers(hostile);
  }

  void TakeAnswers(Hostile& hostile) {
    std::array<mu_transport_event, 16> events{};
    std::uint32_t count = 0;
    hostile.end->Transport().Service(events, count);
    for (const mu_transport_event& event : std::span(events).first(count)) {
      const std::span<const std::byte> envelope{reinterpret_cast<const std::byte*>(event.message.data),
                                                event.message.size};
      if (event.kind != MU_TRANSPORT_EVENT_MESSAGE || hostile.end->HasKeys()) {
        continue;
      }
      Require(envelope.size() <= hostile.hello.size(), "no answer in clear is larger than what it answers");
      protocol::ServerHello hello;
      if (protocol::Decode(envelope, hello) == protocol::DecodeStatus::Ok) {
        const auto keys = hostile.exchange.ClientKeys(hello.publicKey, protocol::Transcript(hostile.hello, envelope));
        if (keys) {
          hostile.end->TakeKeys(*keys);
        }
      }
    }
  }

  void SendPacket(Hostile& hostile, FuzzInput& input) {
    if (hostile.end == nullptr || !hostile.end->HasKeys()) {
      return;
    }
    const std::uint8_t shape = input.U8();
    protocol::PacketHeader header;
    if ((shape & 1U) != 0) {
      header.ack = (shape & 2U) != 0 ? input.U8() : input.U32();
      header.ackMask = input.U64();
      header.holdMicrosDiv32 = input.U16();
    }
    const std::uint32_t step = (shape & 4U) != 0 ? 1U + input.U32() % (1U << 24U) : 1U;
    const auto message = input.Sized8();
    Deliver(
        [&] {
          return (shape & 8U) != 0 ? hostile.end->SendBarePacket(message)
                                   : hostile.end->SendPacket(step, header, message);
        },
        0);
  }

  void SendReliable(Hostile& hostile, FuzzInput& input) {
    if (hostile.end == nullptr || !hostile.end->HasKeys()) {
      return;
    }
    const std::uint8_t step = input.U8();
    const auto message = input.Sized16();
    const bool isGap = step % 16 == 15;
    Deliver(
        [&] {
          return hostile.end->SendReliable(
              isGap ? 2U : 1U,
              message.first(std::min<std::size_t>(message.size(), kMaxMessageBytes - protocol::kSealOverheadBytes)));
        },
        isGap ? 1U : 0U);
  }

  void SendJoin(Hostile& hostile, FuzzInput& input) {
    if (hostile.end == nullptr || !hostile.end->HasKeys()) {
      return;
    }
    const auto name = input.Sized8();
    std::vector<std::uint8_t> message{static_cast<std::uint8_t>(protocol::MessageType::JoinRequest),
                                      static_cast<std::uint8_t>(name.size()), 0};
    message.insert(message.end(), name.begin(), name.end());
    Deliver([&] { return hostile.end->SendReliable(1, message); }, 0);
  }

  void SendInput(Hostile& hostile, FuzzInput& input) {
    if (hostile.end == nullptr || !hostile.end->HasKeys()) {
      return;
    }
    protocol::InputMessage message;
    const std::uint8_t shape = input.U8();
    // Near the server's time, or anywhere at all.
    message.newestTick = (shape & 1U) != 0 ? muster::Tick{input.U64()} : m_tick + (input.U8() % 128 - 64);
    message.newestSnapshotTick = muster::Tick{input.U8()};
    message.controlCount = static_cast<std::uint8_t>(1 + (shape >> 1U) % protocol::kMaxInputControls);
    for (std::size_t i = 0; i < message.controlCount; ++i) {
      message.controls[i].throttle = input.U16();
      message.controls[i].buttons = input.U8();
    }
    message.needAbsoluteCount = static_cast<std::uint8_t>((shape >> 4U) % 4);
    for (std::size_t i = 0; i < message.needAbsoluteCount; ++i) {
      message.needAbsolute[i] = NetId{1U + input.U16()};
    }
    std::array<std::byte, protocol::kMaxInputMessageBytes> bytes{};
    const std::size_t size = protocol::Encode(message, bytes);
    Deliver(
        [&] {
          return hostile.end->SendPacket(1, {}, {reinterpret_cast<const std::uint8_t*>(bytes.data()), size});
        },
        0);
  }

  void KickOrClose(FuzzInput& input) {
    const SessionId id{2U + input.U8() % 8U};
    const auto reason = input.Sized8();
    m_directory.Close(id, link::DisconnectReason::Kicked, protocol::kKicked, AsText(reason));
    Service();
  }

  void CheckEnd() {
    Require(m_honest->Phase() == link::ClientLink::State::Open, "the honest player keeps its connection");
    const sessions::Session* const session = m_directory.Find(SessionId{1});
    Require(session != nullptr && session->state == sessions::SessionState::Active && session->name == "Honest",
            "the honest player plays on");
    // A forger in its name can use up what is opened for it and nothing else.
    const std::uint64_t lost = m_honestSent - m_port.honestPackets;
    Require(lost <= m_link.Stats().Dropped(DropReason::PeerBudget) && lost <= m_forged,
            "every packet of the honest player arrives");
    for (const MemorySink::Entry& entry : m_sink.Entries()) {
      Require(EscapeControl(entry.text) == entry.text, "an event is one line of the log");
    }
  }

  RepeatableRandomness m_randomness;
  ManualClock m_clock{MonotonicTime{} + 100s};
  MemorySink m_sink;
  MemoryNetwork m_network{m_clock};
  link::ServerLink m_link{m_network.Source(1), LinkConfig(), m_clock, Logger{m_sink, "link"}};
  WatchedPort m_port{m_link};
  sessions::SessionDirectory m_directory{m_port, DirectoryConfig(), m_clock, Logger{m_sink, "sessions"}};
  std::unique_ptr<link::ClientLink> m_honest;
  std::array<Hostile, kHostileEnds> m_hostile;
  std::vector<std::uint8_t> m_captured;
  std::uint32_t m_capturedChannel = 0;
  muster::Tick m_tick{1'000};
  std::uint32_t m_honestSent = 0;
  std::uint64_t m_forged = 0;
};

}  // namespace
}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::FuzzInput input(data, size);
  muster::fuzz::Stage{}.Run(input);
  return 0;
}
