// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/NetworkThread.h"

#include "LinkFixture.h"
#include "MessageRing.h"

#include <fmt/format.h>

#include <thread>

namespace muster::link {
namespace {

TEST(MessageRing, KeepsOrderAndBytesBetweenTwoThreads) {
  MessageRing<std::uint32_t> ring(4096);
  constexpr std::uint32_t kMessages = 20'000;
  std::thread producer([&ring] {
    for (std::uint32_t i = 0; i < kMessages;) {
      const std::vector<std::byte> payload(i % 300, static_cast<std::byte>(i));
      if (ring.TryPush(i, payload)) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  for (std::uint32_t wanted = 0; wanted < kMessages;) {
    std::uint32_t got = 0;
    std::span<const std::byte> payload;
    if (!ring.Peek(got, payload)) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(got, wanted);
    ASSERT_EQ(payload.size(), wanted % 300);
    for (const std::byte byte : payload) {
      ASSERT_EQ(byte, static_cast<std::byte>(wanted));
    }
    ring.Pop();
    ++wanted;
  }
  producer.join();
}

TEST(MessageQueue, KeepsBackWhatMustArriveAndLetsNothingOvertake) {
  MessageQueue<std::uint32_t> queue(1024, 100'000);
  std::uint32_t pushed = 0;
  while (queue.TryPush(pushed, std::vector<std::byte>(100))) {
    ++pushed;
  }
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(queue.Push(pushed++, std::vector<std::byte>(100)));
  }
  std::uint32_t got = 0;
  std::span<const std::byte> payload;
  ASSERT_TRUE(queue.Peek(got, payload));
  queue.Pop();
  EXPECT_FALSE(queue.TryPush(9999, {}));  // there is room now, but others wait
  for (std::uint32_t wanted = 1; wanted < pushed; ++wanted) {
    queue.Flush();
    ASSERT_TRUE(queue.Peek(got, payload));
    EXPECT_EQ(got, wanted);
    queue.Pop();
  }
  EXPECT_TRUE(queue.TryPush(9999, {}));
}

TEST(MessageQueue, RefusesBeyondItsLimit) {
  MessageQueue<std::uint32_t> queue(1024, 1000);
  int accepted = 0;
  while (accepted < 1000 && queue.Push(1, std::vector<std::byte>(100))) {
    ++accepted;
  }
  EXPECT_LT(accepted, 30);
  EXPECT_GT(accepted, 9);
}

/// The server's two threads and a client's, on real time.
TEST(NetworkThread, CarriesTrafficBetweenTwoThreads) {
  const SteadyClock clock;
  MemorySink sink;
  test::MemoryNetwork network(clock);
  ServerLinkConfig config;
  config.identity = TestIdentity();
  config.packetsPerSecond = 10'000;
  config.bytesPerSecond = 100'000'000;
  ServerLink server(network.Source(), config, clock, Logger(sink, "Link"));
  ASSERT_TRUE(server.Listen(test::MemoryNetwork::Address(4778)).HasValue());
  NetworkThread thread(server, Logger(sink, "Link"));
  constexpr std::uint32_t kEach = 300;

  std::uint32_t clientGot = 0;
  std::thread clientThread([&] {
    ClientLinkConfig clientConfig;
    clientConfig.identity = TestIdentity();
    ClientLink client(network.Source(), clientConfig, clock);
    ASSERT_TRUE(client.Connect(test::MemoryNetwork::Address(4778)).HasValue());
    std::uint32_t sent = 0;
    const MonotonicTime end = clock.Now() + 20s;
    while ((sent < kEach || clientGot < kEach) && clock.Now() < end) {
      client.Service();
      for (const KeptEvent& kept : PollAll(client)) {
        clientGot += kept.event.kind == LinkEvent::Kind::Message ? 1 : 0;
      }
      if (client.Phase() == ClientLink::State::Open && sent < kEach) {
        ++sent;
        client.SendPacket(sent, Bytes("packet"));
        client.SendReliable(Bytes(fmt::format("m{}", sent)));
      }
      std::this_thread::sleep_for(200us);
    }
    client.Disconnect();
    client.Service();
  });

  std::uint32_t serverGot = 0;
  bool disconnected = false;
  std::uint32_t sent = 0;
  PeerId peer;
  const MonotonicTime end = clock.Now() + 25s;
  while (!disconnected && clock.Now() < end) {
    for (const KeptEvent& kept : PollAll(server)) {
      if (kept.event.kind == LinkEvent::Kind::Connected) {
        peer = kept.event.peer;
      }
      if (kept.event.kind == LinkEvent::Kind::Message) {
        ++serverGot;
        EXPECT_EQ(kept.text, fmt::format("m{}", serverGot));
      }
      disconnected = disconnected || kept.event.kind == LinkEvent::Kind::Disconnected;
    }
    if (!peer.IsNull() && sent < kEach) {
      ++sent;
      server.SendPacket(peer, sent, Bytes("snapshot"));
      server.SendReliable(peer, Bytes("notice"));
      server.Wake();
    }
    static_cast<void>(server.Stats());
    std::this_thread::sleep_for(200us);
  }
  clientThread.join();
  EXPECT_TRUE(thread.IsRunning());
  thread.Stop();
  EXPECT_FALSE(thread.IsRunning());
  EXPECT_TRUE(disconnected);
  EXPECT_EQ(serverGot, kEach);
  EXPECT_EQ(clientGot, kEach);
}

TEST(NetworkThread, SendsWhatWasSaidBeforeItStops) {
  const SteadyClock clock;
  MemorySink sink;
  test::MemoryNetwork network(clock);
  ServerLinkConfig config;
  config.identity = TestIdentity();
  ServerLink server(network.Source(), config, clock, Logger(sink, "Link"));
  ASSERT_TRUE(server.Listen(test::MemoryNetwork::Address(4778)).HasValue());
  ClientLinkConfig clientConfig;
  clientConfig.identity = TestIdentity();
  ClientLink client(network.Source(), clientConfig, clock);
  ASSERT_TRUE(client.Connect(test::MemoryNetwork::Address(4778)).HasValue());
  NetworkThread thread(server, Logger(sink, "Link"));
  PeerId peer;
  const MonotonicTime end = clock.Now() + 10s;
  while (peer.IsNull() && clock.Now() < end) {
    client.Service();
    for (const KeptEvent& kept : PollAll(server)) {
      peer = kept.event.peer;
    }
    std::this_thread::sleep_for(200us);
  }
  ASSERT_FALSE(peer.IsNull());
  server.SendReliable(peer, Bytes("the last word"));
  server.Disconnect(peer, DisconnectReason::ServerShutdown);
  thread.Stop();
  client.Service();
  const std::vector<KeptEvent> events = PollAll(client);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].text, "the last word");
  EXPECT_EQ(events[2].event.reason, DisconnectReason::ServerShutdown);
}

}  // namespace
}  // namespace muster::link
