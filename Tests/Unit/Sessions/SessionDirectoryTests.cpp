// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/Admission.h"
#include "Sessions/SessionDirectory.h"

#include "Protocol/InputMessage.h"
#include "Protocol/JoinMessages.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace muster::sessions {
namespace {

using namespace std::chrono_literals;
using link::DisconnectReason;
using link::LinkEvent;

mu_address AddressOf(std::uint8_t last, std::uint16_t port) {
  mu_address address{};
  address.ip[10] = 0xFF;
  address.ip[11] = 0xFF;
  address.ip[12] = 127;
  address.ip[15] = last;
  address.port = port;
  return address;
}

/// A link that is fed by the test and remembers what was sent.
class FakePort final : public ILinkPort {
 public:
  bool PollEvent(LinkEvent& event) override {
    if (m_events.empty()) {
      return false;
    }
    m_current = std::move(m_events.front());
    m_events.pop_front();
    event = m_current.event;
    event.message = m_current.bytes;
    return true;
  }
  void SendReliable(PeerId peer, std::span<const std::byte> message) override {
    sent[peer].emplace_back(message.begin(), message.end());
  }
  void Disconnect(PeerId peer, DisconnectReason reason) override { disconnected[peer] = reason; }
  void ReportMalformed(PeerId) override { ++malformed; }

  void Connect(PeerId peer, const mu_address& address) {
    LinkEvent event;
    event.kind = LinkEvent::Kind::Connected;
    event.peer = peer;
    event.address = address;
    m_events.push_back({event, {}});
  }
  void Deliver(PeerId peer, LinkEvent::Kind kind, std::vector<std::byte> bytes) {
    LinkEvent event;
    event.kind = kind;
    event.peer = peer;
    m_events.push_back({event, std::move(bytes)});
  }
  void End(PeerId peer, DisconnectReason reason) {
    LinkEvent event;
    event.kind = LinkEvent::Kind::Disconnected;
    event.peer = peer;
    event.reason = reason;
    m_events.push_back({event, {}});
  }
  std::vector<protocol::MessageType> TypesSentTo(PeerId peer) const {
    std::vector<protocol::MessageType> types;
    if (const auto found = sent.find(peer); found != sent.end()) {
      for (const auto& message : found->second) {
        types.push_back(protocol::PeekMessageType(message));
      }
    }
    return types;
  }

  std::map<PeerId, std::vector<std::vector<std::byte>>> sent;
  std::map<PeerId, DisconnectReason> disconnected;
  int malformed = 0;

 private:
  struct Queued {
    LinkEvent event;
    std::vector<std::byte> bytes;
  };
  std::deque<Queued> m_events;
  Queued m_current;
};

class Recorder final : public ISessionObserver {
 public:
  void OnJoined(Session& session) override { joined.push_back(session.name); }
  void OnLeft(Session& session, DisconnectReason reason) override { left.emplace_back(session.name, reason); }
  std::vector<std::string> joined;
  std::vector<std::pair<std::string, DisconnectReason>> left;
};

class SessionDirectoryTest : public testing::Test {
 protected:
  SessionDirectoryTest() { Restart({}); }

  void Restart(SessionConfig config) {
    if (config.admission.connectCount == 5) {
      config.admission.connectCount = 0;
    }
    directory = std::make_unique<SessionDirectory>(port, std::move(config), clock, Logger{sink, "sessions"});
    directory->Observe(&recorder);
  }
  void Join(PeerId peer, const std::string& name, std::uint8_t ip = 1) {
    port.Connect(peer, AddressOf(ip, static_cast<std::uint16_t>(1'000 + peer.Value())));
    std::vector<std::byte> bytes;
    protocol::Encode(protocol::JoinRequest{name}, bytes);
    port.Deliver(peer, LinkEvent::Kind::Message, bytes);
    directory->Pump(Tick{100});
  }
  std::uint16_t RefusalSentTo(PeerId peer) {
    for (const auto& message : port.sent[peer]) {
      protocol::Refusal refusal;
      if (protocol::DecodeSealedRefusal(message, refusal) == protocol::DecodeStatus::Ok) {
        return refusal.code;
      }
    }
    return 0;
  }
  std::uint16_t GoodbyeSentTo(PeerId peer) {
    for (const auto& message : port.sent[peer]) {
      protocol::Goodbye goodbye;
      if (protocol::Decode(message, goodbye) == protocol::DecodeStatus::Ok) {
        return goodbye.code;
      }
    }
    return 0;
  }

  FakePort port;
  Recorder recorder;
  ManualClock clock;
  MemorySink sink;
  std::unique_ptr<SessionDirectory> directory;
};

TEST_F(SessionDirectoryTest, JoinIsAcceptedAndTold) {
  Join(PeerId{1}, "Ada");
  EXPECT_EQ(recorder.joined, std::vector<std::string>{"Ada"});
  EXPECT_EQ(directory->ActiveCount(), 1U);
  const auto types = port.TypesSentTo(PeerId{1});
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0], protocol::MessageType::JoinAccept);
  EXPECT_EQ(types[1], protocol::MessageType::Archetypes);
}

TEST_F(SessionDirectoryTest, ForgedNameIsRefusedAndLeavesNoLineOfItsOwn) {
  Join(PeerId{1}, "a\n[INFO] admin logged in");
  EXPECT_EQ(RefusalSentTo(PeerId{1}), protocol::kBadName.number);
  EXPECT_EQ(port.disconnected[PeerId{1}], DisconnectReason::Refused);
  EXPECT_EQ(directory->ActiveCount(), 0U);
  port.End(PeerId{1}, DisconnectReason::Refused);
  directory->Pump(Tick{101});
  EXPECT_TRUE(directory->Sessions().empty());
  EXPECT_TRUE(recorder.left.empty());
}

TEST_F(SessionDirectoryTest, RefusesBeyondTheLimitAndAgainTakesWhenOneLeft) {
  SessionConfig config;
  config.admission.maxPeers = 2;
  Restart(config);
  Join(PeerId{1}, "one");
  Join(PeerId{2}, "two");
  Join(PeerId{3}, "three");
  EXPECT_EQ(RefusalSentTo(PeerId{3}), protocol::kServerFull.number);
  port.End(PeerId{1}, DisconnectReason::Timeout);
  directory->Pump(Tick{101});
  Join(PeerId{4}, "four");
  EXPECT_EQ(directory->ActiveCount(), 2U);
}

TEST_F(SessionDirectoryTest, AFarewellUnderWayTakesNobodysPlace) {
  SessionConfig config;
  config.admission.maxPeers = 1;
  Restart(config);
  std::vector<std::byte> bytes;
  protocol::Encode(protocol::Leave{}, bytes);
  for (std::uint32_t i = 1; i <= 14; ++i) {
    Join(PeerId{i}, "player");
    EXPECT_EQ(directory->ActiveCount(), 1U) << i;
    port.Deliver(PeerId{i}, LinkEvent::Kind::Message, bytes);  // the link has not said Disconnected yet
    directory->Pump(Tick{101});
    EXPECT_EQ(directory->ActiveCount(), 0U);
  }
  for (std::uint32_t i = 1; i <= 14; ++i) {
    port.End(PeerId{i}, DisconnectReason::Left);
  }
  directory->Pump(Tick{102});
  EXPECT_TRUE(directory->Sessions().empty());
}

TEST_F(SessionDirectoryTest, AJoinThatDoesNotDecodeIsRefusedAtOnce) {
  port.Connect(PeerId{1}, AddressOf(1, 1));
  const std::vector<std::byte> bytes{std::byte{static_cast<std::uint8_t>(protocol::MessageType::JoinRequest)},
                                     std::byte{16}, std::byte{0}, std::byte{'A'}};
  port.Deliver(PeerId{1}, LinkEvent::Kind::Message, bytes);
  directory->Pump(Tick{101});
  EXPECT_EQ(RefusalSentTo(PeerId{1}), protocol::kHandshakeMalformed.number);
}

TEST_F(SessionDirectoryTest, H16ANameTooLongForTheWireIsABadNameAndNoBrokenMessage) {
  port.Connect(PeerId{1}, AddressOf(1, 1));
  std::vector<std::byte> bytes(3 + 10'240, std::byte{'A'});
  bytes[0] = std::byte{static_cast<std::uint8_t>(protocol::MessageType::JoinRequest)};
  bytes[1] = std::byte{10'240 & 0xFF};
  bytes[2] = std::byte{10'240 >> 8};
  port.Deliver(PeerId{1}, LinkEvent::Kind::Message, bytes);
  directory->Pump(Tick{101});
  EXPECT_EQ(RefusalSentTo(PeerId{1}), protocol::kBadName.number);
  EXPECT_EQ(port.disconnected[PeerId{1}], DisconnectReason::Refused);
  EXPECT_EQ(port.malformed, 0);
  EXPECT_EQ(directory->ActiveCount(), 0U);
}

TEST_F(SessionDirectoryTest, LimitsByAddress) {
  SessionConfig config;
  config.admission.maxPerAddress = 2;
  Restart(config);
  Join(PeerId{1}, "one", 7);
  Join(PeerId{2}, "two", 7);
  Join(PeerId{3}, "three", 7);
  Join(PeerId{4}, "four", 8);
  EXPECT_EQ(RefusalSentTo(PeerId{3}), protocol::kTooManyFromAddress.number);
  EXPECT_EQ(directory->ActiveCount(), 3U);
}

TEST_F(SessionDirectoryTest, LimitsTheRateByAddressAndForgivesWithTime) {
  SessionConfig config;
  config.admission.connectCount = 3;
  Restart(config);
  for (std::uint32_t i = 1; i <= 4; ++i) {
    Join(PeerId{i}, "player", 7);
  }
  EXPECT_EQ(RefusalSentTo(PeerId{4}), protocol::kConnectRateExceeded.number);
  Join(PeerId{5}, "other", 8);
  EXPECT_EQ(directory->ActiveCount(), 4U);
  clock.Advance(10s);
  Join(PeerId{6}, "later", 7);
  EXPECT_EQ(directory->ActiveCount(), 5U);
}

TEST_F(SessionDirectoryTest, LeaveEndsTheSessionOnce) {
  Join(PeerId{1}, "Ada");
  std::vector<std::byte> bytes;
  protocol::Encode(protocol::Leave{}, bytes);
  port.Deliver(PeerId{1}, LinkEvent::Kind::Message, bytes);
  port.Deliver(PeerId{1}, LinkEvent::Kind::Message, bytes);
  directory->Pump(Tick{101});
  EXPECT_EQ(port.disconnected[PeerId{1}], DisconnectReason::Left);
  port.End(PeerId{1}, DisconnectReason::Left);
  directory->Pump(Tick{102});
  ASSERT_EQ(recorder.left.size(), 1U);
  EXPECT_EQ(recorder.left[0].second, DisconnectReason::Left);
  EXPECT_TRUE(directory->Sessions().empty());
  EXPECT_EQ(directory->Stats().left, 1U);
}

TEST_F(SessionDirectoryTest, GarbageIsCountedAndChangesNothing) {
  Join(PeerId{1}, "Ada");
  for (int length = 0; length < 64; ++length) {
    port.Deliver(PeerId{1}, LinkEvent::Kind::Message,
                 std::vector<std::byte>(static_cast<std::size_t>(length), std::byte{0xEE}));
    port.Deliver(PeerId{1}, LinkEvent::Kind::Packet,
                 std::vector<std::byte>(static_cast<std::size_t>(length), std::byte{32}));
  }
  directory->Pump(Tick{101});
  EXPECT_EQ(port.malformed, 128);
  EXPECT_EQ(directory->ActiveCount(), 1U);
  EXPECT_LE(sink.Entries().size(), 4U) << "a flood of garbage must not be a flood of lines";
}

TEST_F(SessionDirectoryTest, SecondJoinOfOnePeerIsMalformed) {
  Join(PeerId{1}, "Ada");
  std::vector<std::byte> bytes;
  protocol::Encode(protocol::JoinRequest{"Bob"}, bytes);
  port.Deliver(PeerId{1}, LinkEvent::Kind::Message, bytes);
  directory->Pump(Tick{101});
  EXPECT_EQ(port.malformed, 1);
  EXPECT_EQ(directory->Sessions()[0]->name, "Ada");
}

TEST_F(SessionDirectoryTest, SilentJoinerAndIdlePlayerAreSentAway) {
  SessionConfig config;
  config.idleTimeout = 30s;
  Restart(config);
  port.Connect(PeerId{9}, AddressOf(1, 9));
  Join(PeerId{1}, "Ada");
  clock.Advance(6s);
  directory->Pump(Tick{101});
  EXPECT_EQ(RefusalSentTo(PeerId{9}), protocol::kJoinExpected.number);
  clock.Advance(25s);
  directory->Pump(Tick{102});
  EXPECT_EQ(GoodbyeSentTo(PeerId{1}), protocol::kIdleTimeout.number);
  ASSERT_EQ(recorder.left.size(), 1U);
  EXPECT_EQ(recorder.left[0].second, DisconnectReason::Idle);
}

TEST_F(SessionDirectoryTest, CloseAllSaysWhyAndLetsNobodyIn) {
  Join(PeerId{1}, "Ada");
  Join(PeerId{2}, "Bob");
  directory->CloseAll(DisconnectReason::ServerShutdown, protocol::kServerShutdown, "");
  EXPECT_EQ(GoodbyeSentTo(PeerId{1}), protocol::kServerShutdown.number);
  EXPECT_EQ(GoodbyeSentTo(PeerId{2}), protocol::kServerShutdown.number);
  EXPECT_EQ(recorder.left.size(), 2U);
  Join(PeerId{3}, "Cid");
  EXPECT_EQ(RefusalSentTo(PeerId{3}), protocol::kServerClosing.number);
}

TEST_F(SessionDirectoryTest, InputReachesTheEntityOfItsTick) {
  world::ColumnRegistry registry;
  const auto columns = simulation::EntityColumns::Register(registry);
  world::EntityStore store{registry, {.capacity = 64}};
  Join(PeerId{1}, "Ada");
  Session& session = *directory->Find(SessionId{1});
  session.entity = store.Create();

  protocol::InputMessage input;
  input.newestTick = Tick{101};
  input.controlCount = 1;
  input.controls[0].throttle = 65'535;
  std::vector<std::byte> bytes(protocol::kMaxInputMessageBytes);
  bytes.resize(protocol::Encode(input, bytes));
  port.Deliver(PeerId{1}, LinkEvent::Kind::Packet, bytes);
  directory->Pump(Tick{101});
  directory->ApplyInputs(Tick{101}, store, columns);
  EXPECT_EQ(store.Column(columns.control)[session.entity.Slot()].throttle, 1.0F);

  store.Destroy(session.entity);
  directory->ApplyInputs(Tick{102}, store, columns);  // a dead entity is passed over
}

TEST_F(SessionDirectoryTest, OwnEntityIsToldOnlyWhenItChanges) {
  Join(PeerId{1}, "Ada");
  Session& session = *directory->Find(SessionId{1});
  port.sent.clear();
  directory->TellOwnEntity(session, NetId{5});
  directory->TellOwnEntity(session, NetId{5});
  directory->TellOwnEntity(session, NetId{});
  EXPECT_EQ(port.TypesSentTo(PeerId{1}).size(), 2U);
}

TEST(Admission, ManyAddressesCostBoundedMemory) {
  ManualClock clock;
  Admission admission{
      {.maxPeers = 4'000, .maxPerAddress = 0, .connectCount = 1, .connectWindow = std::chrono::seconds{10}}, clock};
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    mu_address address = AddressOf(static_cast<std::uint8_t>(i), 1);
    address.ip[13] = static_cast<std::uint8_t>(i >> 8U);
    address.ip[14] = static_cast<std::uint8_t>(i >> 16U);
    if (!admission.Admit(address)) {
      admission.Release(address);
    }
  }
  EXPECT_EQ(admission.Count(), 0U);
}

}  // namespace
}  // namespace muster::sessions
