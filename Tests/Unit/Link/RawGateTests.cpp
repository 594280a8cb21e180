// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RawGate.h"

#include "Core/Clock.h"
#include "Link/Address.h"

#include <gtest/gtest.h>

#include <chrono>

namespace muster::link {
namespace {

using namespace std::chrono_literals;

mu_address V4(std::uint32_t ip, std::uint16_t port) {
  mu_address address{};
  address.ip[10] = address.ip[11] = 0xFF;
  for (unsigned i = 0; i < 4; ++i) {
    address.ip[12 + i] = static_cast<std::uint8_t>(ip >> (24 - 8 * i));
  }
  address.port = port;
  return address;
}

class Gate : public ::testing::Test {
 protected:
  static RawGateLimits Limits() {
    RawGateLimits limits;
    limits.maxDatagramBytes = 1200;
    limits.addressPerSecond = 20;
    limits.endpointPerSecond = 100;
    limits.maxEndpoints = 64;
    limits.addressSlots = 256;
    return limits;
  }
  int Passed(const mu_address& from, int count) {
    int passed = 0;
    for (int i = 0; i < count; ++i) {
      passed += gate.Judge(from, 100) == DropReason::None ? 1 : 0;
    }
    return passed;
  }

  ManualClock clock{MonotonicTime{} + 10s};
  LinkCounters counters;
  RawGate gate{Limits(), 42, clock, counters};
};

TEST_F(Gate, DropsSourcesNobodyCanHave) {
  EXPECT_EQ(gate.Judge(V4(0x0A000001, 0), 10), DropReason::GateBadSource);
  EXPECT_EQ(gate.Judge(V4(0xE0000001, 5), 10), DropReason::GateBadSource);
  EXPECT_EQ(gate.Judge(V4(0xFFFFFFFF, 5), 10), DropReason::GateBadSource);
  EXPECT_EQ(gate.Judge(V4(0, 5), 10), DropReason::GateBadSource);
  mu_address multicast{};
  multicast.ip[0] = 0xFF;
  multicast.port = 5;
  EXPECT_EQ(gate.Judge(multicast, 10), DropReason::GateBadSource);
  EXPECT_EQ(counters.Snapshot().Dropped(DropReason::GateBadSource), 5u);
}

TEST_F(Gate, DropsWhatNoDatagramOfOursCanBe) {
  EXPECT_EQ(gate.Judge(V4(0x0A000001, 5), 0), DropReason::GateEmpty);
  EXPECT_EQ(gate.Judge(V4(0x0A000001, 5), 1200), DropReason::None);
  EXPECT_EQ(gate.Judge(V4(0x0A000001, 5), 1201), DropReason::GateOversize);
  EXPECT_EQ(gate.Judge(V4(0x0A000001, 5), 65'507), DropReason::GateOversize);
}

TEST_F(Gate, GivesAnAddressOneBudgetWhateverItsPorts) {
  int passed = 0;
  for (std::uint16_t port = 1; port <= 100; ++port) {
    passed += Passed(V4(0x0A000001, port), 1);
  }
  EXPECT_EQ(passed, 20);
  EXPECT_EQ(counters.Snapshot().Dropped(DropReason::GateAddressBudget), 80u);
  EXPECT_EQ(Passed(V4(0x0A000002, 1), 1), 1);  // another one is not hurt
  clock.Advance(500ms);
  EXPECT_EQ(Passed(V4(0x0A000001, 1), 50), 10);
}

TEST_F(Gate, FollowsAWholeNetworkOfIpv6) {
  int passed = 0;
  for (int host = 0; host < 100; ++host) {
    mu_address address{};
    address.ip[0] = 0x20;
    address.ip[15] = static_cast<std::uint8_t>(host);
    address.port = 7;
    passed += Passed(address, 1);
  }
  EXPECT_EQ(passed, 20);
}

TEST_F(Gate, GivesProvenEndpointsTheirOwnBudget) {
  const mu_address peer = V4(0x0A000001, 1000);
  gate.Admit(peer);
  EXPECT_EQ(Passed(V4(0x0A000001, 1001), 50), 20);  // a neighbour uses up the address
  EXPECT_EQ(Passed(peer, 150), 100);
  EXPECT_EQ(counters.Snapshot().Dropped(DropReason::GateEndpointBudget), 50u);
  gate.Forget(peer);
  EXPECT_EQ(Passed(peer, 50), 0);  // back among the others
}

TEST_F(Gate, KeepsItsMemoryWhateverIsSpoofed) {
  int passed = 0;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    passed += Passed(V4(0x0B000000 + i, 9), 1);
  }
  // 256 places and the shared allowance, but no more: what is not followed is not let through.
  EXPECT_GE(passed, 256);
  EXPECT_LE(passed, 256 + 160 + 8);
  clock.Advance(2s);
  EXPECT_EQ(Passed(V4(0x0A000001, 1), 1), 1);  // idle places are used again
}

TEST_F(Gate, FindsEveryEndpointAfterOthersWereForgotten) {
  std::vector<mu_address> peers;
  for (std::uint16_t i = 0; i < 64; ++i) {
    peers.push_back(V4(0x0A000001, static_cast<std::uint16_t>(2000 + i)));
    gate.Admit(peers.back());
  }
  Passed(V4(0x0A000001, 1), 50);  // only a budget of their own lets them through from here on
  for (std::size_t i = 0; i < peers.size(); i += 2) {
    gate.Forget(peers[i]);
  }
  for (std::size_t i = 0; i < peers.size(); ++i) {
    EXPECT_EQ(Passed(peers[i], 1), static_cast<int>(i % 2)) << i;
  }
}

TEST(Address, ReadsAndWritesTheSameText) {
  for (const char* text : {"127.0.0.1:4778", "10.1.2.3:1", "[::1]:65535", "[2001:db8::7]:80"}) {
    const Result<mu_address> address = ParseEndpoint(text);
    ASSERT_TRUE(address.HasValue()) << text;
    EXPECT_EQ(FormatAddress(*address), text);
  }
  EXPECT_EQ(FormatAddress(*ParseAddress("localhost", 5)), "127.0.0.1:5");
}

TEST(Address, RefusesWhatIsNone) {
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "1.2.3:5", "::1:5",
                           "example.org:5", "127.0.0.1:5x"}) {
    const Result<mu_address> address = ParseEndpoint(text);
    ASSERT_FALSE(address.HasValue()) << text;
    EXPECT_EQ(address.Failure().code, kBadAddress);
  }
}

TEST(Address, KnowsLoopback) {
  EXPECT_TRUE(IsLoopback(*ParseAddress("127.9.9.9", 1)));
  EXPECT_TRUE(IsLoopback(*ParseAddress("::1", 1)));
  EXPECT_FALSE(IsLoopback(*ParseAddress("0.0.0.0", 1)));
  EXPECT_FALSE(IsLoopback(*ParseAddress("10.0.0.1", 1)));
}

}  // namespace
}  // namespace muster::link
