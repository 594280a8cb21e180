// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The UDP transport plugin over real sockets of this machine and virtual time: a server, an honest client, and an attacker
// with two sockets of its own who speaks the protocol or anything else, to either of them. Nothing the attacker sends takes
// the honest client's connection or its messages, and no answer to a stranger is larger than what he sent.
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include "UdpTransport.h"

#include "PluginApi/Plugin.h"

#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace muster::fuzz {
namespace {

using udp::Kind;

constexpr std::size_t kAttackers = 2;
constexpr std::uint64_t kTickNs = 16'666'667;

/// What the plugin asks of its host: a clock that the script moves, and a log that nobody reads.
class FakeHost {
 public:
  [[nodiscard]] plugin::Host Services() const { return plugin::Host{&m_host}; }
  void Advance(std::uint64_t nanoseconds) { m_nowNs += nanoseconds; }

 private:
  static const void* Service(void* context, const char* id) {
    auto& self = *static_cast<FakeHost*>(context);
    return std::strcmp(id, MU_HOST_CLOCK_V0) == 0 ? &self.m_clock : nullptr;
  }
  static std::uint64_t Now(void* context) { return static_cast<FakeHost*>(context)->m_nowNs; }

  std::uint64_t m_nowNs = 1'000'000'000'000;
  mu_host_clock_v0 m_clock{sizeof(mu_host_clock_v0), 0, &Now};
  mu_host m_host{sizeof(mu_host), 0, this, &Service};
};

mu_address Loopback(std::uint16_t port) {
  mu_address address{};
  address.ip[10] = address.ip[11] = 0xFF;
  address.ip[12] = 127;
  address.ip[15] = 1;
  address.port = port;
  return address;
}

mu_transport_params Params() {
  mu_transport_params params{};
  params.struct_size = sizeof params;
  params.max_connections = 4;
  params.max_datagram_bytes = 1'200;
  params.reliable_backlog_bytes = 65'536;
  params.max_message_bytes = 8'192;
  params.timeout_ms = 60'000;
  params.seed = 7;
  return params;
}

/// One end and what it saw.
struct End {
  explicit End(const FakeHost& host) : transport{host.Services(), Params()} {}

  void Service() {
    std::array<mu_transport_event, 32> events{};
    std::uint32_t count = 0;
    do {
      Require(transport.Service(events, count) == MU_OK, "a service never fails for what arrives");
      Require(count <= events.size(), "no more events than there is room for");
      for (const mu_transport_event& event : std::span(events).first(count)) {
        Note(event);
      }
    } while (count == events.size());
    transport.Flush();
  }

  void Note(const mu_transport_event& event) {
    Require(event.connection != 0, "an event is of a connection");
    if (event.kind == MU_TRANSPORT_EVENT_CONNECTED) {
      open.push_back({event.connection, event.address.port});
      return;
    }
    const auto found =
        std::find_if(open.begin(), open.end(), [&](const auto& entry) { return entry.id == event.connection; });
    Require(found != open.end(), "a connection's first event is that it came");
    if (event.kind == MU_TRANSPORT_EVENT_DISCONNECTED) {
      open.erase(found);
      return;
    }
    Require(event.message.size <= Params().max_message_bytes, "no message is larger than allowed");
    messages.push_back({event.connection, {event.message.data, event.message.data + event.message.size}});
  }

  struct Known {
    mu_connection id;
    std::uint16_t port;
  };
  struct Arrived {
    mu_connection id;
    std::vector<std::uint8_t> bytes;
  };
  udp::UdpTransport transport;
  std::vector<Known> open;
  std::vector<Arrived> messages;
};

class Attacker {
 public:
  Attacker() { Require(m_socket.Open(Loopback(0), true, 65'536) == 0, "the attacker has a socket"); }

  void Send(std::uint16_t port, std::span<const std::uint8_t> bytes) {
    m_socket.SendNow(m_socket.ToSocket(Loopback(port)), bytes);
  }
  template <class Write>
  void SendWritten(std::uint16_t port, Write&& write) {
    std::array<std::uint8_t, udp::kMaxDatagramBytes> room{};
    udp::ByteWriter writer{room};
    write(writer);
    Send(port, std::span(room).first(writer.Size()));
  }

  /// Takes what came back; to a stranger it is no more than he sent last.
  void Listen() {
    std::array<std::uint8_t, 2'048> bytes{};
    for (;;) {
      const ssize_t size = ::recv(m_socket.Handle(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size < 0) {
        return;
      }
      udp::ByteReader reader{std::span(bytes).first(static_cast<std::size_t>(size))};
      const auto head = udp::ReadHead(reader);
      Require(head.has_value(), "what the transport sends is well formed");
      if (serverId == 0) {
        Require(static_cast<std::size_t>(size) <= udp::kRequestBytes, "a stranger gets no more than he sent");
      }
      if (head->kind == Kind::Challenge) {
        cookie = udp::ReadChallenge(reader).value_or(0);
      } else if (head->kind == Kind::Accept) {
        const auto welcome = udp::ReadWelcome(reader);
        serverId = welcome ? welcome->serverId : 0;
      }
    }
  }

  std::uint64_t clientId = 9;
  std::uint64_t cookie = 0;
  std::uint64_t serverId = 0;
  std::uint32_t number = 0;
  std::uint32_t piece = 0;

 private:
  udp::UdpSocket m_socket;
};

class Stage {
 public:
  Stage() : m_server{m_host}, m_client{m_host} {
    mu_address bound{};
    Require(m_server.transport.Listen(Loopback(0), bound) == MU_OK, "the server listens");
    m_port = bound.port;
    Require(m_client.transport.Connect(bound, m_connection) == MU_OK, "the client connects");
    for (int i = 0; i < 6; ++i) {
      Tick(1);
    }
    Require(m_client.open.size() == 1 && m_server.open.size() == 1, "the honest connection comes up");
    m_honest = m_server.open[0];
  }

  void Run(FuzzInput& input) {
    while (!input.IsEmpty()) {
      Step(input);
    }
    CheckHonest();
  }

 private:
  void Step(FuzzInput& input) {
    const std::uint8_t operation = input.U8();
    Attacker& attacker = m_attackers[(operation >> 4U) % kAttackers];
    const std::uint16_t port = operation >= 0x80 ? m_honest.port : m_port;
    switch (operation % 10) {
      case 0:
        Tick(1U + input.U8() % 8U);
        break;
      case 1:
        m_host.Advance(kTickNs * (input.U8() % 64U));
        Tick(1);
        break;
      case 2:
        attacker.Send(port, input.Sized16());
        break;
      case 3: {
        attacker.clientId = 1U + input.U8() % 4U;
        const udp::Hello hello{input.Chance() ? udp::kWireVersion : input.U16(), 1'200, attacker.clientId, 0};
        attacker.SendWritten(port, [&](udp::ByteWriter& writer) { udp::WriteHello(writer, Kind::Request, hello); });
        break;
      }
      case 4: {
        const std::uint64_t cookie = input.Chance() ? attacker.cookie : input.U64();
        const udp::Hello hello{udp::kWireVersion, static_cast<std::uint16_t>(576 + input.U8()), attacker.clientId,
                               cookie};
        attacker.SendWritten(port, [&](udp::ByteWriter& writer) { udp::WriteHello(writer, Kind::Response, hello); });
        break;
      }
      case 5:
      case 6:
        SendData(attacker, port, input);
        break;
      case 7:
        attacker.SendWritten(port, [&](udp::ByteWriter& writer) {
          udp::WriteCode(writer, input.Chance() ? Kind::Close : Kind::Refuse, attacker.serverId, input.U32());
        });
        break;
      case 8: {  // the honest talk
        const auto bytes = input.Sized8();
        SendHonest(input.Chance() ? MU_CHANNEL_RELIABLE : MU_CHANNEL_UNRELIABLE, bytes);
        break;
      }
      default:  // the server answers whoever is on
        for (const End::Known& known : std::vector<End::Known>{m_server.open}) {
          const std::array<std::uint8_t, 200> bytes{};
          mu_transport_send item{known.id, MU_CHANNEL_RELIABLE, MU_OK, {bytes.data(), bytes.size()}};
          m_server.transport.Send(std::span(&item, 1));
        }
        break;
    }
    Tick(0);
  }

  void SendData(Attacker& attacker, std::uint16_t port, FuzzInput& input) {
    const std::uint8_t shape = input.U8();
    attacker.number += (shape & 1U) != 0 ? input.U32() : 1U;
    attacker.SendWritten(port, [&](udp::ByteWriter& writer) {
      const std::uint64_t id = (shape & 2U) != 0 ? input.U64() & udp::kIdMask : attacker.serverId;
      const auto flags = static_cast<std::uint8_t>(shape & (udp::kFlagAck | udp::kFlagFrames | udp::kFlagMessage));
      udp::WriteHead(writer, {Kind::Data, flags, id});
      writer.Put(attacker.number);
      if ((flags & udp::kFlagAck) != 0) {
        udp::Ack ack;
        ack.next = (shape & 4U) != 0 ? input.U32() : input.U8();
        ack.wordCount = static_cast<std::uint8_t>(input.U8() % (udp::kMaxAckWords + 1));
        for (std::size_t i = 0; i < ack.wordCount; ++i) {
          ack.words[i] = input.U64();
        }
        udp::WriteAck(writer, ack);
      }
      if ((flags & udp::kFlagFrames) != 0) {
        const auto count = static_cast<std::uint8_t>(1U + input.U8() % 4U);
        writer.Put(count);
        for (std::uint8_t i = 0; i < count; ++i) {
          const std::uint8_t place = input.U8();
          attacker.piece = place >= 0xF0 ? input.U32() : attacker.piece + place % 4U;
          const auto bytes = input.Sized8();
          udp::WriteFrame(writer, {attacker.piece, (place & 0x10U) != 0, (place & 0x20U) != 0, bytes});
        }
      }
      if ((flags & udp::kFlagMessage) != 0) {
        writer.PutBytes(input.Sized8());
      }
    });
  }

  void SendHonest(std::uint32_t channel, std::span<const std::uint8_t> bytes) {
    mu_transport_send item{m_connection, channel, MU_OK, {bytes.data(), bytes.size()}};
    m_client.transport.Send(std::span(&item, 1));
    Require(item.status == MU_OK, "the honest client may send");
    m_sent.emplace_back(bytes.begin(), bytes.end());
    m_client.transport.Flush();
  }

  void Tick(std::uint32_t ticks) {
    do {
      m_host.Advance(ticks > 0 ? kTickNs : 0);
      m_client.Service();
      m_server.Service();
      m_client.Service();
      for (Attacker& attacker : m_attackers) {
        attacker.Listen();
      }
    } while (ticks-- > 1);
    Require(m_server.open.size() <= Params().max_connections, "no more connections than may be");
  }

  /// Each honest message came once and unchanged; those of one channel keep their order by the channel's own promise, and
  /// on this wire nothing is lost, so all are there.
  void CheckHonest() {
    SendHonest(MU_CHANNEL_RELIABLE, {});
    Tick(60);
    Require(m_client.open.size() == 1, "the honest client keeps its connection");
    std::vector<std::vector<std::uint8_t>> arrived;
    for (const End::Arrived& message : m_server.messages) {
      if (message.id == m_honest.id) {
        arrived.push_back(message.bytes);
      }
    }
    std::sort(arrived.begin(), arrived.end());
    std::sort(m_sent.begin(), m_sent.end());
    Require(arrived == m_sent, "every message of the honest client arrives, once and unchanged");
  }

  FakeHost m_host;
  End m_server;
  End m_client;
  std::array<Attacker, kAttackers> m_attackers;
  std::uint16_t m_port = 0;
  mu_connection m_connection = 0;
  End::Known m_honest{};
  std::vector<std::vector<std::uint8_t>> m_sent;
};

Script Open() {
  return Script{}.U8(3).U8(0).U8(1).U8(4).U8(1).U8(200);
}

}  // namespace

Seeds MakeSeeds() {
  Seeds seeds;
  const Script wait = Script{}.U8(0).U8(1);
  const Script talk = Script{}.U8(8).Sized8("honest").U8(1).U8(8).Sized8("packet").U8(0);
  const Script message = Script{}.U8(5).U8(0x40).Sized8("hello");
  const auto pieces = [](std::size_t place, std::string_view bytes) {
    return Script{}.U8(5).U8(0x20).U8(0).U8(place).Sized8(bytes);
  };
  seeds["honest_alone"] = Script{}.Append(talk).Append(wait).U8(9).Append(talk).Result();
  seeds["stranger_opens"] =
      Script{}.Append(Open()).Append(message).Append(talk).U8(7).U8(1).U32(3).Append(wait).Result();
  seeds["pieces_in_order"] =
      Script{}.Append(Open()).Append(pieces(0x10, "first")).Append(pieces(0x21, "last")).Append(talk).Result();
  seeds["pieces_too_early"] =
      Script{}.Append(Open()).Append(pieces(0x12, "a")).Append(pieces(0x23, "b")).Append(pieces(0x31, "c")).Result();
  seeds["piece_out_of_a_message"] = Script{}.Append(Open()).Append(pieces(0x00, "x")).Append(talk).Result();
  seeds["acks_that_lie"] = Script{}
                               .Append(Open())
                               .U8(9)
                               .U8(5)
                               .U8(0x14)
                               .U32(0xFFFF'FFFF)
                               .U8(4)
                               .U64(1)
                               .U64(2)
                               .U64(3)
                               .U64(4)
                               .U8(5)
                               .U8(0x10)
                               .U8(1)
                               .U8(0)
                               .Append(talk)
                               .Result();
  seeds["cookie_guessed"] = Script{}.U8(3).U8(0).U8(1).U8(4).U8(0).U64(1234).U8(0).Append(talk).Result();
  seeds["other_version"] = Script{}.U8(3).U8(0).U8(0).U16(9).Append(talk).Result();
  seeds["numbers_leap"] = Script{}
                              .Append(Open())
                              .U8(5)
                              .U8(0x41)
                              .U32(0x7FFF'FFFF)
                              .Sized8("a")
                              .U8(5)
                              .U8(0x41)
                              .U32(0x7FFF'FFFF)
                              .Sized8("b")
                              .Append(message)
                              .Result();
  seeds["garbage_to_both"] = Script{}
                                 .U8(2)
                                 .U16(3)
                                 .Text("abc")
                                 .U8(0x82)
                                 .U16(9)
                                 .Text("\x06zzzzzzzz")
                                 .U8(0x85)
                                 .U8(0x42)
                                 .U64(1)
                                 .Sized8("x")
                                 .Append(talk)
                                 .Result();
  seeds["full"] = Script{}
                      .Repeat(1, Open())
                      .U8(3)
                      .U8(1)
                      .U8(1)
                      .U8(4)
                      .U8(1)
                      .U8(0)
                      .U8(3)
                      .U8(2)
                      .U8(1)
                      .U8(4)
                      .U8(1)
                      .U8(0)
                      .U8(3)
                      .U8(3)
                      .U8(1)
                      .U8(4)
                      .U8(1)
                      .U8(0)
                      .Append(talk)
                      .Result();
  return seeds;
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::FuzzInput input(data, size);
  muster::fuzz::Stage{}.Run(input);
  return 0;
}
