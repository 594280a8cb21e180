// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Link/ClientLink.h"
#include "Link/ServerLink.h"
#include "Support/MemoryTransport.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace muster::link {

using namespace std::chrono_literals;

inline protocol::WireIdentity TestIdentity() {
  protocol::WireIdentity identity;
  identity.codecName = "muster.codec.raw";
  identity.codecWireVersion = 1;
  identity.lockDigest[0] = std::byte{0xAB};
  identity.plugins = {{"muster.codec.raw", "1.0.0"}};
  return identity;
}

inline std::vector<std::byte> Bytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline std::string Text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// An event whose bytes outlive the next poll.
struct KeptEvent {
  LinkEvent event{};
  std::string text{};
};

template <class Link>
std::vector<KeptEvent> PollAll(Link& link) {
  std::vector<KeptEvent> events;
  LinkEvent event;
  while (link.PollEvent(event)) {
    events.push_back(
        {event, event.kind == LinkEvent::Kind::Connected ? std::string(event.codecName) : Text(event.message)});
    events.back().event.message = {};
    events.back().event.codecName = {};
  }
  return events;
}

inline std::size_t CountKind(const std::vector<KeptEvent>& events, LinkEvent::Kind kind) {
  std::size_t count = 0;
  for (const KeptEvent& kept : events) {
    count += kept.event.kind == kind ? 1 : 0;
  }
  return count;
}

/// A server and clients on virtual time.
class LinkFixture : public ::testing::Test {
 protected:
  static constexpr std::uint16_t kPort = 4778;

  static ServerLinkConfig DefaultServerConfig() {
    ServerLinkConfig config;
    config.identity = TestIdentity();
    config.preHandshakeDatagramsPerSecond = 1000;
    return config;
  }
  static ClientLinkConfig DefaultClientConfig() {
    ClientLinkConfig config;
    config.identity = TestIdentity();
    return config;
  }

  void StartServer(const ServerLinkConfig& config = DefaultServerConfig()) { StartServer(network.Source(), config); }
  void StartServer(TransportSource source, const ServerLinkConfig& config) {
    server = std::make_unique<ServerLink>(std::move(source), config, clock, Logger(sink, "Link"));
    const Result<mu_address> bound = server->Listen(test::MemoryNetwork::Address(kPort));
    ASSERT_TRUE(bound.HasValue()) << bound.Failure().ToString();
  }
  std::unique_ptr<ClientLink> MakeClient(const ClientLinkConfig& config = DefaultClientConfig()) {
    return MakeClient(network.Source(), config);
  }
  std::unique_ptr<ClientLink> MakeClient(TransportSource source, const ClientLinkConfig& config) {
    auto client = std::make_unique<ClientLink>(std::move(source), config, clock);
    const Result<void> begun = client->Connect(test::MemoryNetwork::Address(kPort));
    EXPECT_TRUE(begun.HasValue());
    return client;
  }

  /// Lets one tick pass for the server and these clients.
  template <class... Clients>
  void Step(Clients&... clients) {
    clock.Advance(kTick);
    server->Service();
    (clients.Service(), ...);
  }
  template <class... Clients>
  void Steps(int count, Clients&... clients) {
    for (int i = 0; i < count; ++i) {
      Step(clients...);
    }
  }

  /// A client whose handshake is finished, and its id on the server.
  struct Joined {
    std::unique_ptr<ClientLink> client;
    PeerId peer{};
  };
  Joined Join(const ClientLinkConfig& config = DefaultClientConfig()) {
    Joined joined{MakeClient(config), {}};
    Steps(4, *joined.client);
    for (const KeptEvent& kept : PollAll(*server)) {
      if (kept.event.kind == LinkEvent::Kind::Connected) {
        joined.peer = kept.event.peer;
      }
    }
    EXPECT_EQ(joined.client->Phase(), ClientLink::State::Open);
    EXPECT_FALSE(joined.peer.IsNull());
    EXPECT_EQ(CountKind(PollAll(*joined.client), LinkEvent::Kind::Connected), 1u);
    return joined;
  }

  static constexpr std::chrono::nanoseconds kTick{16'666'667};

  ManualClock clock{MonotonicTime{} + 100s};
  MemorySink sink;
  test::MemoryNetwork network{clock};
  std::unique_ptr<ServerLink> server;
};

}  // namespace muster::link
